// Made from users.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import LendingDomain
import Postgres

/// Whether a user may write; takes a shared lock on the user's row, so that no account deletion is stored until the transaction ends. No
/// row for an unknown user.
package struct EnteredUser: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select not deleted as may_write from users where id = $1 for share
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

/// Lets the requests of a user wait for each other until the transaction ends, so that none is made beyond the bound; it is taken before
/// every other lock.
package struct LockRequestsOfUser: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select true as locked from pg_advisory_xact_lock(hashtextextended('requests of ' || $1::uuid, 0))
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

/// Creates the row of an unknown user.
package struct EnterUser: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id) values ($1) on conflict on constraint users_pkey do nothing
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Creates the rows of unknown users.
package struct EnterUsers: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id) select distinct id from unnest($1::uuid[]) as named (id) order by id
    on conflict on constraint users_pkey do nothing
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }
}

/// Takes shared locks on the rows of users, in the order of their ids, before books are locked.
package struct ShareUsers: Statement {
  package typealias Row = Void
  package static let sql = """
    select from users where id = any($1::uuid[]) order by id for share
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }
}

/// Stores a username if none is known.
package struct IntroduceUser: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id, username) values ($1, $2)
    on conflict on constraint users_pkey do update set username = excluded.username
    where not users.deleted and users.username = ''
    """
  package let userID: UserID
  package let username: String

  package init(userID: UserID, username: String) {
    self.userID = userID
    self.username = username
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(username)
  }
}

/// Marks a user's account as deleted ([C-9]). Only the id stays, with the mark that requests and loans must be cleaned up.
package struct MarkAccountDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id, deleted, cleaned_up) values ($1, true, false)
    on conflict on constraint users_pkey do update set username = '', deleted = true, cleaned_up = false
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// A user who deleted the account and is not cleaned up yet, by chance, so that none waits for ever behind one whose
/// cleanup fails; no row if there is none. The user's row is locked, before those of books.
package struct UserToCleanUp: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from users where not cleaned_up order by random() limit 1 for update
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Marks the cleanup of a user who deleted the account as finished.
package struct MarkCleanedUp: Statement {
  package typealias Row = Void
  package static let sql = """
    update users set cleaned_up = true where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
