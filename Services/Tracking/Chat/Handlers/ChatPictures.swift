import ChatDomain
import ChatOperations
import FieldViolations
import Identifiers
import Images
import Pictures
import TTRPC
import TandemChat
import Timestamps
import TrackingStore

extension Chat {
  /// Stores an uploaded file as a picture that the caller may send to a conversation.
  package func uploadPicture(
    _ requests: MessageStream<UploadPictureRequest>, _ context: CallContext
  ) async throws -> Picture {
    let uploader = try context.userID
    return try await uploads.receive(
      requests, from: uploader, chunk: \.chunk,
      admit: { first in
        var bad = Violations()
        _ = try await access(of: uploader, to: try bad.all(bad.conversationID(first.conversationID)))
        try MessageStorage.checkPictures(try await database.first(ChatStorageOfUser(userID: uploader))?.pictures ?? 0)
      },
      { first, uploaded in
        guard let conversation = ConversationID(first.conversationID) else { throw ChatRefusal.noSuchConversation }
        return Picture(
          try await database.transaction { tx in
            try await operations.addPicture(uploaded, to: conversation, by: uploader, in: pictures, tx)
          })
      })
  }

  /// Streams a picture that the caller sees in chunks.
  package func downloadPicture(
    _ call: DownloadPictureRequest, _ responses: MessageWriter<DownloadPictureResponse>, _ context: CallContext
  ) async throws {
    let caller = try context.userID
    var bad = Violations()
    let picture = bad.require(
      "picture_id", ChatPictureID(call.pictureID), "This is not the id of a picture", ChatReason.pictureIDInvalid)
    let (conversation, id) = try bad.all(bad.conversationID(call.conversationID), picture)
    _ = try await access(of: caller, to: conversation)
    let visible = VisibleChatPicture(userID: caller, chatPictureID: id, conversationID: conversation)
    let size = Images.PictureSize(call.size) ?? .full
    guard try await database.first(visible) != nil, let stored = try await pictures.pictures(of: id.uuid).first,
      let rendition = stored.renditions.first(where: { $0.size == size })
    else { throw ChatRefusal.noSuchPicture }
    try await responses.send(DownloadPictureResponse(picture: Picture(stored)))
    try await pictures.send(stored.id, rendition, to: responses) { DownloadPictureResponse(chunk: $0) }
  }
}

extension Picture {
  fileprivate init(_ stored: StoredPicture) {
    self.init(
      pictureID: stored.id.description,
      renditions: stored.renditions.map {
        PictureRendition(
          size: $0.size.wire, mediaType: $0.mediaType, width: Int32($0.width), height: Int32($0.height),
          byteCount: Int64($0.byteCount))
      }, uploadTime: stored.uploadedAt.timestamp)
  }
}
