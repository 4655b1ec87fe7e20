import IdentityDomain
import Identifiers
import Postgres

/// An account, locked until the transaction ends: nobody logs in to it meanwhile.
package struct LockedAccount: Statement {
  package struct Row: Sendable {
    package let credentials: Credentials
    /// The address as it is compared.
    package let emailKey: String
  }

  package static let sql = """
    select \(Credentials.columns), email_key from accounts where id = $1 for update
    """
  let id: UserID

  package init(_ id: UserID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(credentials: try Credentials.decode(row), emailKey: try row.next())
  }
}

/// Removes an account with all that is its owner's: profile, sessions and mail by their foreign keys, answers that were kept and, by the
/// address's hash, the note of when a mail was asked for ([ID-13]). That somebody with this id has left is noted ([C-9]).
package struct DeleteAccountRow: Statement {
  package typealias Row = Void
  // The answer of the very call that deletes stays: it names nobody, and a call that raced with it is given it.
  package static let sql = """
    with gone as (delete from accounts where id = $1),
      noted as (
        insert into departures (account_id, deleted_at) values ($1, $5)
        on conflict on constraint departures_pkey do nothing
      ),
      forgotten as (delete from verification_requests where email_hash = $2)
    delete from replays where caller = $3 and method <> $4
    """
  let id: UserID
  let emailHash: [UInt8]
  let method: String
  let now: Instant

  /// - Parameter method: the full name of the call that deletes.
  package init(_ id: UserID, emailHash: [UInt8], by method: String, now: Instant) {
    self.id = id
    self.now = now
    self.emailHash = emailHash
    self.method = method
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(emailHash)
    p.append(id.description)
    p.append(method)
    p.append(now)
  }
}

/// Those of some ids whose accounts were deleted by their owners.
package struct DepartedAccounts: Statement {
  package typealias Row = UserID
  // Of an account that is there nobody has left, whatever became of this database.
  package static let sql = """
    select account_id from departures
    where account_id = any($1) and not exists (select from accounts where id = departures.account_id)
    """
  let ids: [UserID]

  package init(of ids: [UserID]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }
}

/// The credentials of an account.
package struct CredentialsByID: Statement {
  package typealias Row = Credentials
  package static let sql = "select \(Credentials.columns) from accounts where id = $1"
  let id: UserID

  package init(_ id: UserID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}
