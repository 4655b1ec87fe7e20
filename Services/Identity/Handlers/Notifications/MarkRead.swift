import FieldViolations
import Idempotency
import IdentityDomain
import IdentityStore
import Identifiers
import TTRPC
import TandemNotification

extension Notifications {
  /// Marks some of the caller's notifications as read ([ID-60]).
  package func markRead(_ call: MarkReadRequest, _ context: CallContext) async throws -> MarkReadResponse {
    let reader = try context.userID
    let marks = try Marks(call)
    return try await idempotency.execute(call, context.requestKey(marks.requestID)) { tx in
      let marked = try await tx.rows(
        MarkNotificationsRead(
          now: environment.clock.now, userID: reader, notificationIDs: marks.ids, upTo: marks.upTo))
      let left = try await tx.first(IdentityStore.CountUnread(userID: reader)) ?? 0
      return MarkReadResponse(markedCount: Int32(marked.count), unreadCount: left)
    }
  }
}

/// The validated fields of the request.
private struct Marks {
  let ids: [NotificationID]
  let upTo: Int64
  let requestID: UUID7?

  private static let maxCount = 500

  init(_ call: MarkReadRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    if call.notificationIds.isEmpty, call.upToSequence == 0 {
      bad.add("notification_ids", "Say which notifications to mark", NotificationReason.notificationsMissing)
    }
    if call.notificationIds.count > Self.maxCount {
      bad.add("notification_ids", "At most 500 notifications can be named", NotificationReason.tooManyNotifications)
    }
    ids = call.notificationIds.prefix(Self.maxCount).compactMap { NotificationID($0) }
    if ids.count < min(call.notificationIds.count, Self.maxCount) {
      bad.add("notification_ids", "One of the ids is not a UUID", NotificationReason.notificationIDInvalid)
    }
    if call.upToSequence < 0 {
      bad.add("up_to_sequence", "The sequence number must not be negative", NotificationReason.sequenceInvalid)
    }
    upTo = call.upToSequence
    try bad.check()
  }
}
