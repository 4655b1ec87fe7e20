import AccountDeletions
import Events
import Identifiers
import LendingDomain
import Postgres

/// Whether a user may write, whose row the transaction then shares a lock on: no departure is noted until it ends. No row for somebody of
/// whom nothing is known.
package struct EnteredUser: Statement {
  package typealias Row = Bool
  package static let sql = "select not departed from people where id = $1 for share"
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Makes the row of a user of whom nothing is known.
package struct EnterUser: Statement {
  package typealias Row = Void
  package static let sql = "insert into people (id) values ($1) on conflict on constraint people_pkey do nothing"
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Keeps a username where none is known.
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

/// Notes that a user left ([C-9]). Only the id stays, and that it is to be settled what was open.
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

/// Somebody who left and of whom something may be open or kept; no row when there is nobody.
package struct UnsettledUser: Statement {
  package typealias Row = UserID
  package static let sql = "select id from people where not settled order by id limit 1"

  package init() {}
}

/// Notes that nothing is open or kept of somebody who left.
package struct MarkSettled: Statement {
  package typealias Row = Void
  package static let sql = "update people set settled = true where id = $1"
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
