import AccountDeletions
import Events
import Identifiers
import Postgres

/// Locks the row of a user who is about to store something; no row for a user who has deleted the account.
package struct EnterUser: Statement {
  package typealias Row = UserID
  package static let sql = """
    insert into people (id) values ($1)
    on conflict on constraint people_pkey do update set changes = people.changes
    where not people.departed
    returning id
    """
  let user: UserID

  package init(_ user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Marks a user's account as deleted, so that no concurrent call stores data of the user afterwards ([C-9]). Only the id stays.
package struct NoteDeparture: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = """
    insert into people (id, departed) values ($1, true)
    on conflict on constraint people_pkey do update
    set username = '', books = 0, workouts = 0, workout_logs = 0, ratings = 0, departed = true
    """
  package static let users = "select id from people where not departed"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Removes a user's comments ([C-9]).
package struct DeleteCommentsOfUser: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = "delete from comments where author_id = $1"
  package static let users = "select author_id from comments"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Removes a user's books, with the comments of others on them ([C-9]).
package struct DeleteBooksOfUser: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = "delete from books where owner_id = $1"
  package static let users = "select owner_id from books"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// Removes the user as the borrower of books ([C-9]). Their status changes with lending's events.
package struct ForgetBorrower: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = "update books set borrower_id = null where borrower_id = $1"
  package static let users = "select borrower_id from books"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}
