import IdentityDomain
import Identifiers
import Postgres

/// Selects an account and locks it until the transaction ends, so that no login takes place meanwhile.
package struct LockedAccount: Statement {
  package struct Row: Sendable {
    package let credentials: Credentials
    /// The address in the form in which addresses are compared.
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

/// Deletes an account with all data of its owner: profile, sessions and mail by their foreign keys, stored responses
/// and, by the address's hash, the record of a requested mail ([ID-13]). Records that the user with this id has been
/// deleted ([C-9]).
package struct DeleteAccountRow: Statement {
  package typealias Row = Void
  // The response of the deleting call itself is kept: it contains no personal data, and a concurrent repetition of the
  // call returns it.
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

  /// - Parameter method: the full name of the deleting method.
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

/// Selects those of some ids whose accounts were deleted.
package struct DepartedAccounts: Statement {
  package typealias Row = UserID
  // An account that exists does not count as deleted, for example after a restore of the database.
  package static let sql = """
    select account_id from departures
    where account_id = any($1) and not exists (select from accounts where id = departures.account_id)
    """
  let ids: [UserID]

  package init(of ids: [UserID]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }
}

/// Selects the credentials of an account.
package struct CredentialsByID: Statement {
  package typealias Row = Credentials
  package static let sql = "select \(Credentials.columns) from accounts where id = $1"
  let id: UserID

  package init(_ id: UserID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}
