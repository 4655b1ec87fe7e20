import FieldViolations
import Idempotency
import IdentityStore
import TTRPC
import TandemIdentity

extension Profiles {
  /// Deletes the caller's profile picture ([ID-25]).
  package func deleteProfilePicture(
    _ call: DeleteProfilePictureRequest, _ context: CallContext
  ) async throws -> DeleteProfilePictureResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      // Without an account there is no picture.
      guard try await tx.first(LockProfile(userID: owner)) != nil else { return DeleteProfilePictureResponse() }
      let current = try await pictures.pictures(of: owner.uuid, in: tx).first
      if let current, !call.etag.isEmpty, call.etag != current.etag { throw Status.pictureEtagMismatch }
      guard current != nil else { return DeleteProfilePictureResponse() }
      try await pictures.removeAll(of: owner.uuid, in: tx)
      try await tx.execute(TouchProfile(userID: owner))
      return DeleteProfilePictureResponse()
    }
  }
}
