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

/// What is stored of a user, as it is counted when it is stored; comments are counted now. No row for a user who never stored anything.
package struct StorageOfUser: SingleRowStatement {
  package struct Row: Sendable {
    package let books: Int32
    package let workouts: Int32
    package let workoutLogs: Int32
    package let ratings: Int32
    package let comments: Int64
  }

  package static let sql = """
    select
      books, workouts, workout_logs, ratings,
      (select count(*) from comments where author_id = $1) as comments
    from users where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      books: try row.next(), workouts: try row.next(), workoutLogs: try row.next(), ratings: try row.next(),
      comments: try row.next())
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

/// Has what is stored of a user be removed in parts ([C-9]); no user sees it from then on.
package struct BeginErasure: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into erasures (user_id) values ($1) on conflict on constraint erasures_pkey do nothing
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Locks a user of whom something may be left, by chance, so that none waits for ever behind one whose removal fails.
package struct DueErasure: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from erasures order by random() limit 1 for update skip locked
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of a user's comments.
package struct EraseComments: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from comments where id in (select id from comments where author_id = $1 limit $2)
    returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of the comments on a user's books, before the books.
package struct EraseCommentsOnBooks: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from comments where id in (
      select comment.id from books as book join comments as comment on comment.book_id = book.id
      where book.owner_id = $1 limit $2
    ) returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of a user's books, with their photographs and links.
package struct EraseBooks: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from books where id in (select id from books where owner_id = $1 limit $2) returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of a user's logs, with their sets.
package struct EraseWorkoutLogs: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from workout_logs where id in (select id from workout_logs where owner_id = $1 limit $2)
    returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Forgets some of the logs that a user has deleted.
package struct EraseDeletedWorkoutLogs: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from deleted_workout_logs where (owner_id, change) in (
      select owner_id, change from deleted_workout_logs where owner_id = $1 limit $2
    ) returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of a user's workouts, with their entries and links.
package struct EraseWorkouts: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from workouts where id in (select id from workouts where owner_id = $1 limit $2)
    returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of a user's past loans.
package struct ErasePastLoans: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from past_loans where ctid in (select ctid from past_loans where borrower_id = $1 limit $2)
    returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of a user's ratings.
package struct EraseRatings: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from book_ratings where (user_id, isbn) in (
      select user_id, isbn from book_ratings where user_id = $1 limit $2
    ) returning true as erased
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Nothing is left of a user.
package struct EndErasure: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from erasures where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
