import FieldViolations
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// Streams the caller's notifications as they arrive, each once and in order ([ID-60]).
  ///
  /// Sequence numbers are committed in order, so everything below a number that was read has been read too, and the
  /// position is all the state of a stream.
  package func streamNotifications(
    _ call: StreamNotificationsRequest, _ responses: MessageWriter<StreamNotificationsResponse>, _ context: CallContext
  ) async throws {
    let reader = try context.userID
    guard call.after.map({ $0 >= 0 }) ?? true else {
      throw BadFields("after", "The position must not be negative", NotificationReason.afterInvalid)
    }
    // Subscribed before the first query, so that no notification is missed between the two.
    let rings = inboxes.subscribe(to: reader)
    var position = try await start(call.after, of: reader)
    try await responses.send(StreamNotificationsResponse(position: position))
    for await reach in rings {
      try requireGoodToken(context)
      guard reach > position else { continue }
      position = try await tell(after: position, of: reader, responses)
    }
    // The service stops, or the call was cancelled, for which the runtime has its own status.
    throw Status.unavailable("The service is stopping")
  }

  /// The position at which the stream begins. A position beyond the newest notification comes from before a restore of
  /// the database, and would never be reached.
  private func start(_ after: Int64?, of reader: UserID) async throws -> Int64 {
    let newest = try await database.rows(InboxPositions(userIDs: [reader])).first?.position ?? 0
    return min(after ?? newest, newest)
  }

  /// Sends all notifications after `start` and returns the new position.
  private func tell(
    after start: Int64, of reader: UserID, _ responses: MessageWriter<StreamNotificationsResponse>
  ) async throws -> Int64 {
    var position = start
    while true {
      let found = try await database.rows(
        NotificationsAfter(userID: reader, after: position, limit: Int64(Self.burst)))
      for notification in found {
        position = notification.sequence
        try await responses.send(
          StreamNotificationsResponse(position: position, notification: Notification(notification)))
      }
      if found.count < Self.burst { return position }
    }
  }

  /// The number of notifications that are read from the database at a time.
  private static let burst = 100

  /// Ends the stream when its token expires or the token's session ends ([ID-7]).
  private func requireGoodToken(_ context: CallContext) throws(Status) {
    guard let token = context.metadata.bearerToken else { throw .notAUser }
    _ = try tokens.caller(provenBy: token, for: .user)
  }
}
