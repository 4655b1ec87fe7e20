import ChatDomain
import Identifiers
import Pictures
import Postgres
import TrackingStore

extension ChatOperations {
  /// Stores a picture that a user may send to a conversation.
  package func addPicture(
    _ uploaded: UploadedPicture, to conversation: ConversationID, by user: UserID, in pictures: PictureStore,
    _ tx: Transaction
  ) async throws -> StoredPicture {
    let (id, now): (ChatPictureID, Instant) = (environment.newID(), clock.now)
    // Locked, so that nothing is stored after the deletion of the account ([C-9]).
    guard try await tx.first(EnteredUser(userID: user)) != false else { throw ChatFailure.noAccount }
    guard try await tx.first(MemberAccess(conversationID: conversation, userID: user)) != nil else {
      throw ChatRefusal.noSuchConversation
    }
    try await tx.execute(EnterChatStorage(userID: user))
    try MessageStorage.checkPictures(try await tx.first(ChatStorageOfUser(userID: user))?.pictures ?? 0)
    try await tx.execute(AddChatPicture(chatPictureID: id, conversationID: conversation, userID: user, now: now))
    return try await pictures.add(uploaded, as: PictureID(id.uuid), of: id.uuid, at: now, in: tx)
  }
}
