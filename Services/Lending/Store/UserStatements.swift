import AccountDeletions
import Events
import Identifiers
import LendingDomain
import Postgres

/// Whether a user may write; takes a shared lock on the user's row, so that no account deletion is stored until the transaction ends. No
/// row for an unknown user.
package struct EnteredUser: Statement {
  package typealias Row = Bool
  package static let sql = "select not departed from people where id = $1 for share"
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Creates the row of an unknown user.
package struct EnterUser: Statement {
  package typealias Row = Void
  package static let sql = "insert into people (id) values ($1) on conflict on constraint people_pkey do nothing"
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Stores a username if none is known.
package struct IntroduceUser: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into people (id, username) values ($1, $2)
    on conflict on constraint people_pkey do update set username = excluded.username
    where not people.departed and people.username = ''
    """
  let user: UserID
  let username: String

  package init(_ user: UserID, username: String) {
    self.user = user
    self.username = username
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(username)
  }
}

/// Marks a user's account as deleted ([C-9]). Only the id stays, with the mark that requests and loans must be cleaned up.
package struct NoteDeparture: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = """
    insert into people (id, departed, settled) values ($1, true, false)
    on conflict on constraint people_pkey do update set username = '', departed = true, settled = false
    """
  package static let users = """
    select id from people where not departed
    union all select owner_id from books
    union all select borrower_id from loans
    """
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// A user who deleted the account and is not cleaned up yet; no row if there is none.
package struct UnsettledUser: Statement {
  package typealias Row = UserID
  package static let sql = "select id from people where not settled order by id limit 1"

  package init() {}
}

/// Marks the cleanup of a user who deleted the account as finished.
package struct MarkSettled: Statement {
  package typealias Row = Void
  package static let sql = "update people set settled = true where id = $1"
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
