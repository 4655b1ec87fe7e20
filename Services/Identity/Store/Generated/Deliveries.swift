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
  package let isGathered: Bool
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
      namedUsername: try row.next(), isGathered: try row.next(), noticeKind: try row.next(), address: try row.next(),
      deviceLabel: try row.next(), detail: try row.next(), occurredAt: try row.next(), timeZone: try row.next(),
      secondsFromUtc: try row.next())
  }
}

/// Queues a mail to the owner of an account, sent after the commit, with a link to verify the address or to choose a
/// new password.
package struct InsertLinkMail: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deliveries (id, account_id, channel, content, urgency, created_at, due_at)
    values ($1, $2, 'MAIL', $3, 0, $4, $4)
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

/// Has a notification mailed after the commit; the transaction has locked the recipient's inbox.
///
/// A mail that waits gathers it, if there is one for notices of the kind that the same user causes. Otherwise it gets a
/// mail of its own, which waits if there was such a mail a moment ago. A recipient of many mails gets one for all
/// further notices of whatever kind.
package struct QueueNotificationMail: Statement {
  package typealias Row = Void
  package static let sql = """
    with chosen as (
      select
        case when count(*) >= $1 and $2 > 1 then 0
          else hashtextextended($3 || ' ' || $4::uuid::text, 0) end as gathering
      from deliveries
      where account_id = $5 and gathering is not null and urgency > 1 and created_at > $6
    ), waiting as (
      select deliveries.id from deliveries join chosen on chosen.gathering = deliveries.gathering
      where deliveries.account_id = $5 and deliveries.state = 'DUE' and deliveries.attempts = 0
        and deliveries.created_at > $6
      limit 1 for update of deliveries
    ), gathered as (
      insert into gathered_notices (delivery_id, notification_id)
      select id, $7::uuid from waiting
    ), earlier as (
      select max(coalesce(deliveries.settled_at, $8)) as sent_at
      from deliveries join chosen on chosen.gathering = deliveries.gathering
      where deliveries.account_id = $5 and deliveries.created_at > $6
    )
    insert into deliveries
      (id, account_id, channel, content, notification_id, urgency, share, turn, gathering, created_at, due_at)
    select
      $9, $5, 'MAIL', 'NOTIFICATION', $7, $2, hashtextextended($4::text, 0),
      (
      select coalesce(max(waiting.turn) + 1, 0) from deliveries as waiting
      where waiting.channel = 'MAIL' and waiting.share = hashtextextended($4::text, 0) and waiting.state = 'DUE'
    ), chosen.gathering, $8,
      greatest(
        $8,
        earlier.sent_at + make_interval(
          secs => case chosen.gathering
            when 0 then $10::double precision else $11::double precision end
        )
      )
    from chosen cross join earlier
    where not exists (select from waiting)
    """
  /// From so many recent mails on the notices of all kinds are gathered.
  package let maxRecent: Int64
  package let urgency: DeliveryUrgency
  package let kind: NotificationKind
  /// Who caused the notification; the recipient where that is not another user.
  package let causeID: UserID
  package let userID: UserID
  /// Mails of this moment and before are not counted.
  package let recentAfter: Instant
  package let notificationID: NotificationID
  package let now: Instant
  package let deliveryID: DeliveryID
  /// Between two mails for notices of all kinds.
  package let pauseOfAllSeconds: Double
  /// Between two mails for the same notices.
  package let pauseSeconds: Double

  package init(
    maxRecent: Int64, urgency: DeliveryUrgency, kind: NotificationKind, causeID: UserID, userID: UserID,
    recentAfter: Instant, notificationID: NotificationID, now: Instant, deliveryID: DeliveryID,
    pauseOfAllSeconds: Double, pauseSeconds: Double) {
    self.maxRecent = maxRecent
    self.urgency = urgency
    self.kind = kind
    self.causeID = causeID
    self.userID = userID
    self.recentAfter = recentAfter
    self.notificationID = notificationID
    self.now = now
    self.deliveryID = deliveryID
    self.pauseOfAllSeconds = pauseOfAllSeconds
    self.pauseSeconds = pauseSeconds
  }

  package func bind(_ p: inout Parameters) {
    p.append(maxRecent)
    p.append(urgency)
    p.append(kind)
    p.append(causeID)
    p.append(userID)
    p.append(recentAfter)
    p.append(notificationID)
    p.append(now)
    p.append(deliveryID)
    p.append(pauseOfAllSeconds)
    p.append(pauseSeconds)
  }
}

/// Queues pushes of a notification to some devices, sent after the commit.
package struct InsertPushes: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deliveries
      (id, account_id, channel, content, notification_id, device_id, urgency, share, turn, created_at, due_at)
    select
      push.id, $1, 'PUSH', 'NOTIFICATION', $2, push.device_id, $3,
      hashtextextended($4::uuid::text, 0), (
      select coalesce(max(waiting.turn) + 1, 0) from deliveries as waiting
      where waiting.channel = 'PUSH' and waiting.share = hashtextextended($4::uuid::text, 0) and waiting.state = 'DUE'
    ), $5, $5
    from unnest($6::uuid [], $7::uuid []) as push (id, device_id)
    """
  package let userID: UserID
  package let notificationID: NotificationID
  package let urgency: DeliveryUrgency
  /// Who caused the notification; the recipient where that is not another user.
  package let causeID: UserID
  package let now: Instant
  /// One for each device.
  package let deliveryIDs: [DeliveryID]
  package let deviceIDs: [DeviceID]

  package init(
    userID: UserID, notificationID: NotificationID, urgency: DeliveryUrgency, causeID: UserID, now: Instant,
    deliveryIDs: [DeliveryID], deviceIDs: [DeviceID]) {
    self.userID = userID
    self.notificationID = notificationID
    self.urgency = urgency
    self.causeID = causeID
    self.now = now
    self.deliveryIDs = deliveryIDs
    self.deviceIDs = deviceIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(notificationID)
    p.append(urgency)
    p.append(causeID)
    p.append(now)
    p.append(deliveryIDs)
    p.append(deviceIDs)
  }
}

/// The first of the notifications that a mail tells of beside its own, the oldest first, and how many there are.
package struct GatheredNotices: Statement {
  package struct Row: Sendable {
    package let notification: StoredNotification
    package let total: Int32
  }

  package static let sql = """
    select notifications.id, notifications.sequence, notifications.kind, notifications.title, notifications.body,
    notifications.subject, notifications.created_at, notifications.read_at, named.username, count(*) over ()::integer as total
    from gathered_notices join notifications on notifications.id = gathered_notices.notification_id
    left join accounts as named on named.id = notifications.named_user_id and (
      not exists (
      select from blocks where (blocker_id = named.id and blocked_id = notifications.account_id)
        or (blocker_id = notifications.account_id and blocked_id = named.id)
    ) or exists (
      select from group_members as own join group_members as theirs on theirs.group_id = own.group_id
      where own.account_id = notifications.account_id and theirs.account_id = named.id
    )
    )
    where gathered_notices.delivery_id = $1
    order by notifications.sequence limit $2
    """
  package let deliveryID: DeliveryID
  package let limit: Int64

  package init(deliveryID: DeliveryID, limit: Int64) {
    self.deliveryID = deliveryID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(deliveryID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(notification: try StoredNotification(NotificationColumns.decode(row)), total: try row.next())
  }
}

/// Takes deliveries that are due on a channel, so that no other replica takes them before their next attempt: the most
/// urgent first, and of these each user's first before the second of any.
///
/// The wait until then doubles from a minute to an hour; a delivery whose sender died waits for as long. The minute is
/// longer than sending all deliveries that are taken together, so that no other replica takes one before its sender has
/// given up. An outage of a mail server is rarely over sooner than in an hour, and a user does not wait for a mail much
/// longer.
///
/// Deliveries that may have been sent twice already, or are a day old, are not taken: see ``GiveUpDeliveries``. Of the
/// mails with links to one address the oldest is taken, with which TakeEmailChangesWith takes the others in the same
/// transaction.
package struct TakeDueDeliveries: Statement {
  package typealias Row = DueDelivery
  package static let sql = """
    with due as (
      select id from deliveries
      where channel = $1 and state = 'DUE' and due_at <= $2 and possible_sends < 2 and created_at > $3
        and urgency <= $4
        and (
          email_change_id is null
          or not exists (
            select from email_changes as own
            join email_changes as change on change.new_email_key = own.new_email_key
            join deliveries as older on older.email_change_id = change.id
            where own.id = deliveries.email_change_id and older.state = 'DUE' and older.due_at <= $2
              and older.possible_sends < 2 and older.created_at > $3
              and (older.created_at, older.id) < (deliveries.created_at, deliveries.id)
          )
        )
      order by urgency, turn, due_at limit $5 for update skip locked
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
    exists (select from gathered_notices where gathered_notices.delivery_id = taken.id) as is_gathered,
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
  /// Less urgent ones are left to other senders.
  package let leastUrgent: DeliveryUrgency
  package let limit: Int64

  package init(
    channel: DeliveryChannel, now: Instant, createdAfter: Instant, leastUrgent: DeliveryUrgency, limit: Int64) {
    self.channel = channel
    self.now = now
    self.createdAfter = createdAfter
    self.leastUrgent = leastUrgent
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(channel)
    p.append(now)
    p.append(createdAfter)
    p.append(leastUrgent)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try DueDelivery(DueDeliveryColumns.decode(row))
  }
}

/// Takes the mails with links that are due to the same address as one that was taken: they go as one ([ID-15]).
package struct TakeEmailChangesWith: Statement {
  package typealias Row = DueDelivery
  package static let sql = """
    with due as (
      select deliveries.id
      from deliveries join email_changes as change on change.id = deliveries.email_change_id
      where deliveries.content = 'EMAIL_CHANGE' and deliveries.state = 'DUE' and deliveries.due_at <= $1
        and deliveries.possible_sends < 2 and deliveries.created_at > $2
        and change.confirmed_at is null and change.new_email_key = (
          select one.new_email_key from email_changes as one where one.id = $3
        )
      order by deliveries.created_at limit $4 for update of deliveries skip locked
    ), taken as (
      update deliveries set
      attempts = attempts + 1, possible_sends = possible_sends + 1,
      due_at = $1 + make_interval(secs => least(60 * 2 ^ least(attempts, 10), 3600))
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
    exists (select from gathered_notices where gathered_notices.delivery_id = taken.id) as is_gathered,
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
  package let now: Instant
  package let createdAfter: Instant
  package let emailChangeID: EmailChangeID
  package let limit: Int64

  package init(now: Instant, createdAfter: Instant, emailChangeID: EmailChangeID, limit: Int64) {
    self.now = now
    self.createdAfter = createdAfter
    self.emailChangeID = emailChangeID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(createdAfter)
    p.append(emailChangeID)
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

/// Removes some pushes to an account that were settled: an account that is deleted may have had more of them than one
/// statement has time for ([C-9]).
package struct DeleteSettledPushesOf: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from deliveries where id in (
      select id from deliveries
      where account_id = $1 and channel = 'PUSH' and settled_at is not null
      limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
