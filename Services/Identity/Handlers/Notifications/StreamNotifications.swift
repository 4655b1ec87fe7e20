import FieldViolations
import Identifiers
import IdentityDomain
import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// The caller's notifications as they come, each once and in order ([ID-60]).
  ///
  /// Numbers commit in their order, so whatever lies below one that was read has been read too: a stream needs to know its position only.
  package func streamNotifications(
    _ call: StreamNotificationsRequest, _ responses: MessageWriter<StreamNotificationsResponse>, _ context: CallContext
  ) async throws {
    let reader = try context.userID
    guard call.after.map({ $0 >= 0 }) ?? true else {
      throw BadFields("after", "The position must not be negative", "AFTER_INVALID")
    }
    // Before the first look, so that nothing comes between them unheard.
    let rings = inboxes.subscribe(to: reader)
    var position = try await start(call.after, of: reader)
    try await responses.send(StreamNotificationsResponse(position: position))
    for await reach in rings {
      try requireGoodToken(context)
      guard reach > position else { continue }
      position = try await tell(after: position, of: reader, responses)
    }
    // The service stops, or the call was given up: then the runtime has its own answer.
    throw Status.unavailable("The service is stopping")
  }

  /// Where the stream begins. A position that no notification has yet is one from another life of the database: it would wait for ever.
  private func start(_ after: Int64?, of reader: UserID) async throws -> Int64 {
    let newest = try await database.first(InboxPositions(of: [reader]))?.position ?? 0
    return min(after ?? newest, newest)
  }

  /// Tells all there is and returns the new position.
  private func tell(
    after start: Int64, of reader: UserID, _ responses: MessageWriter<StreamNotificationsResponse>
  ) async throws -> Int64 {
    var position = start
    while true {
      let found = try await database.rows(NotificationsAfter(of: reader, after: position, limit: Self.burst))
      for notification in found {
        position = notification.sequence
        try await responses.send(
          StreamNotificationsResponse(position: position, notification: Notification(notification)))
      }
      if found.count < Self.burst { return position }
    }
  }

  /// Notifications that are read from the database at a time.
  private static let burst = 100

  /// A stream ends with the token that it was opened with, by expiry or by the end of its session ([ID-7]).
  private func requireGoodToken(_ context: CallContext) throws(Status) {
    guard let token = context.metadata.bearerToken else { throw .notAUser }
    _ = try tokens.caller(provenBy: token, for: .user)
  }
}
