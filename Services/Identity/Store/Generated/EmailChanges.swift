// Made from email_changes.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A change of an account's address ([ID-15]).
package struct StoredEmailChange: Sendable, RowDecodable {
  package let emailChangeID: EmailChangeID
  package let userID: UserID
  package let oldEmail: String
  package let oldEmailKey: String
  package let newEmail: String
  package let newEmailKey: String
  package let requestedAt: Instant
  /// `nil` while it waits for its confirmation.
  package let confirmedAt: Instant?
  /// When it, or one before it, was undone.
  package let undoneAt: Instant?

  package init(
    emailChangeID: EmailChangeID, userID: UserID, oldEmail: String, oldEmailKey: String, newEmail: String,
    newEmailKey: String, requestedAt: Instant, confirmedAt: Instant?, undoneAt: Instant?) {
    self.emailChangeID = emailChangeID
    self.userID = userID
    self.oldEmail = oldEmail
    self.oldEmailKey = oldEmailKey
    self.newEmail = newEmail
    self.newEmailKey = newEmailKey
    self.requestedAt = requestedAt
    self.confirmedAt = confirmedAt
    self.undoneAt = undoneAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredEmailChange {
    StoredEmailChange(
      emailChangeID: try row.next(), userID: try row.next(), oldEmail: try row.next(), oldEmailKey: try row.next(),
      newEmail: try row.next(), newEmailKey: try row.next(), requestedAt: try row.next(), confirmedAt: try row.next(),
      undoneAt: try row.next())
  }
}

/// Removes the change of an account that waits for its confirmation, with its mail: the last request counts.
package struct DropPendingEmailChange: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from email_changes where account_id = $1 and confirmed_at is null
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes a change that a session requested and that waits for its confirmation.
package struct DropEmailChangeOfSession: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from email_changes where account_id = $1 and confirmed_at is null and session_id = $2
    """
  package let userID: UserID
  package let sessionID: SessionID

  package init(userID: UserID, sessionID: SessionID) {
    self.userID = userID
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(sessionID)
  }
}

/// Adds a change that waits for its confirmation, and queues the mail to the new address.
package struct InsertEmailChange: Statement {
  package typealias Row = Void
  package static let sql = """
    with change as (
      insert into email_changes
        (id, account_id, session_id, old_email, old_email_key, new_email, new_email_key, requested_at, expires_at)
      select $1, id, $2, email, email_key, $3, $4, $5, $6
      from accounts where id = $7
      returning id, account_id, new_email
    )
    insert into deliveries (id, account_id, channel, content, recipient, email_change_id, urgency, created_at, due_at)
    select $8, account_id, 'MAIL', 'EMAIL_CHANGE', new_email, id, 0, $5, $9 from change
    """
  package let emailChangeID: EmailChangeID
  package let sessionID: SessionID
  package let newEmail: String
  package let newEmailKey: String
  package let now: Instant
  package let expiresAt: Instant
  package let userID: UserID
  package let deliveryID: DeliveryID
  /// When the mail may be sent.
  package let mailDueAt: Instant

  package init(
    emailChangeID: EmailChangeID, sessionID: SessionID, newEmail: String, newEmailKey: String, now: Instant,
    expiresAt: Instant, userID: UserID, deliveryID: DeliveryID, mailDueAt: Instant) {
    self.emailChangeID = emailChangeID
    self.sessionID = sessionID
    self.newEmail = newEmail
    self.newEmailKey = newEmailKey
    self.now = now
    self.expiresAt = expiresAt
    self.userID = userID
    self.deliveryID = deliveryID
    self.mailDueAt = mailDueAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailChangeID)
    p.append(sessionID)
    p.append(newEmail)
    p.append(newEmailKey)
    p.append(now)
    p.append(expiresAt)
    p.append(userID)
    p.append(deliveryID)
    p.append(mailDueAt)
  }
}

/// Whether an address belongs to another user who has verified it, or is reserved for one ([ID-15]). An unverified
/// registration does not count: it keeps no address from a user who proves it ([ID-17]).
package struct EmailIsTaken: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select
      exists (select from accounts where email_key = $1 and id <> $2 and verified_at is not null) or exists (
        select from email_reservations where email_key = $1 and account_id <> $2 and expires_at > $3
      ) as is_taken
    """
  package let emailKey: String
  package let userID: UserID
  package let now: Instant

  package init(emailKey: String, userID: UserID, now: Instant) {
    self.emailKey = emailKey
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailKey)
    p.append(userID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Adds a token by its hash, for the mail that confirms or undoes a change; no row if there is nothing to confirm or to
/// undo any more.
package struct InsertEmailChangeToken: SingleRowStatement {
  package typealias Row = EmailChangeID
  package static let sql = """
    insert into email_change_tokens (token_hash, email_change_id, purpose, created_at)
    select $1, id, $2, $3 from email_changes
    where id = $4 and expires_at > $3 and undone_at is null and (confirmed_at is null) = ($2 = 'CONFIRM')
    for share
    returning email_change_id
    """
  package let tokenHash: [UInt8]
  package let purpose: EmailChangePurpose
  package let now: Instant
  package let emailChangeID: EmailChangeID

  package init(tokenHash: [UInt8], purpose: EmailChangePurpose, now: Instant, emailChangeID: EmailChangeID) {
    self.tokenHash = tokenHash
    self.purpose = purpose
    self.now = now
    self.emailChangeID = emailChangeID
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(purpose)
    p.append(now)
    p.append(emailChangeID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The change that a token confirms or undoes.
package struct EmailChangeByToken: SingleRowStatement {
  package typealias Row = StoredEmailChange
  package static let sql = """
    select change.id as email_change_id, change.account_id as user_id, change.old_email, change.old_email_key, change.new_email,
    change.new_email_key, change.requested_at, change.confirmed_at, change.undone_at
    from email_change_tokens as token join email_changes as change on change.id = token.email_change_id
    where token.token_hash = $1 and token.purpose = $2
    """
  package let tokenHash: [UInt8]
  package let purpose: EmailChangePurpose

  package init(tokenHash: [UInt8], purpose: EmailChangePurpose) {
    self.tokenHash = tokenHash
    self.purpose = purpose
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(purpose)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredEmailChange.decode(row)
  }
}

/// A change, which is locked, so that it is confirmed and undone once; no row if a newer one replaced it.
package struct LockedEmailChange: SingleRowStatement {
  package typealias Row = StoredEmailChange
  package static let sql = """
    select change.id as email_change_id, change.account_id as user_id, change.old_email, change.old_email_key, change.new_email,
    change.new_email_key, change.requested_at, change.confirmed_at, change.undone_at from email_changes as change where change.id = $1 for update
    """
  package let emailChangeID: EmailChangeID

  package init(emailChangeID: EmailChangeID) {
    self.emailChangeID = emailChangeID
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailChangeID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredEmailChange.decode(row)
  }
}

/// Frees an address held by an account that was never verified, or by a lapsed reservation: the caller has proved it
/// ([ID-17]).
package struct FreeUnprovedEmail: Statement {
  package typealias Row = Void
  package static let sql = """
    with unreserved as (delete from email_reservations where email_key = $1 and expires_at <= $2)
    delete from accounts where id in (
      select id from accounts where email_key = $1 and id <> $3 and verified_at is null for update
    )
    """
  package let emailKey: String
  package let now: Instant
  package let userID: UserID

  package init(emailKey: String, now: Instant, userID: UserID) {
    self.emailKey = emailKey
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(emailKey)
    p.append(now)
    p.append(userID)
  }
}

/// Gives an account a new address, removes a reservation that the account had for it and its unused reset tokens, and
/// increments the profile's revision.
///
/// Fails with one of the ``EmailConstraints`` when the address is taken. Waits for concurrent transactions that take it.
package struct ReplaceEmail: Statement {
  package typealias Row = Void
  package static let sql = """
    with changed as (update accounts set email = $1, email_key = $2 where id = $3),
      unreserved as (delete from email_reservations where email_key = $2 and account_id = $3),
      moot as (delete from password_resets where account_id = $3 and used_at is null)
    update profiles set revision = revision + 1, updated_at = $4 where account_id = $3
    """
  package let email: String
  package let emailKey: String
  package let userID: UserID
  package let now: Instant

  package init(email: String, emailKey: String, userID: UserID, now: Instant) {
    self.email = email
    self.emailKey = emailKey
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(email)
    p.append(emailKey)
    p.append(userID)
    p.append(now)
  }
}

/// Records that a change has taken effect, and reserves the old address while it can be undone.
package struct NoteEmailChangeConfirmed: Statement {
  package typealias Row = Void
  package static let sql = """
    with change as (
      update email_changes set confirmed_at = $1, expires_at = $2 where id = $3
      returning account_id, old_email_key
    )
    insert into email_reservations (email_key, account_id, expires_at)
    select old_email_key, account_id, $2 from change
    on conflict on constraint email_reservations_pkey do update set expires_at = excluded.expires_at
    """
  package let now: Instant
  package let expiresAt: Instant
  package let emailChangeID: EmailChangeID

  package init(now: Instant, expiresAt: Instant, emailChangeID: EmailChangeID) {
    self.now = now
    self.expiresAt = expiresAt
    self.emailChangeID = emailChangeID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(expiresAt)
    p.append(emailChangeID)
  }
}

/// Records that there is nothing to undo any more of the changes by which an account lost an address that it has again.
package struct VoidEmailChangesFrom: Statement {
  package typealias Row = Void
  package static let sql = """
    update email_changes set undone_at = $1
    where account_id = $2 and old_email_key = $3 and confirmed_at is not null and undone_at is null
    """
  package let now: Instant
  package let userID: UserID
  package let emailKey: String

  package init(now: Instant, userID: UserID, emailKey: String) {
    self.now = now
    self.userID = userID
    self.emailKey = emailKey
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
    p.append(emailKey)
  }
}

/// Records that a change and all later ones of the account are undone, and lets go of the addresses that it had in
/// between.
package struct UndoEmailChanges: Statement {
  package typealias Row = Void
  package static let sql = """
    with undone as (
      update email_changes set undone_at = $1 where account_id = $2 and confirmed_at is not null
    and (requested_at, id) >= (select first.requested_at, first.id from email_changes as first where first.id = $3) and undone_at is null
    )
    delete from email_reservations
    where email_reservations.account_id = $2
      and email_key in (select old_email_key from email_changes where account_id = $2 and confirmed_at is not null
    and (requested_at, id) >= (select first.requested_at, first.id from email_changes as first where first.id = $3))
    """
  package let now: Instant
  package let userID: UserID
  package let emailChangeID: EmailChangeID

  package init(now: Instant, userID: UserID, emailChangeID: EmailChangeID) {
    self.now = now
    self.userID = userID
    self.emailChangeID = emailChangeID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
    p.append(emailChangeID)
  }
}

/// Removes the password, the passkeys, the linked identities and the known devices of an account whose transaction has
/// locked it. Passwords that were checked before are no longer right.
package struct ClearLoginMethods: Statement {
  package typealias Row = Void
  package static let sql = """
    with forgotten as (
      update accounts set password_hash = null, password_revision = password_revision + 1 where id = $1
    ), unpaired as (
      delete from passkeys where account_id = $1
    ), unlinked as (
      delete from federated_identities where account_id = $1
    ), remembered as (
      insert into known_devices (account_id, device_hash, last_login_at) values ($1, $2, $3)
      on conflict on constraint known_devices_pkey do nothing
    )
    delete from known_devices where account_id = $1 and device_hash <> $2
    """
  package let userID: UserID
  /// What stands for devices that are not known.
  package let unknownHash: [UInt8]
  package let now: Instant

  package init(userID: UserID, unknownHash: [UInt8], now: Instant) {
    self.userID = userID
    self.unknownHash = unknownHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(unknownHash)
    p.append(now)
  }
}

/// Removes changes whose link expired a week ago or earlier.
///
/// Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
package struct DeleteExpiredEmailChanges: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from email_changes where id in (
      select id from email_changes where expires_at <= $1 limit $2 for update skip locked
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

/// Removes reservations of addresses that have lapsed.
package struct DeleteLapsedEmailReservations: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from email_reservations where email_key in (
      select email_key from email_reservations where expires_at <= $1 limit $2 for update skip locked
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
