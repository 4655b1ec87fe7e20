import Identifiers
import IdentityDomain

/// A delivery that is due, with all data for its mail or push.
package struct DueDelivery: Sendable {
  package let id: DeliveryID
  package let userID: UserID
  /// The number of this attempt, from 1.
  package let attempt: Int32
  package let content: DeliveryContent
  /// The recipient of a mail: the address that the delivery names, otherwise the account's.
  package let email: String
  package let username: String
  package let isVerified: Bool
  /// `nil` for other contents.
  package let notification: StoredNotification?
  /// Whether a mail tells of further notifications: see ``GatheredNotices``.
  package let isGathered: Bool
  /// `nil` for other contents.
  package let notice: SecurityNotice?
  /// The change that a link in the mail confirms or undoes; `nil` without such a link.
  package let emailChangeID: EmailChangeID?
  /// `nil` for mail.
  package let device: DeviceToReach?

  init(_ columns: DueDeliveryColumns) {
    id = columns.id
    userID = columns.userID
    attempt = columns.attempt
    content = columns.content
    email = columns.email
    username = columns.username
    isVerified = columns.isVerified
    isGathered = columns.isGathered
    if let id = columns.notificationID, let createdAt = columns.notifiedAt {
      notification = StoredNotification(
        NotificationColumns(
          id: id, sequence: columns.sequence, kind: columns.kind, title: columns.title, body: columns.body,
          subject: columns.subject, createdAt: createdAt, readAt: nil, username: columns.namedUsername))
    } else {
      notification = nil
    }
    emailChangeID = columns.emailChangeID
    if let kind = columns.noticeKind, let occurredAt = columns.occurredAt {
      notice = SecurityNotice(
        kind: SecurityNoticeKind(rawValue: kind), address: columns.address, deviceLabel: columns.deviceLabel,
        detail: columns.detail, occurredAt: occurredAt,
        zone: ZoneOffset(zone: columns.timeZone, secondsFromUTC: columns.secondsFromUtc))
    } else {
      notice = nil
    }
    device = columns.deviceID.map { id in
      DeviceToReach(
        id: id, platform: columns.platform, tokenHash: columns.tokenHash ?? [], plainToken: columns.plainToken,
        sealedToken: columns.sealedToken)
    }
  }
}

/// What a security mail says ([ID-16]).
package struct SecurityNotice: Sendable {
  /// `nil` for a kind that this version does not know.
  package let kind: SecurityNoticeKind?
  /// The client's address; empty where no call caused it.
  package let address: String
  /// The label of the session that did it; may be empty.
  package let deviceLabel: String
  /// The name or address that the mail mentions; may be empty.
  package let detail: String
  package let occurredAt: Instant
  /// The zone of the reader's profile at that moment; `nil` if the database does not know it.
  package let zone: ZoneOffset?
}

extension ZoneOffset {
  fileprivate init?(zone: TimeZoneName?, secondsFromUTC: Int32?) {
    guard let zone, let secondsFromUTC else { return nil }
    self.init(zone: zone, secondsFromUTC: Int(secondsFromUTC))
  }
}

/// A device to push to, with its token as stored.
package struct DeviceToReach: Sendable {
  package let id: DeviceID
  package let platform: String
  package let tokenHash: [UInt8]
  /// The plain token of a device that was registered before tokens were sealed.
  package let plainToken: String?
  package let sealedToken: [UInt8]?
}
