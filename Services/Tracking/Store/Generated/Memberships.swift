// Made from memberships.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Stores the names of some groups, each once.
package struct PutGroups: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into groups (id, name)
    select id, name from unnest($1::uuid[], $2::text[]) as reported (id, name) order by id
    on conflict on constraint groups_pkey do update set name = excluded.name, deleted_at = null
    where groups.name <> excluded.name or groups.deleted_at is not null
    """
  package let groupIDs: [GroupID]
  package let names: [String]

  package init(groupIDs: [GroupID], names: [String]) {
    self.groupIDs = groupIDs
    self.names = names
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(names)
  }
}

/// Forgets the names of groups that were deleted ([ID-42]); their rows are removed once nothing of them is stored.
package struct MarkGroupsDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    update groups set name = '', deleted_at = $1 where id = any($2::uuid[])
    """
  package let now: Instant
  package let groupIDs: [GroupID]

  package init(now: Instant, groupIDs: [GroupID]) {
    self.now = now
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(groupIDs)
  }
}

/// The same for all groups without members, after a resync: a group is deleted with its last member.
package struct MarkMemberlessGroupsDeleted: Statement {
  package typealias Row = Void
  package static let pace = Pace.slow
  package static let sql = """
    update groups set name = '', deleted_at = $1
    where deleted_at is null and not exists (select from memberships where memberships.group_id = groups.id)
    """
  package let now: Instant

  package init(now: Instant) {
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
  }
}

/// Removes deleted groups without members.
package struct DeleteGroups: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from groups where id in (
      select id from groups
      where deleted_at <= $1 and not exists (select from memberships where memberships.group_id = groups.id)
      limit $2
      for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Creates the rows of unknown groups.
package struct EnterGroups: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into groups (id) select distinct id from unnest($1::uuid[]) as named (id) order by id
    on conflict on constraint groups_pkey do nothing
    """
  package let groupIDs: [GroupID]

  package init(groupIDs: [GroupID]) {
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
  }
}

/// Stores memberships of groups that have rows, each pair once; returns those that are new. Deleted accounts have none ([C-9]).
package struct AddMemberships: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let userID: UserID
  }

  package static let sql = """
    with reported as (
      select group_id, user_id, membership_id, joined_at
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
        as reported (group_id, user_id, membership_id, joined_at)
    ), present as (
      insert into users (id) select distinct user_id from reported order by user_id
      on conflict on constraint users_pkey do update set deleted = users.deleted where not users.deleted
      returning id
    ), hidden as (
      delete from journey_groups using memberships, reported, trackers
      where memberships.group_id = reported.group_id and memberships.user_id = reported.user_id
        and memberships.membership_id <> reported.membership_id and trackers.user_id = reported.user_id
        and journey_groups.journey_id = trackers.journey_id and journey_groups.group_id = reported.group_id
    ), renewed as (
      delete from place_groups using memberships, reported
      where memberships.group_id = reported.group_id and memberships.user_id = reported.user_id
        and memberships.membership_id <> reported.membership_id
        and place_groups.group_id = memberships.group_id and place_groups.user_id = memberships.user_id
    )
    insert into memberships (group_id, user_id, membership_id, joined_at)
    select reported.group_id, reported.user_id, reported.membership_id, reported.joined_at
    from reported inner join present on present.id = reported.user_id
    order by reported.group_id, reported.user_id
    on conflict on constraint memberships_pkey do update
    set
      membership_id = excluded.membership_id, joined_at = excluded.joined_at, state = 'INACTIVE', warnings = 0,
      shared_since = null, last_latitude = null, last_longitude = null, last_accuracy_m = null, last_altitude_m = null,
      last_speed_mps = null, last_course = null, last_recorded_at = null, last_kept_at = null, withheld_since = null
    where memberships.membership_id <> excluded.membership_id
    returning group_id, user_id
    """
  package let groupIDs: [GroupID]
  package let userIDs: [UserID]
  package let membershipIDs: [MembershipID]
  package let joinedAts: [Instant]

  package init(groupIDs: [GroupID], userIDs: [UserID], membershipIDs: [MembershipID], joinedAts: [Instant]) {
    self.groupIDs = groupIDs
    self.userIDs = userIDs
    self.membershipIDs = membershipIDs
    self.joinedAts = joinedAts
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(userIDs)
    p.append(membershipIDs)
    p.append(joinedAts)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), userID: try row.next())
  }
}

/// Removes memberships by their ids; returns those that were there.
package struct RemoveMemberships: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let userID: UserID
  }

  package static let sql = """
    with ended as materialized (
      select group_id, user_id from memberships
      where (group_id, user_id, membership_id)
        in (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]))
      order by group_id, user_id for update
    ), hidden as (
      delete from journey_groups using ended, trackers
      where trackers.user_id = ended.user_id and journey_groups.journey_id = trackers.journey_id
        and journey_groups.group_id = ended.group_id
    )
    delete from memberships using ended
    where memberships.group_id = ended.group_id and memberships.user_id = ended.user_id
    returning memberships.group_id, memberships.user_id
    """
  package let groupIDs: [GroupID]
  package let userIDs: [UserID]
  package let membershipIDs: [MembershipID]

  package init(groupIDs: [GroupID], userIDs: [UserID], membershipIDs: [MembershipID]) {
    self.groupIDs = groupIDs
    self.userIDs = userIDs
    self.membershipIDs = membershipIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(userIDs)
    p.append(membershipIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), userID: try row.next())
  }
}

/// Removes all memberships but some, after a resync.
package struct RemoveOtherMemberships: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let userID: UserID
  }

  package static let pace = Pace.slow
  package static let sql = """
    with ended as materialized (
      select group_id, user_id from memberships where membership_id <> all($1::uuid[])
      order by group_id, user_id for update
    ), hidden as (
      delete from journey_groups using ended, trackers
      where trackers.user_id = ended.user_id and journey_groups.journey_id = trackers.journey_id
        and journey_groups.group_id = ended.group_id
    )
    delete from memberships using ended
    where memberships.group_id = ended.group_id and memberships.user_id = ended.user_id
    returning memberships.group_id, memberships.user_id
    """
  package let membershipIDs: [MembershipID]

  package init(membershipIDs: [MembershipID]) {
    self.membershipIDs = membershipIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(membershipIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), userID: try row.next())
  }
}

/// A user's membership of a group: the proof that the user may see it ([TR-12]).
package struct MembershipOf: SingleRowStatement {
  package struct Row: Sendable {
    package let membershipID: MembershipID
    package let joinedAt: Instant
  }

  package static let sql = """
    select membership_id, joined_at from memberships where group_id = $1 and user_id = $2
    """
  package let groupID: GroupID
  package let userID: UserID

  package init(groupID: GroupID, userID: UserID) {
    self.groupID = groupID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(membershipID: try row.next(), joinedAt: try row.next())
  }
}

/// Those of some groups that a user is a member of.
package struct MembershipsIn: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let membershipID: MembershipID
    package let joinedAt: Instant
  }

  package static let sql = """
    select group_id, membership_id, joined_at from memberships
    where user_id = $1 and group_id = any($2::uuid[])
    order by group_id
    """
  package let userID: UserID
  package let groupIDs: [GroupID]

  package init(userID: UserID, groupIDs: [GroupID]) {
    self.userID = userID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(groupIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), membershipID: try row.next(), joinedAt: try row.next())
  }
}

/// The groups of some users.
package struct GroupsOfUsers: Statement {
  package typealias Row = GroupID
  package static let sql = """
    select distinct group_id from memberships where user_id = any($1) order by group_id
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Those of some pairs of group and user that are memberships now.
package struct MembersAmong: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let userID: UserID
  }

  package static let sql = """
    select memberships.group_id, memberships.user_id
    from unnest($1::uuid[], $2::uuid[]) as pair (group_id, user_id)
    join memberships on memberships.group_id = pair.group_id and memberships.user_id = pair.user_id
    """
  package let groupIDs: [GroupID]
  package let userIDs: [UserID]

  package init(groupIDs: [GroupID], userIDs: [UserID]) {
    self.groupIDs = groupIDs
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), userID: try row.next())
  }
}
