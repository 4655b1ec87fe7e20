import Identifiers
import IdentityDomain
import IdentityStore
import Images
import Pictures
import TTRPC
import TandemIdentity

extension Profiles {
  /// Streams the picture of the user with a username in chunks ([ID-25]).
  package func downloadProfilePicture(
    _ call: DownloadProfilePictureRequest, _ responses: MessageWriter<DownloadProfilePictureResponse>,
    _ context: CallContext
  ) async throws {
    let size = Images.PictureSize(call.size) ?? .full
    // A caller who may see the profile may see its picture.
    let profile = try await getProfile(GetProfileRequest(username: call.username), context)
    guard let owner = UserID(profile.userID), let picture = try await pictures.pictures(of: owner.uuid).first,
      let rendition = picture.renditions.first(where: { $0.size == size })
    else { throw Status.pictureMissing }
    try await responses.send(DownloadProfilePictureResponse(picture: ProfilePicture(picture, of: owner)))
    guard call.knownEtag != picture.etag else { return }
    try await pictures.send(picture.id, rendition, to: responses) { DownloadProfilePictureResponse(chunk: $0) }
  }
}
