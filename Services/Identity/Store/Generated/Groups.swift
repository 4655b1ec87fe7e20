// Made from groups.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

package struct StoredGroup: Sendable, Equatable, RowDecodable {
  package let id: GroupID
  package let name: String
  package let memberCount: Int16
  package let revision: Int64
  package let createdAt: Instant

  package init(id: GroupID, name: String, memberCount: Int16, revision: Int64, createdAt: Instant) {
    self.id = id
    self.name = name
    self.memberCount = memberCount
    self.revision = revision
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredGroup {
    StoredGroup(
      id: try row.next(), name: try row.next(), memberCount: try row.next(), revision: try row.next(),
      createdAt: try row.next())
  }
}

/// A member of a group.
package struct StoredMember: Sendable, RowDecodable {
  package let membershipID: MembershipID
  package let userID: UserID
  package let username: String
  package let joinedAt: Instant

  package init(membershipID: MembershipID, userID: UserID, username: String, joinedAt: Instant) {
    self.membershipID = membershipID
    self.userID = userID
    self.username = username
    self.joinedAt = joinedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredMember {
    StoredMember(
      membershipID: try row.next(), userID: try row.next(), username: try row.next(), joinedAt: try row.next())
  }
}

/// Adds a group with its first member ([ID-40]).
package struct InsertGroup: SingleRowStatement {
  package typealias Row = StoredGroup
  package static let sql = """
    with made as (
      insert into groups (id, name, member_count, created_at) values ($1, $2, 1, $3)
      returning id, name, member_count, revision, created_at
    ), joined as (
      insert into group_members (group_id, account_id, id, joined_at) select id, $4, $5, $3 from made
    )
    select groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from made as groups
    """
  package let groupID: GroupID
  package let name: String
  package let now: Instant
  package let userID: UserID
  package let membershipID: MembershipID

  package init(groupID: GroupID, name: String, now: Instant, userID: UserID, membershipID: MembershipID) {
    self.groupID = groupID
    self.name = name
    self.now = now
    self.userID = userID
    self.membershipID = membershipID
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(name)
    p.append(now)
    p.append(userID)
    p.append(membershipID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredGroup.decode(row)
  }
}

/// Selects a group and locks it until the transaction ends: meanwhile no user joins, leaves or renames it.
///
/// Members must be read by a later statement: one statement would see the members from before it waited for the lock.
package struct LockGroup: SingleRowStatement {
  package typealias Row = StoredGroup
  package static let sql = """
    select groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from groups where id = $1 for update
    """
  package let groupID: GroupID

  package init(groupID: GroupID) {
    self.groupID = groupID
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredGroup.decode(row)
  }
}

/// Selects a user's membership of a group; returns no row when they are not a member.
package struct MembershipOf: SingleRowStatement {
  package typealias Row = MembershipID
  package static let sql = """
    select id from group_members where account_id = $1 and group_id = $2
    """
  package let userID: UserID
  package let groupID: GroupID

  package init(userID: UserID, groupID: GroupID) {
    self.userID = userID
    self.groupID = groupID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(groupID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts the groups that a user is in.
package struct CountGroups: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    select count(*)::integer as groups from group_members where account_id = $1
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

/// Selects the user with a verified address, unless they have blocked the inviter ([C-10]).
///
/// A block by the inviter makes no difference here: it would tell them which of the users they can see has the address
/// ([ID-23]). The invitation is hidden from its invitee instead.
package struct UserToInvite: SingleRowStatement {
  package struct Row: Sendable {
    package let knownUser: KnownUser
    /// Whether the inviter has blocked the user.
    package let isHidden: Bool
  }

  package static let sql = """
    select accounts.id, accounts.username, exists (
      select from blocks where blocker_id = $1 and blocked_id = accounts.id
    ) as is_hidden
    from accounts
    where email_key = $2 and verified_at is not null
      and not exists (select from blocks where blocker_id = accounts.id and blocked_id = $1)
    """
  package let inviterID: UserID
  package let emailKey: String

  package init(inviterID: UserID, emailKey: String) {
    self.inviterID = inviterID
    self.emailKey = emailKey
  }

  package func bind(_ p: inout Parameters) {
    p.append(inviterID)
    p.append(emailKey)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(knownUser: try KnownUser.decode(row), isHidden: try row.next())
  }
}

/// Adds a user to a group that the transaction has locked; they must not be a member.
package struct InsertMember: Statement {
  package typealias Row = Void
  package static let sql = """
    with joined as (
      insert into group_members (group_id, account_id, id, joined_at, invitation_id)
      values ($1, $2, $3, $4, $5)
      returning group_id
    )
    update groups set member_count = member_count + 1 from joined where groups.id = joined.group_id
    """
  package let groupID: GroupID
  package let userID: UserID
  package let membershipID: MembershipID
  package let now: Instant
  package let invitationID: InvitationID

  package init(groupID: GroupID, userID: UserID, membershipID: MembershipID, now: Instant, invitationID: InvitationID) {
    self.groupID = groupID
    self.userID = userID
    self.membershipID = membershipID
    self.now = now
    self.invitationID = invitationID
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(userID)
    p.append(membershipID)
    p.append(now)
    p.append(invitationID)
  }
}

/// Removes a member, who is not the last one, from a group that the transaction has locked.
package struct DeleteMember: Statement {
  package typealias Row = Void
  package static let sql = """
    with gone as (delete from group_members where id = $1 returning group_id)
    update groups set member_count = member_count - 1 from gone where groups.id = gone.group_id
    """
  package let membershipID: MembershipID

  package init(membershipID: MembershipID) {
    self.membershipID = membershipID
  }

  package func bind(_ p: inout Parameters) {
    p.append(membershipID)
  }
}

/// Removes a group that the transaction has locked, with its last member.
package struct DeleteGroup: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from groups where id = $1
    """
  package let groupID: GroupID

  package init(groupID: GroupID) {
    self.groupID = groupID
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
  }
}

/// Renames a group that the transaction has locked, and increments its revision.
package struct RenameGroup: SingleRowStatement {
  package typealias Row = StoredGroup
  package static let sql = """
    update groups set name = $1, revision = revision + 1 where id = $2 returning groups.id, groups.name, groups.member_count, groups.revision, groups.created_at
    """
  package let name: String
  package let groupID: GroupID

  package init(name: String, groupID: GroupID) {
    self.name = name
    self.groupID = groupID
  }

  package func bind(_ p: inout Parameters) {
    p.append(name)
    p.append(groupID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredGroup.decode(row)
  }
}

/// Selects a group for one of its members.
package struct GroupForMember: SingleRowStatement {
  package typealias Row = StoredGroup
  package static let sql = """
    select groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from groups
    join group_members on group_members.group_id = groups.id
    where groups.id = $1 and group_members.account_id = $2
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
    try StoredGroup.decode(row)
  }
}

/// Selects a page of the groups that a user is in, the oldest first ([C-5]); all of them without a limit.
package struct GroupsOf: Statement {
  package typealias Row = StoredGroup
  package static let sql = """
    select groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from group_members
    join groups on groups.id = group_members.group_id
    where group_members.account_id = $1 and ($2::uuid is null or group_members.group_id > $2)
    order by group_members.group_id limit $3
    """
  package let userID: UserID
  /// The last group of the previous page.
  package let after: GroupID?
  package let limit: Int64?

  package init(userID: UserID, after: GroupID?, limit: Int64?) {
    self.userID = userID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredGroup.decode(row)
  }
}

/// Selects a page of a group's members, the longest membership first ([C-5]); returns no row if the viewer is neither a
/// member nor invited. Whom a block is between and an invited viewer is left out ([C-10]).
package struct MembersAfter: Statement {
  package typealias Row = StoredMember
  package static let sql = """
    select member.id as membership_id, accounts.id as user_id, accounts.username, member.joined_at
    from group_members as member join accounts on accounts.id = member.account_id
    where member.group_id = $1 and ($2::uuid is null or member.id > $2)
      and (
      exists (select from group_members as own where own.group_id = $1 and own.account_id = $3)
      or exists (
        select from group_invitations as invitation
        where invitation.group_id = $1 and invitation.invitee_id = $3 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $4 and not exists (
      select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
    )
      )
    )
      and (
        not exists (
      select from blocks where (blocker_id = $3 and blocked_id = member.account_id)
        or (blocker_id = member.account_id and blocked_id = $3)
    )
        or exists (select from group_members as own where own.group_id = $1 and own.account_id = $3)
      )
    order by member.id limit $5
    """
  package let groupID: GroupID
  /// The last member of the previous page.
  package let after: MembershipID?
  package let viewerID: UserID
  package let lapsedBefore: Instant
  package let limit: Int64

  package init(groupID: GroupID, after: MembershipID?, viewerID: UserID, lapsedBefore: Instant, limit: Int64) {
    self.groupID = groupID
    self.after = after
    self.viewerID = viewerID
    self.lapsedBefore = lapsedBefore
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(after)
    p.append(viewerID)
    p.append(lapsedBefore)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredMember.decode(row)
  }
}

/// Whether a user is a member of a group, or has an open invitation to it.
package struct SeesMembers: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select (
      exists (select from group_members as own where own.group_id = $1 and own.account_id = $2)
      or exists (
        select from group_invitations as invitation
        where invitation.group_id = $1 and invitation.invitee_id = $2 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3 and not exists (
      select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
    )
      )
    ) as sees_members
    """
  package let groupID: GroupID
  package let viewerID: UserID
  package let lapsedBefore: Instant

  package init(groupID: GroupID, viewerID: UserID, lapsedBefore: Instant) {
    self.groupID = groupID
    self.viewerID = viewerID
    self.lapsedBefore = lapsedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(viewerID)
    p.append(lapsedBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects those of some users who have a group in common with a user, and whom no block is between ([ID-44], [C-10]).
package struct FriendsAmong: Statement {
  package typealias Row = UserID
  package static let sql = """
    select distinct mate.account_id as user_id
    from group_members as mine join group_members as mate on mate.group_id = mine.group_id
    where mine.account_id = $1 and mate.account_id = any($2::uuid[]) and mate.account_id <> $1
      and not exists (
      select from blocks where (blocker_id = mate.account_id and blocked_id = $1)
        or (blocker_id = $1 and blocked_id = mate.account_id)
    )
    """
  package let userID: UserID
  package let others: [UserID]

  package init(userID: UserID, others: [UserID]) {
    self.userID = userID
    self.others = others
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(others)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects a page of the memberships of all groups, in the order of the ids of group and user ([C-5]).
package struct MembershipsAfter: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let name: String
    package let userID: UserID
    package let membershipID: MembershipID
    package let joinedAt: Instant
  }

  package static let pace = Pace.slow
  package static let sql = """
    select member.group_id, groups.name, member.account_id as user_id, member.id as membership_id, member.joined_at
    from group_members as member join groups on groups.id = member.group_id
    where $1::uuid is null
      or (member.group_id, member.account_id) > ($1, $2::uuid)
    order by member.group_id, member.account_id
    limit $3
    """
  /// The group of the last membership of the previous page; `nil` for the first page.
  package let afterGroupID: GroupID?
  /// Its user.
  package let afterUserID: UserID?
  package let limit: Int64

  package init(afterGroupID: GroupID?, afterUserID: UserID?, limit: Int64) {
    self.afterGroupID = afterGroupID
    self.afterUserID = afterUserID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(afterGroupID)
    p.append(afterUserID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      groupID: try row.next(), name: try row.next(), userID: try row.next(), membershipID: try row.next(),
      joinedAt: try row.next())
  }
}
