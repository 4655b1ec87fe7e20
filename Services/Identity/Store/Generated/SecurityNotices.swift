// Made from security_notices.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// Queues a mail that tells the owner of an account what happened to it, sent after the commit to the address that the
/// account has now, or to a given one ([ID-16]).
package struct InsertSecurityNotice: Statement {
  package typealias Row = Void
  package static let sql = """
    with mail as (
      insert into deliveries (id, account_id, channel, content, recipient, email_change_id, urgency, created_at, due_at)
      select
        $1, id, 'MAIL', 'SECURITY_NOTICE', coalesce($2::text, email), $3, 0, $4, $4
      from accounts where id = $5
      returning id
    )
    insert into security_notices (delivery_id, kind, address, device_label, detail, occurred_at)
    select
      id, $6, left($7, 100),
      coalesce((select device_label from sessions where sessions.id = $8), ''), left($9, 320), $4
    from mail
    """
  package let deliveryID: DeliveryID
  /// `nil` for the account's address.
  package let recipient: String?
  /// The change that a link in the mail undoes; `nil` for no link.
  package let emailChangeID: EmailChangeID?
  package let now: Instant
  package let userID: UserID
  package let kind: SecurityNoticeKind
  package let address: String
  /// The session that did it; `nil` for none.
  package let sessionID: SessionID?
  package let detail: String

  package init(
    deliveryID: DeliveryID, recipient: String?, emailChangeID: EmailChangeID?, now: Instant, userID: UserID,
    kind: SecurityNoticeKind, address: String, sessionID: SessionID?, detail: String) {
    self.deliveryID = deliveryID
    self.recipient = recipient
    self.emailChangeID = emailChangeID
    self.now = now
    self.userID = userID
    self.kind = kind
    self.address = address
    self.sessionID = sessionID
    self.detail = detail
  }

  package func bind(_ p: inout Parameters) {
    p.append(deliveryID)
    p.append(recipient)
    p.append(emailChangeID)
    p.append(now)
    p.append(userID)
    p.append(kind)
    p.append(address)
    p.append(sessionID)
    p.append(detail)
  }
}

/// Records a login from a device, and returns whether it was not known while others were ([ID-16]).
package struct NoteDevice: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    with known as (
      select exists (select from known_devices where account_id = $1) as has_any
    ), noted as (
      insert into known_devices as device (account_id, device_hash, last_login_at)
      values ($1, $2, $3)
      on conflict on constraint known_devices_pkey do update set last_login_at = excluded.last_login_at
      returning device.xmax = 0 as is_new
    )
    select noted.is_new and known.has_any as is_unknown from noted cross join known
    """
  package let userID: UserID
  /// SHA-256 of what the device is recognised by.
  package let deviceHash: [UInt8]
  package let now: Instant

  package init(userID: UserID, deviceHash: [UInt8], now: Instant) {
    self.userID = userID
    self.deviceHash = deviceHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(deviceHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes the known devices of an account beyond those that were logged in from last.
package struct DropSurplusKnownDevices: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from known_devices where account_id = $1 and device_hash in (
      select device_hash from known_devices where account_id = $1 and device_hash <> $2
      order by last_login_at desc, device_hash offset $3
    )
    """
  package let userID: UserID
  package let unknownHash: [UInt8]
  package let kept: Int64

  package init(userID: UserID, unknownHash: [UInt8], kept: Int64) {
    self.userID = userID
    self.unknownHash = unknownHash
    self.kept = kept
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(unknownHash)
    p.append(kept)
  }
}
