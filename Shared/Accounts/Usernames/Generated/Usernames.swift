// Made from usernames.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Stores usernames, at most one for each user, except of users whose accounts were deleted ([C-9]).
public struct NameUsers: Statement {
  public typealias Row = Void
  public static let sql = """
    insert into users (id, username)
    select id, username from unnest($1::uuid[], $2::text[]) as reported (id, username) order by id
    on conflict on constraint users_pkey do update set username = excluded.username
    where not users.deleted and users.username <> excluded.username
    """
  public let userIDs: [UserID]
  public let usernames: [String]

  public init(userIDs: [UserID], usernames: [String]) {
    self.userIDs = userIDs
    self.usernames = usernames
  }

  public func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(usernames)
  }
}

/// The usernames among some that differ from the stored ones, or are not stored; deleted accounts have none ([C-9]).
struct NewNames: Statement {
  struct Row: Sendable {
    let userID: UserID
    let username: String
  }

  static let pace = Pace.slow
  static let sql = """
    select reported.id as user_id, reported.username as username
    from unnest($1::uuid[], $2::text[]) as reported (id, username)
    left join users on users.id = reported.id
    where users.id is null or (not users.deleted and users.username <> reported.username)
    order by reported.id
    """
  let userIDs: [UserID]
  let usernames: [String]

  init(userIDs: [UserID], usernames: [String]) {
    self.userIDs = userIDs
    self.usernames = usernames
  }

  func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(usernames)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), username: try row.next())
  }
}

/// Creates the rows of unknown users, and locks those of all, in the order of their ids, until the transaction ends: the first lock of a
/// transaction that changes what many users have. A row that is there is locked and not written.
public struct HoldUsers: Statement {
  public typealias Row = Void
  public static let sql = """
    insert into users (id) select distinct id from unnest($1::uuid[]) as named (id) order by id
    on conflict on constraint users_pkey do update set deleted = users.deleted where false
    """
  public let userIDs: [UserID]

  public init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  public func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }
}
