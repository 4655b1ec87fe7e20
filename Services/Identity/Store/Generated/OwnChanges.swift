// Made from own_changes.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// What changed in a user's profile, groups and their members since a place in the order of transactions ([C-11]). Nothing
/// is read from the oldest transaction on that is still open: what it changes comes later.
package struct OwnChanges: Statement {
  package struct Row: Sendable {
    /// The transaction of the change, as events number it.
    package let transaction: Int64
    /// 0 for the profile, 1 for a group, 2 for a member.
    package let kind: Int32
    /// All zeros for the profile.
    package let groupID: GroupID
    /// All zeros for the profile and for a group.
    package let memberID: UserID
    /// Whether it exists, or the user is still in the group.
    package let present: Bool
    package let groupName: String?
    package let memberCount: Int16?
    package let revision: Int64?
    package let createdAt: Instant?
    package let username: String?
    package let joinedAt: Instant?
  }

  package static let pace = Pace.slow
  package static let sql = """
    with nobody as (
      select '00000000-0000-0000-0000-000000000000'::uuid as id
    ), known as (
      select
        greatest(
          profiles.changed_in,
          (select badges.changed_in from badges where badges.account_id = $1 order by changed_in desc limit 1)
        ) as changed_in,
        0 as kind, nobody.id as group_id, nobody.id as member_id, true as present
      from profiles cross join nobody
      where profiles.account_id = $1
      union all
      select greatest(groups.changed_in, mine.changed_in), 1, groups.id, nobody.id, true
      from group_members as mine join groups on groups.id = mine.group_id cross join nobody
      where mine.account_id = $1
      union all
      select left_group.changed_in, 1, left_group.group_id, nobody.id, false
      from former_members as left_group cross join nobody
      where left_group.account_id = $1 and not exists (
        select from group_members as mine
        where mine.group_id = left_group.group_id and mine.account_id = left_group.account_id
      )
      union all
      select greatest(member.changed_in, mine.changed_in), 2, member.group_id, member.account_id, true
      from group_members as mine join group_members as member on member.group_id = mine.group_id
      where mine.account_id = $1
      union all
      select former.changed_in, 2, former.group_id, former.account_id, false
      from group_members as mine join former_members as former on former.group_id = mine.group_id
      where mine.account_id = $1 and not exists (
        select from group_members as member
        where member.group_id = former.group_id and member.account_id = former.account_id
      )
    ), page as (
      select known.changed_in, known.kind, known.group_id, known.member_id, known.present
      from known cross join event_log
      where (known.changed_in, known.kind, known.group_id, known.member_id)
        > (($2::bigint)::text::xid8, $3::integer, $4::uuid, $5::uuid)
        and known.changed_in < (event_log.transaction_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8
      order by known.changed_in, known.kind, known.group_id, known.member_id
      limit $6
    )
    select
      page.changed_in::text::bigint as transaction, page.kind as kind, page.group_id as group_id,
      page.member_id as member_id, page.present as present,
      groups.name as group_name, groups.member_count, groups.revision, groups.created_at,
      accounts.username, member.joined_at
    from page
    left join groups on page.kind = 1 and page.present and groups.id = page.group_id
    left join group_members as member
      on page.kind = 2 and page.present and member.group_id = page.group_id and member.account_id = page.member_id
    left join accounts on accounts.id = member.account_id
    order by page.changed_in, page.kind, page.group_id, page.member_id
    """
  package let userID: UserID
  package let afterTransaction: Int64
  package let afterKind: Int32
  package let afterGroupID: GroupID
  package let afterMemberID: UserID
  package let limit: Int64

  package init(
    userID: UserID, afterTransaction: Int64, afterKind: Int32, afterGroupID: GroupID, afterMemberID: UserID,
    limit: Int64) {
    self.userID = userID
    self.afterTransaction = afterTransaction
    self.afterKind = afterKind
    self.afterGroupID = afterGroupID
    self.afterMemberID = afterMemberID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(afterTransaction)
    p.append(afterKind)
    p.append(afterGroupID)
    p.append(afterMemberID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      transaction: try row.next(), kind: try row.next(), groupID: try row.next(), memberID: try row.next(),
      present: try row.next(), groupName: try row.next(), memberCount: try row.next(), revision: try row.next(),
      createdAt: try row.next(), username: try row.next(), joinedAt: try row.next())
  }
}

/// The epoch of the numbers of transactions: another one begins where the database is restored.
package struct NumberingEpoch: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select transaction_offset as epoch from event_log
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A user's own profile.
package struct OwnProfile: SingleRowStatement {
  package typealias Row = StoredProfile
  package static let sql = """
    select accounts.id as user_id, accounts.username, accounts.email, gender, date_of_birth, level, interests, strengths,
    time_zone, phone, contact_visibility, revision, created_at, updated_at, day_of_badge($1, time_zone) as today,
    array(
      select badges.kind from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_kinds, array(
      select badges.awarded_at from badges where badges.account_id = accounts.id order by awarded_at desc, kind
    ) as badge_times,
    (select pictures.id from pictures where pictures.holder_id = accounts.id) as picture_id from profiles join accounts on accounts.id = profiles.account_id
    where profiles.account_id = $2
    """
  package let now: Instant
  package let userID: UserID

  package init(now: Instant, userID: UserID) {
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredProfile(ProfileColumns.decode(row))
  }
}

/// Makes a profile one that changed, where only its picture did; a trigger stores the transaction.
package struct TouchProfile: Statement {
  package typealias Row = Void
  package static let sql = """
    update profiles set changed_in = changed_in where account_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes former members of whom every valid token knows.
package struct DeleteOldFormerMembers: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from former_members where (group_id, account_id) in (
      select group_id, account_id from former_members where ended_at <= $1 limit $2 for update skip locked
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
