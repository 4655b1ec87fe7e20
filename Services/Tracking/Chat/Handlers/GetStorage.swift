import ChatDomain
import TTRPC
import TandemChat
import TrackingStore

extension Chat {
  /// What is stored of the caller in conversations, and how much may be.
  package func getStorage(_ call: GetStorageRequest, _ context: CallContext) async throws -> GetStorageResponse {
    let used = try await database.first(ChatStorageOfUser(userID: try heard(context)))
    return GetStorageResponse(
      used: StorageFigures(messages: used?.messages ?? 0, bytes: used?.bytes ?? 0, pictures: used?.pictures ?? 0),
      limits: StorageFigures(
        messages: MessageStorage.maxMessages, bytes: MessageStorage.maxBytes, pictures: MessageStorage.maxPictures))
  }
}
