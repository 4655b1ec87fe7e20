import IdentityDomain
import Identifiers
import Postgres

package struct StoredGroup: RowDecodable, Equatable {
  package let id: GroupID
  package let name: String
  package let memberCount: Int16
  package let revision: Int64
  package let createdAt: Instant

  static let columns = "groups.id, groups.name, groups.member_count, groups.revision, groups.created_at"

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredGroup {
    StoredGroup(
      id: try row.next(), name: try row.next(), memberCount: try row.next(), revision: try row.next(),
      createdAt: try row.next())
  }
}

/// A member of a group.
package struct StoredMember: Sendable {
  package let membership: MembershipID
  package let user: KnownUser
  package let joinedAt: Instant

  package init(membership: MembershipID, user: KnownUser, joinedAt: Instant) {
    self.membership = membership
    self.user = user
    self.joinedAt = joinedAt
  }
}

/// Adds a group with its first member ([ID-40]).
package struct InsertGroup: Statement {
  package typealias Row = StoredGroup
  package static let sql = """
    with made as (
      insert into groups (id, name, member_count, created_at) values ($1, $2, 1, $5)
      returning \(StoredGroup.columns)
    ), joined as (
      insert into group_members (group_id, account_id, id, joined_at) select id, $3, $4, $5 from made
    )
    select * from made
    """
  let id: GroupID
  let name: GroupName
  let creator: UserID
  let membership: MembershipID
  let now: Instant

  package init(id: GroupID, _ name: GroupName, by creator: UserID, _ membership: MembershipID, now: Instant) {
    self.id = id
    self.name = name
    self.creator = creator
    self.membership = membership
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(name.text)
    p.append(creator)
    p.append(membership)
    p.append(now)
  }
}

/// Selects a group and locks it until the transaction ends: meanwhile no user joins, leaves or renames it.
///
/// Members must be read by a later statement: one statement would see the members from before it waited for the lock.
package struct LockGroup: Statement {
  package typealias Row = StoredGroup
  package static let sql = "select \(StoredGroup.columns) from groups where id = $1 for update"
  let id: GroupID

  package init(_ id: GroupID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// Selects a user's membership of a group; returns no row when they are not a member.
package struct MembershipOf: Statement {
  package typealias Row = MembershipID
  package static let sql = "select id from group_members where account_id = $1 and group_id = $2"
  let userID: UserID
  let groupID: GroupID

  package init(_ userID: UserID, in groupID: GroupID) {
    self.userID = userID
    self.groupID = groupID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(groupID)
  }
}

/// Counts the groups that a user is in.
package struct CountGroups: Statement {
  package typealias Row = Int32
  package static let sql = "select count(*)::integer from group_members where account_id = $1"
  let userID: UserID

  package init(of userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Selects the user with a verified address, unless one of the two has blocked the other ([C-10]).
package struct VisibleUserByEmail: Statement {
  package typealias Row = KnownUser
  package static let sql = """
    select id, username from accounts
    where email_key = $1 and verified_at is not null and \(Visibility.sql("accounts.id", "$2"))
    """
  let email: EmailAddress
  let viewer: UserID

  package init(_ email: EmailAddress, to viewer: UserID) {
    self.email = email
    self.viewer = viewer
  }

  package func bind(_ p: inout Parameters) {
    p.append(email.key)
    p.append(viewer)
  }
}

/// Adds a user to a group that the transaction has locked; they must not be a member.
package struct InsertMember: Statement {
  package typealias Row = Void
  package static let sql = """
    with joined as (
      insert into group_members (group_id, account_id, id, joined_at) values ($1, $2, $3, $4) returning group_id
    )
    update groups set member_count = member_count + 1 from joined where groups.id = joined.group_id
    """
  let groupID: GroupID
  let userID: UserID
  let membership: MembershipID
  let now: Instant

  package init(_ userID: UserID, to groupID: GroupID, _ membership: MembershipID, now: Instant) {
    self.groupID = groupID
    self.userID = userID
    self.membership = membership
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(userID)
    p.append(membership)
    p.append(now)
  }
}

/// Removes a member, who is not the last one, from a group that the transaction has locked.
package struct DeleteMember: Statement {
  package typealias Row = Void
  package static let sql = """
    with gone as (delete from group_members where id = $1 returning group_id)
    update groups set member_count = member_count - 1 from gone where groups.id = gone.group_id
    """
  let membership: MembershipID

  package init(_ membership: MembershipID) { self.membership = membership }

  package func bind(_ p: inout Parameters) { p.append(membership) }
}

/// Removes a group that the transaction has locked, with its last member.
package struct DeleteGroup: Statement {
  package typealias Row = Void
  package static let sql = "delete from groups where id = $1"
  let id: GroupID

  package init(_ id: GroupID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// Renames a group that the transaction has locked, and increments its revision.
package struct RenameGroup: Statement {
  package typealias Row = StoredGroup
  package static let sql = """
    update groups set name = $2, revision = revision + 1 where id = $1 returning \(StoredGroup.columns)
    """
  let id: GroupID
  let name: GroupName

  package init(_ id: GroupID, _ name: GroupName) {
    self.id = id
    self.name = name
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(name.text)
  }
}

/// Selects a group for one of its members.
package struct GroupForMember: Statement {
  package typealias Row = StoredGroup
  package static let sql = """
    select \(StoredGroup.columns) from groups
    join group_members on group_members.group_id = groups.id
    where groups.id = $1 and group_members.account_id = $2
    """
  let id: GroupID
  let member: UserID

  package init(_ id: GroupID, for member: UserID) {
    self.id = id
    self.member = member
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(member)
  }
}

/// Selects a page of the groups that a user is in, the oldest first ([C-5]); all of them without a limit.
package struct GroupsOf: Statement {
  package typealias Row = StoredGroup
  package static let sql = """
    select \(StoredGroup.columns) from group_members
    join groups on groups.id = group_members.group_id
    where group_members.account_id = $1 and ($2::uuid is null or group_members.group_id > $2)
    order by group_members.group_id limit $3
    """
  let member: UserID
  let after: GroupID?
  let limit: Int64?

  package init(_ member: UserID, after: GroupID? = nil, limit: Int64? = nil) {
    self.member = member
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(member)
    p.append(after)
    p.append(limit)
  }
}

/// Selects a page of a group's members, the longest membership first ([C-5]); returns no row if the viewer is not a
/// member.
package struct MembersAfter: Statement {
  package static let sql = """
    select member.id, accounts.id, accounts.username, member.joined_at
    from group_members as member join accounts on accounts.id = member.account_id
    where member.group_id = $1 and ($3::uuid is null or member.id > $3)
      and exists (select from group_members as own where own.group_id = $1 and own.account_id = $2)
    order by member.id limit $4
    """
  let groupID: GroupID
  let viewer: UserID
  let after: MembershipID?
  let limit: Int64

  package init(of groupID: GroupID, for viewer: UserID, after: MembershipID?, limit: Int64) {
    self.groupID = groupID
    self.viewer = viewer
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(viewer)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredMember {
    StoredMember(membership: try row.next(), user: try KnownUser.decode(row), joinedAt: try row.next())
  }
}
