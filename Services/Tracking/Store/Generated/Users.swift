// Made from users.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Marks a user's account as deleted ([C-9]); nothing of the user is stored from then on.
package struct MarkAccountDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into users (id, deleted) values ($1, true)
    on conflict on constraint users_pkey do update set username = '', deleted = true
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
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

/// Whether a user may store something; takes a shared lock on the user's row, so that no account deletion is stored until the transaction
/// ends. No row for an unknown user.
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

/// Has the journeys and alerts of a user with their paths, and the positions in the logs of groups, be removed in parts ([C-9]): no user sees the
/// journeys from then on, and views begin anew behind the end of a membership.
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

/// Locks some users of whom something may be left, by chance, so that none waits for ever behind one whose removal fails.
package struct DueErasures: Statement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from erasures order by random() limit $1 for update skip locked
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some of a user's paths.
package struct ErasePathPoints: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from path_points where (user_id, recorded_at) in (
      select user_id, recorded_at from path_points where user_id = $1 order by recorded_at limit $2
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

/// Removes some of a user's positions, places and journeys from what changed in groups; the numbers stay.
package struct EraseGroupChanges: Statement {
  package typealias Row = Bool
  package static let sql = """
    update group_changes
    set latitude = null, longitude = null, accuracy_m = null, altitude_m = null, speed_mps = null, course = null,
      recorded_at = null, journey_id = null, promised_at = null, estimated_at = null, place_name = null,
      kind = case when place_name is null then kind else 'STATE' end
    where (group_id, sequence, changed_at) in (
      select group_id, sequence, changed_at from group_changes
      where user_id = $1
        and num_nonnulls(latitude, place_name, recorded_at, journey_id, promised_at, estimated_at) > 0
      order by changed_at
      limit $2
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

/// Removes some of a user's journeys and alerts, with their links, once no path is left.
package struct EraseJourneys: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from journeys where id in (
      select id from journeys
      where user_id = $1 and not exists (select from path_points where path_points.user_id = $1)
      limit $2
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

/// Nothing is left of some users.
package struct EndErasures: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from erasures where user_id = any($1::uuid[])
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }
}

/// Removes a user's position ([C-9]).
package struct DeleteTrackerOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from trackers where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes a user from all groups ([C-9]). Identity reports the end of each membership, too.
package struct DeleteMembershipsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from memberships where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes a user's places ([C-9]).
package struct DeletePlacesOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from places where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
