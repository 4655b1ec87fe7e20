import Identifiers
import Postgres

/// What a mail says.
package enum MailKind: String, Sendable {
  case emailVerification = "EMAIL_VERIFICATION"
}

/// Has a mail sent, once the transaction commits.
package struct InsertMail: Statement {
  package typealias Row = Void
  package static let sql = "insert into outgoing_mail (id, account_id, kind, due_at) values ($1, $2, $3, $4)"
  let id: MailID
  let accountID: AccountID
  let kind: MailKind
  let now: Instant

  package init(id: MailID, to accountID: AccountID, _ kind: MailKind, now: Instant) {
    self.id = id
    self.accountID = accountID
    self.kind = kind
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(accountID)
    p.append(kind.rawValue)
    p.append(now)
  }
}

/// Takes some of the mail that is due, so that no other replica takes it before its next attempt is due.
///
/// The wait for that doubles from ``firstWait`` to ``longestWait``: it is also how long mail waits whose sender died.
package struct TakeDueMail: Statement {
  /// A mail to send now.
  package struct Row: Sendable {
    package let id: MailID
    package let accountID: AccountID
    package let kind: MailKind
    /// Which attempt this is, from 1.
    package let attempt: Int32
    package let email: String
    package let username: String
    /// Whether there is still something to verify.
    package let isWanted: Bool
  }

  /// In seconds. Longer than all that is taken together can take to send: then a mail is no other replica's before
  /// its sender has given up.
  package static let firstWait = 60
  /// In seconds. A mail server's outage is rarely over sooner, and nobody waits for a mail much longer.
  package static let longestWait = 3_600

  package static let sql = """
    update outgoing_mail as mail
    set
      attempts = attempts + 1,
      due_at = $1 + make_interval(secs => least(\(firstWait) * 2 ^ attempts, \(longestWait)))
    from accounts
    where accounts.id = mail.account_id and mail.id in (
      select id from outgoing_mail where due_at <= $1 order by due_at limit $2 for update skip locked
    )
    returning
      mail.id, mail.account_id, mail.kind, mail.attempts, accounts.email, accounts.username,
      accounts.verified_at is null
    """
  let now: Instant
  let limit: Int64

  package init(now: Instant, limit: Int) {
    self.now = now
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let (id, accountID, text): (MailID, AccountID, String) = (try row.next(), try row.next(), try row.next())
    guard let kind = MailKind(rawValue: text) else { throw ColumnError("there is no kind of mail called \(text)") }
    return Row(
      id: id, accountID: accountID, kind: kind, attempt: try row.next(), email: try row.next(),
      username: try row.next(), isWanted: try row.next())
  }
}

/// Forgets a mail that was handed over, or that is no longer wanted.
package struct DeleteMail: Statement {
  package typealias Row = Void
  package static let sql = "delete from outgoing_mail where id = $1"
  let id: MailID

  package init(_ id: MailID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// Notes why a mail was not handed over; it stays for its next attempt.
package struct NoteMailFailure: Statement {
  package typealias Row = Void
  package static let sql = "update outgoing_mail set last_failure = left($2, 500) where id = $1"
  let id: MailID
  let reason: String

  package init(_ id: MailID, reason: String) {
    self.id = id
    self.reason = reason
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(reason)
  }
}
