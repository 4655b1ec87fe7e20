import Expiry
import IdentityDomain
import Identifiers
import Postgres

package enum DeliveryChannel: String, Sendable {
  case mail = "MAIL"
  case push = "PUSH"
}

/// The content of a delivery.
package enum DeliveryContent: String, Sendable {
  case emailVerification = "EMAIL_VERIFICATION"
  case passwordReset = "PASSWORD_RESET"
  case notification = "NOTIFICATION"
}

/// A delivery that is due, with all data for its mail or push.
package struct DueDelivery: RowDecodable {
  package let id: DeliveryID
  package let userID: UserID
  /// The number of this attempt, from 1.
  package let attempt: Int32
  package let content: DeliveryContent
  package let email: String
  package let username: String
  package let isVerified: Bool
  /// `nil` for other contents.
  package let notification: StoredNotification?
  /// `nil` for mail.
  package let device: DeviceToReach?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> DueDelivery {
    let (id, userID, attempt): (DeliveryID, UserID, Int32) = (try row.next(), try row.next(), try row.next())
    let name: String = try row.next()
    guard let content = DeliveryContent(rawValue: name) else { throw ColumnError("\(name) is not delivered") }
    let (email, username, isVerified): (String, String, Bool) = (try row.next(), try row.next(), try row.next())
    let device: (id: DeviceID?, platform: String) = (try row.next(), try row.next())
    let token: (hash: [UInt8]?, plain: String?, sealed: [UInt8]?) = (try row.next(), try row.next(), try row.next())
    let told: (id: NotificationID?, sequence: Int64, createdAt: Instant?) = (
      try row.next(), try row.next(), try row.next()
    )
    let words: (kind: String, title: String, body: String, subject: String) = (
      try row.next(), try row.next(), try row.next(), try row.next()
    )
    var notification: StoredNotification?
    if let id = told.id, let createdAt = told.createdAt {
      notification = StoredNotification(
        id: id, sequence: told.sequence, kind: words.kind, title: words.title, body: words.body, subject: words.subject,
        createdAt: createdAt, readAt: nil)
    }
    return DueDelivery(
      id: id, userID: userID, attempt: attempt, content: content, email: email, username: username,
      isVerified: isVerified, notification: notification,
      device: device.id.map {
        DeviceToReach(
          id: $0, platform: device.platform, tokenHash: token.hash ?? [], plain: token.plain, sealed: token.sealed)
      })
  }
}

/// A device to push to, with its token as stored.
package struct DeviceToReach: Sendable {
  package let id: DeviceID
  package let platform: String
  package let tokenHash: [UInt8]
  /// The plain token of a device that was registered before tokens were sealed.
  package let plain: String?
  package let sealed: [UInt8]?
}

/// Takes deliveries that are due on a channel, so that no other replica takes them before their next attempt.
///
/// The wait until then doubles from ``firstWait`` to ``maxWait``; a delivery whose sender died waits for as long.
/// Deliveries that may have been sent twice already, or are a day old, are not taken: see ``GiveUpDeliveries``.
package struct TakeDueDeliveries: Statement {
  package typealias Row = DueDelivery
  /// In seconds. Longer than sending all deliveries that are taken together, so that no other replica takes one before
  /// its sender has given up.
  package static let firstWait = 60
  /// In seconds. An outage of a mail server is rarely over sooner, and a user does not wait for a mail much longer.
  package static let maxWait = 3_600

  package static let sql = """
    with due as (
      select id from deliveries
      where channel = $1 and state = 'DUE' and due_at <= $2 and possible_sends < 2 and created_at > $4
      order by due_at limit $3 for update skip locked
    ), taken as (
      update deliveries set
        attempts = attempts + 1, possible_sends = possible_sends + 1,
        due_at = $2 + make_interval(secs => least(\(firstWait) * 2 ^ least(attempts, 10), \(maxWait)))
      from due where deliveries.id = due.id
      returning deliveries.id, account_id, attempts, content, notification_id, device_id
    )
    select
      taken.id, taken.account_id, taken.attempts, taken.content, accounts.email, accounts.username,
      accounts.verified_at is not null, device.id, coalesce(device.platform, ''), device.token_hash, device.token,
      device.sealed_token,
      notification.id, coalesce(notification.sequence, 0), notification.created_at, coalesce(notification.kind, ''),
      coalesce(notification.title, ''), coalesce(notification.body, ''), coalesce(notification.subject, '')
    from taken
    join accounts on accounts.id = taken.account_id
    left join devices as device on device.id = taken.device_id
    left join notifications as notification on notification.id = taken.notification_id
    """
  let channel: DeliveryChannel
  let now: Instant
  let limit: Int64

  package init(_ channel: DeliveryChannel, now: Instant, limit: Int) {
    self.channel = channel
    self.now = now
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(channel.rawValue)
    p.append(now)
    p.append(limit)
    p.append(now - Lifetimes.delivery)
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
    update deliveries set state = case when possible_sends = 2 then 'UNSURE' else 'EXPIRED' end, settled_at = $2
    where id in (
      select id from deliveries
      where channel = $1 and state = 'DUE' and due_at <= $2 and (possible_sends = 2 or created_at <= $3)
      limit $4 for update skip locked
    )
    returning id, state, last_failure
    """
  let channel: DeliveryChannel
  let now: Instant
  let limit: Int64

  package init(_ channel: DeliveryChannel, now: Instant, limit: Int) {
    self.channel = channel
    self.now = now
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(channel.rawValue)
    p.append(now)
    p.append(now - Lifetimes.delivery)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), state: try row.next(), lastFailure: try row.next())
  }
}

/// The final state of a delivery.
package enum SettledState: String, Sendable {
  case sent = "SENT"
  case refused = "REFUSED"
  case obsolete = "MOOT"
}

/// Records the outcome of a delivery, even if another replica has taken it since.
package struct SettleDelivery: Statement {
  package typealias Row = Void
  package static let sql = """
    update deliveries set state = $2, settled_at = $3, last_failure = left($4, 500) where id = $1 and state = 'DUE'
    """
  let id: DeliveryID
  let state: SettledState
  let reason: String?
  let now: Instant

  package init(_ id: DeliveryID, _ state: SettledState, because reason: String?, now: Instant) {
    self.id = id
    self.state = state
    self.reason = reason
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(state.rawValue)
    p.append(now)
    p.append(reason)
  }
}

/// Records why an attempt failed; the delivery stays due for its next attempt. Has no effect when another replica has
/// taken it since.
package struct PostponeDelivery: Statement {
  /// What is known about a failed attempt.
  package enum Trace: Sendable {
    /// Nothing was sent.
    case nothingSent
    /// It may have been sent.
    case perhapsSent
  }

  package typealias Row = Void
  package static let sql = """
    update deliveries set
      last_failure = left($3, 500), possible_sends = possible_sends - $4, due_at = greatest(due_at, $5)
    where id = $1 and attempts = $2 and state = 'DUE'
    """
  let id: DeliveryID
  let attempt: Int32
  let reason: String
  let trace: Trace
  let notBefore: Instant

  /// - Parameter notBefore: the earliest time of the next attempt, which otherwise is at its ordinary time.
  package init(_ id: DeliveryID, attempt: Int32, because reason: String, _ trace: Trace, notBefore: Instant) {
    self.id = id
    self.attempt = attempt
    self.reason = reason
    self.trace = trace
    self.notBefore = notBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(attempt)
    p.append(reason)
    p.append(Int16(trace == .nothingSent ? 1 : 0))
    p.append(notBefore)
  }
}

/// Removes deliveries that were settled a month ago.
package struct DeleteSettledDeliveries: ExpiryStatement {
  package static let kept = Lifetimes.settledDelivery
  package static let sql = """
    delete from deliveries where id in (
      select id from deliveries where settled_at <= $1 limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}
