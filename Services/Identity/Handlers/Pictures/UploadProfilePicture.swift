import IdentityStore
import Pictures
import TTRPC
import TandemIdentity

extension Profiles {
  /// Stores the uploaded file as the caller's profile picture ([ID-25]).
  package func uploadProfilePicture(
    _ requests: MessageStream<UploadProfilePictureRequest>, _ context: CallContext
  ) async throws -> ProfilePicture {
    let owner = try context.userID
    return try await uploads.receive(requests, from: owner, chunk: \.chunk) { first, uploaded in
      let stored = try await database.transaction { tx in
        guard try await tx.first(LockedProfile(userID: owner)) != nil else { throw Status.profileMissing }
        let current = try await pictures.pictures(of: owner.uuid, in: tx).first
        guard first.etag.isEmpty || first.etag == current?.etag else { throw Status.pictureEtagMismatch }
        if let current, current.contentHash == uploaded.contentHash { return current }
        try await pictures.removeAll(of: owner.uuid, in: tx)
        return try await pictures.add(uploaded, as: environment.newID(), of: owner.uuid, at: clock.now, in: tx)
      }
      return ProfilePicture(stored, of: owner)
    }
  }
}
