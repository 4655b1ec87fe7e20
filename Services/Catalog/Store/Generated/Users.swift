// Made from users.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// Locks the row of a user who is about to store something; no row for a user who has deleted the account.
package struct EnterUser: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    insert into users (id) values ($1)
    on conflict on constraint users_pkey do update set changes = users.changes
    where not users.deleted
    returning id
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks the row of a user who is about to change a book of their own, and returns the number of the change; no row for a user who has
/// deleted the account.
///
/// It comes before every other lock of the transaction.
package struct NextBookChange: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    insert into users (id, books, changes) values ($1, $2, 1)
    on conflict on constraint users_pkey do update
    set books = users.books + $2, changes = users.changes + 1
    where not users.deleted
    returning changes
    """
  package let userID: UserID
  package let effect: CountEffect

  package init(userID: UserID, effect: CountEffect) {
    self.userID = userID
    self.effect = effect
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(effect)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks the row of a user who is about to change a workout of their own, and returns the number of the change; no row for a user who has
/// deleted the account.
///
/// It comes before every other lock of the transaction.
package struct NextWorkoutChange: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    insert into users (id, workouts, workout_changes) values ($1, $2, 1)
    on conflict on constraint users_pkey do update
    set workouts = users.workouts + $2, workout_changes = users.workout_changes + 1
    where not users.deleted
    returning workout_changes
    """
  package let userID: UserID
  package let effect: CountEffect

  package init(userID: UserID, effect: CountEffect) {
    self.userID = userID
    self.effect = effect
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(effect)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A number that another database has, and this one once it was restored: numbers of changes from before may not be in it ([C-11]).
package struct ChangeEpoch: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select transaction_offset from event_log
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The number of the last change of a user's books; no row for a user who never stored anything.
package struct BookChangesOfUser: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select changes from users where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The number of the last change of a user's workouts; no row for a user who never stored anything.
package struct WorkoutChangesOfUser: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select workout_changes from users where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Marks a user's account as deleted, so that no concurrent call stores data of the user afterwards ([C-9]). Only the id stays.
package struct MarkAccountDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id, deleted) values ($1, true)
    on conflict on constraint users_pkey do update
    set username = '', books = 0, workouts = 0, workout_logs = 0, ratings = 0, log_changes = 0, deleted = true
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
