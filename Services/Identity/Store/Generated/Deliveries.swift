// Made from deliveries.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// The columns of a row `taken` of deliveries, with the account and, where there are any, device and notification.
package struct DueDeliveryColumns: Sendable {
  package let id: DeliveryID
  package let userID: UserID
  package let attempt: Int32
  package let content: DeliveryContent
  package let emailChangeID: EmailChangeID?
  package let email: String
  package let username: String
  package let isVerified: Bool
  package let deviceID: DeviceID?
  package let platform: String
  package let tokenHash: [UInt8]?
  package let plainToken: String?
  package let sealedToken: [UInt8]?
  package let notificationID: NotificationID?
  package let sequence: Int64
  package let notifiedAt: Instant?
  package let kind: String
  package let title: String
  package let body: String
  package let subject: String
  package let namedUsername: String?
  package let noticeKind: String?
  package let address: String
  package let deviceLabel: String
  package let detail: String
  package let occurredAt: Instant?
  package let timeZone: TimeZoneName?
  package let secondsFromUtc: Int32?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> DueDeliveryColumns {
    DueDeliveryColumns(
      id: try row.next(), userID: try row.next(), attempt: try row.next(), content: try row.next(),
      emailChangeID: try row.next(), email: try row.next(), username: try row.next(), isVerified: try row.next(),
      deviceID: try row.next(), platform: try row.next(), tokenHash: try row.next(), plainToken: try row.next(),
      sealedToken: try row.next(), notificationID: try row.next(), sequence: try row.next(), notifiedAt: try row.next(),
      kind: try row.next(), title: try row.next(), body: try row.next(), subject: try row.next(),
      namedUsername: try row.next(), noticeKind: try row.next(), address: try row.next(), deviceLabel: try row.next(),
      detail: try row.next(), occurredAt: try row.next(), timeZone: try row.next(), secondsFromUtc: try row.next())
  }
}

/// Queues a mail to the owner of an account, sent after the commit, with a link to verify the address or to choose a
/// new password.
package struct InsertLinkMail: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deliveries (id, account_id, channel, content, created_at, due_at)
    values ($1, $2, 'MAIL', $3, $4, $4)
    """
  package let deliveryID: DeliveryID
  package let userID: UserID
  package let content: LinkMailContent
  package let now: Instant

  package init(deliveryID: DeliveryID, userID: UserID, content: LinkMailContent, now: Instant) {
    self.deliveryID = deliveryID
    self.userID = userID
    self.content = content
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(deliveryID)
    p.append(userID)
    p.append(content)
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
  package let deliveryID: DeliveryID
  package let userID: UserID
  package let notificationID: NotificationID
  package let now: Instant

  package init(deliveryID: DeliveryID, userID: UserID, notificationID: NotificationID, now: Instant) {
    self.deliveryID = deliveryID
    self.userID = userID
    self.notificationID = notificationID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(deliveryID)
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
    select push.id, $1, 'PUSH', 'NOTIFICATION', $2, push.device_id, $3, $3
    from unnest($4::uuid [], $5::uuid []) as push (id, device_id)
    """
  package let userID: UserID
  package let notificationID: NotificationID
  package let now: Instant
  /// One for each device.
  package let deliveryIDs: [DeliveryID]
  package let deviceIDs: [DeviceID]

  package init(
    userID: UserID, notificationID: NotificationID, now: Instant, deliveryIDs: [DeliveryID], deviceIDs: [DeviceID]) {
    self.userID = userID
    self.notificationID = notificationID
    self.now = now
    self.deliveryIDs = deliveryIDs
    self.deviceIDs = deviceIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(notificationID)
    p.append(now)
    p.append(deliveryIDs)
    p.append(deviceIDs)
  }
}

/// Takes deliveries that are due on a channel, so that no other replica takes them before their next attempt.
///
/// The wait until then doubles from a minute to an hour; a delivery whose sender died waits for as long. The minute is
/// longer than sending all deliveries that are taken together, so that no other replica takes one before its sender has
/// given up. An outage of a mail server is rarely over sooner than in an hour, and a user does not wait for a mail much
/// longer.
///
/// Deliveries that may have been sent twice already, or are a day old, are not taken: see ``GiveUpDeliveries``.
package struct TakeDueDeliveries: Statement {
  package typealias Row = DueDelivery
  package static let sql = """
    with due as (
      select id from deliveries
      where channel = $1 and state = 'DUE' and due_at <= $2 and possible_sends < 2 and created_at > $3
      order by due_at limit $4 for update skip locked
    ), taken as (
      update deliveries set
        attempts = attempts + 1, possible_sends = possible_sends + 1,
        due_at = $2 + make_interval(secs => least(60 * 2 ^ least(attempts, 10), 3600))
      from due where deliveries.id = due.id
      returning
        deliveries.id, account_id, attempts, content, notification_id, device_id, recipient, email_change_id
    )
    select taken.id, taken.account_id as user_id, taken.attempts as attempt, taken.content, taken.email_change_id,
    coalesce(taken.recipient, accounts.email) as email, accounts.username as username,
    accounts.verified_at is not null as is_verified,
    device.id as device_id, coalesce(device.platform, '') as platform, device.token_hash, device.token as plain_token,
    device.sealed_token,
    notifications.id as notification_id, coalesce(notifications.sequence, 0) as sequence,
    notifications.created_at as notified_at, coalesce(notifications.kind, '') as kind,
    coalesce(notifications.title, '') as title, coalesce(notifications.body, '') as body,
    coalesce(notifications.subject, '') as subject, named.username as named_username,
    notice.kind as notice_kind, coalesce(notice.address, '') as address,
    coalesce(notice.device_label, '') as device_label, coalesce(notice.detail, '') as detail, notice.occurred_at,
    profiles.time_zone, seconds_from_utc(notice.occurred_at, profiles.time_zone) as seconds_from_utc
    from taken
    join accounts on accounts.id = taken.account_id
    left join devices as device on device.id = taken.device_id
    left join notifications on notifications.id = taken.notification_id
    left join security_notices as notice on notice.delivery_id = taken.id
    left join profiles on notice.delivery_id is not null and profiles.account_id = taken.account_id
    left join accounts as named on named.id = notifications.named_user_id and (
      not exists (
      select from blocks where (blocker_id = named.id and blocked_id = notifications.account_id)
        or (blocker_id = notifications.account_id and blocked_id = named.id)
    ) or exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = notifications.account_id and theirs.account_id = named.id
    )
    )
    """
  package let channel: DeliveryChannel
  package let now: Instant
  package let createdAfter: Instant
  package let limit: Int64

  package init(channel: DeliveryChannel, now: Instant, createdAfter: Instant, limit: Int64) {
    self.channel = channel
    self.now = now
    self.createdAfter = createdAfter
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(channel)
    p.append(now)
    p.append(createdAfter)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try DueDelivery(DueDeliveryColumns.decode(row))
  }
}

/// Gives up deliveries that are due on a channel and are not retried; returns one row for each, with its id and last
/// failure ([ID-61]).
package struct GiveUpDeliveries: Statement {
  package struct Row: Sendable {
    package let id: DeliveryID
    package let state: String
    package let lastFailure: String?
  }

  package static let sql = """
    update deliveries set state = case when possible_sends = 2 then 'UNSURE' else 'EXPIRED' end, settled_at = $1
    where id in (
      select id from deliveries
      where channel = $2 and state = 'DUE' and due_at <= $1
        and (possible_sends = 2 or created_at <= $3)
      limit $4 for update skip locked
    )
    returning id, state, last_failure
    """
  package let now: Instant
  package let channel: DeliveryChannel
  package let createdBefore: Instant
  package let limit: Int64

  package init(now: Instant, channel: DeliveryChannel, createdBefore: Instant, limit: Int64) {
    self.now = now
    self.channel = channel
    self.createdBefore = createdBefore
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(channel)
    p.append(createdBefore)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), state: try row.next(), lastFailure: try row.next())
  }
}

/// Records the outcome of a delivery, even if another replica has taken it since.
package struct SettleDelivery: Statement {
  package typealias Row = Void
  package static let sql = """
    update deliveries set state = $1, settled_at = $2, last_failure = left($3, 500)
    where id = $4 and state = 'DUE'
    """
  package let state: SettledState
  package let now: Instant
  /// Why it was not sent; `nil` where that needs none.
  package let reason: String?
  package let deliveryID: DeliveryID

  package init(state: SettledState, now: Instant, reason: String?, deliveryID: DeliveryID) {
    self.state = state
    self.now = now
    self.reason = reason
    self.deliveryID = deliveryID
  }

  package func bind(_ p: inout Parameters) {
    p.append(state)
    p.append(now)
    p.append(reason)
    p.append(deliveryID)
  }
}

/// Records why an attempt failed; the delivery stays due for its next attempt. Has no effect when another replica has
/// taken it since.
package struct PostponeDelivery: Statement {
  package typealias Row = Void
  package static let sql = """
    update deliveries set
      last_failure = left($1, 500), possible_sends = possible_sends - $2, due_at = greatest(due_at, $3)
    where id = $4 and attempts = $5 and state = 'DUE'
    """
  package let reason: String
  /// 1 if nothing was sent, 0 if it may have been sent.
  package let unsent: Int16
  /// The earliest time of the next attempt, which otherwise is at its ordinary time.
  package let notBefore: Instant
  package let deliveryID: DeliveryID
  package let attempt: Int32

  package init(reason: String, unsent: Int16, notBefore: Instant, deliveryID: DeliveryID, attempt: Int32) {
    self.reason = reason
    self.unsent = unsent
    self.notBefore = notBefore
    self.deliveryID = deliveryID
    self.attempt = attempt
  }

  package func bind(_ p: inout Parameters) {
    p.append(reason)
    p.append(unsent)
    p.append(notBefore)
    p.append(deliveryID)
    p.append(attempt)
  }
}

/// Removes deliveries that were settled a month ago.
package struct DeleteSettledDeliveries: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from deliveries where id in (
      select id from deliveries where settled_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
