import Identifiers
import Postgres

/// Queues a mail to the owner of an account, sent after the commit, with a link to verify the address or to choose a
/// new password.
package struct InsertLinkMail: Statement {
  /// The purpose of the link.
  package enum Content: Sendable {
    case emailVerification
    case passwordReset
  }

  package typealias Row = Void
  package static let sql = """
    insert into deliveries (id, account_id, channel, content, created_at, due_at)
    values ($1, $2, 'MAIL', $3, $4, $4)
    """
  let id: DeliveryID
  let userID: UserID
  let content: DeliveryContent
  let now: Instant

  package init(_ content: Content, id: DeliveryID, to userID: UserID, now: Instant) {
    self.id = id
    self.userID = userID
    self.content =
      switch content {
      case .emailVerification: .emailVerification
      case .passwordReset: .passwordReset
      }
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
    p.append(content.rawValue)
    p.append(now)
  }
}

/// Queues a mail about a notification, sent after the commit.
package struct InsertNotificationMail: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deliveries (id, account_id, channel, content, notification_id, created_at, due_at)
    values ($1, $2, 'MAIL', 'NOTIFICATION', $3, $4, $4)
    """
  let id: DeliveryID
  let userID: UserID
  let notificationID: NotificationID
  let now: Instant

  package init(id: DeliveryID, of notificationID: NotificationID, to userID: UserID, now: Instant) {
    self.id = id
    self.userID = userID
    self.notificationID = notificationID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
    p.append(notificationID)
    p.append(now)
  }
}

/// Queues pushes of a notification to some devices, sent after the commit.
package struct InsertPushes: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deliveries (id, account_id, channel, content, notification_id, device_id, created_at, due_at)
    select push.id, $2, 'PUSH', 'NOTIFICATION', $3, push.device_id, $5, $5
    from unnest($1::uuid [], $4::uuid []) as push (id, device_id)
    """
  let ids: [DeliveryID]
  let userID: UserID
  let notificationID: NotificationID
  let devices: [DeviceID]
  let now: Instant

  /// - Parameter ids: one for each device.
  package init(
    ids: [DeliveryID], of notificationID: NotificationID, to userID: UserID, on devices: [DeviceID], now: Instant
  ) {
    precondition(ids.count == devices.count, "a delivery has one device")
    self.ids = ids
    self.userID = userID
    self.notificationID = notificationID
    self.devices = devices
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(ids)
    p.append(userID)
    p.append(notificationID)
    p.append(devices)
    p.append(now)
  }
}
