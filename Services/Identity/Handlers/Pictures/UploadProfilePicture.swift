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
        // The account was deleted after the token was checked.
        guard try await tx.first(LockProfile(userID: owner)) != nil else { throw Status.notAUser }
        let current = try await pictures.pictures(of: owner.uuid, in: tx).first
        guard first.etag.isEmpty || first.etag == current?.etag else { throw Status.pictureEtagMismatch }
        if let current, current.contentHash == uploaded.contentHash { return current }
        try await pictures.removeAll(of: owner.uuid, in: tx)
        try await tx.execute(TouchProfile(userID: owner))
        return try await pictures.add(uploaded, as: environment.newID(), of: owner.uuid, at: clock.now, in: tx)
      }
      return ProfilePicture(stored, of: owner)
    }
  }
}
