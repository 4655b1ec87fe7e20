// Made from invitations.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// An open invitation.
package struct StoredInvitation: Sendable, Equatable, RowDecodable {
  package let invitationID: InvitationID
  package let inviterID: UserID
  package let inviterUsername: String
  /// The address of the invitee as the inviter wrote it.
  package let email: String
  package let invitedAt: Instant

  package init(
    invitationID: InvitationID, inviterID: UserID, inviterUsername: String, email: String, invitedAt: Instant) {
    self.invitationID = invitationID
    self.inviterID = inviterID
    self.inviterUsername = inviterUsername
    self.email = email
    self.invitedAt = invitedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredInvitation {
    StoredInvitation(
      invitationID: try row.next(), inviterID: try row.next(), inviterUsername: try row.next(), email: try row.next(),
      invitedAt: try row.next())
  }
}

/// Stores an invitation by a member; replaces one that has lapsed, is void, or was declined long enough ago. No row if
/// the user has an open invitation to the group, or has declined one since.
package struct InsertInvitation: SingleRowStatement {
  package typealias Row = InvitationID
  package static let sql = """
    insert into group_invitations as invitation (id, group_id, invitee_id, inviter_id, email, invited_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict on constraint group_invitations_group_invitee_key do update
    set id = excluded.id, inviter_id = excluded.inviter_id, email = excluded.email, invited_at = excluded.invited_at,
      declined_at = null
    where (invitation.declined_at is null and not (invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $7))
      or invitation.declined_at <= $8
    returning invitation.id
    """
  package let invitationID: InvitationID
  package let groupID: GroupID
  package let inviteeID: UserID
  package let inviterID: UserID
  package let email: String
  package let now: Instant
  /// Invitations of this moment and before have lapsed.
  package let lapsedBefore: Instant
  /// Users who declined at this moment or before can be invited again.
  package let declinedBefore: Instant

  package init(
    invitationID: InvitationID, groupID: GroupID, inviteeID: UserID, inviterID: UserID, email: String, now: Instant,
    lapsedBefore: Instant, declinedBefore: Instant) {
    self.invitationID = invitationID
    self.groupID = groupID
    self.inviteeID = inviteeID
    self.inviterID = inviterID
    self.email = email
    self.now = now
    self.lapsedBefore = lapsedBefore
    self.declinedBefore = declinedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(invitationID)
    p.append(groupID)
    p.append(inviteeID)
    p.append(inviterID)
    p.append(email)
    p.append(now)
    p.append(lapsedBefore)
    p.append(declinedBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The facts for a decision about an invitation: of the user and the group, and how many the inviter has open.
package struct InvitationFacts: SingleRowStatement {
  package struct Row: Sendable {
    /// Whether the user is a member of the group.
    package let isMember: Bool
    /// Whether the user has an open invitation to the group.
    package let isInvited: Bool
    /// Whether the user has declined one after `declined_before`.
    package let hasDeclined: Bool
    package let open: Int32
  }

  package static let sql = """
    select
      exists (
        select from group_members
        where group_members.group_id = $1 and group_members.account_id = $2
      ) as is_member,
      exists (
        select from group_invitations as invitation
        where invitation.group_id = $1 and invitation.invitee_id = $2 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3
      ) as is_invited,
      exists (
        select from group_invitations as invitation
        where invitation.group_id = $1 and invitation.invitee_id = $2
          and invitation.declined_at > $4
      ) as has_declined,
      (
        select count(*)::integer from group_invitations as invitation
        where invitation.inviter_id = $5 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3
      ) as open
    """
  package let groupID: GroupID
  package let inviteeID: UserID
  package let lapsedBefore: Instant
  package let declinedBefore: Instant
  package let inviterID: UserID

  package init(groupID: GroupID, inviteeID: UserID, lapsedBefore: Instant, declinedBefore: Instant, inviterID: UserID) {
    self.groupID = groupID
    self.inviteeID = inviteeID
    self.lapsedBefore = lapsedBefore
    self.declinedBefore = declinedBefore
    self.inviterID = inviterID
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(inviteeID)
    p.append(lapsedBefore)
    p.append(declinedBefore)
    p.append(inviterID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(isMember: try row.next(), isInvited: try row.next(), hasDeclined: try row.next(), open: try row.next())
  }
}

/// Selects group and inviter of an open invitation to a user.
package struct InvitationTo: SingleRowStatement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let inviterID: UserID
  }

  package static let sql = """
    select invitation.group_id, invitation.inviter_id as inviter_id from group_invitations as invitation
    where invitation.id = $1 and invitation.invitee_id = $2 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3 and not exists (
      select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
    )
    """
  package let invitationID: InvitationID
  package let userID: UserID
  package let lapsedBefore: Instant

  package init(invitationID: InvitationID, userID: UserID, lapsedBefore: Instant) {
    self.invitationID = invitationID
    self.userID = userID
    self.lapsedBefore = lapsedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(invitationID)
    p.append(userID)
    p.append(lapsedBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), inviterID: try row.next())
  }
}

/// Removes an open invitation of a user who accepts it; no row if it is not open any more.
package struct TakeInvitation: SingleRowStatement {
  package typealias Row = InvitationID
  package static let sql = """
    delete from group_invitations as invitation
    where invitation.id = $1 and invitation.invitee_id = $2 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3 and not exists (
      select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
    )
    returning invitation.id
    """
  package let invitationID: InvitationID
  package let userID: UserID
  package let lapsedBefore: Instant

  package init(invitationID: InvitationID, userID: UserID, lapsedBefore: Instant) {
    self.invitationID = invitationID
    self.userID = userID
    self.lapsedBefore = lapsedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(invitationID)
    p.append(userID)
    p.append(lapsedBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects the group that a user is a member of by an invitation, and since when.
package struct MembershipByInvitation: SingleRowStatement {
  package struct Row: Sendable {
    package let joinedAt: Instant
    package let group: StoredGroup
  }

  package static let sql = """
    select group_members.joined_at, groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from group_members
    join groups on groups.id = group_members.group_id
    where group_members.account_id = $1 and group_members.invitation_id = $2
    """
  package let userID: UserID
  package let invitationID: InvitationID

  package init(userID: UserID, invitationID: InvitationID) {
    self.userID = userID
    self.invitationID = invitationID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(invitationID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(joinedAt: try row.next(), group: try StoredGroup.decode(row))
  }
}

/// Records that a user declines an open invitation; no row if it is not open.
package struct DeclineInvitation: SingleRowStatement {
  package typealias Row = InvitationID
  package static let sql = """
    update group_invitations as invitation set declined_at = $1
    where invitation.id = $2 and invitation.invitee_id = $3 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $4 and not exists (
      select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
    )
    returning invitation.id
    """
  package let now: Instant
  package let invitationID: InvitationID
  package let userID: UserID
  package let lapsedBefore: Instant

  package init(now: Instant, invitationID: InvitationID, userID: UserID, lapsedBefore: Instant) {
    self.now = now
    self.invitationID = invitationID
    self.userID = userID
    self.lapsedBefore = lapsedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(invitationID)
    p.append(userID)
    p.append(lapsedBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records that a user declines all open invitations, or those of one inviter; returns their number.
package struct DeclineInvitations: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    with declined as (
      update group_invitations set declined_at = $1
      where id in (
        select invitation.id from group_invitations as invitation
        where invitation.invitee_id = $2 and ($3::uuid is null or invitation.inviter_id = $3)
          and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $4 and not exists (
      select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
    )
        order by invitation.id for update
      )
      returning id
    )
    select count(*)::integer as declined from declined
    """
  package let now: Instant
  package let userID: UserID
  /// `nil` for all inviters.
  package let inviterID: UserID?
  package let lapsedBefore: Instant

  package init(now: Instant, userID: UserID, inviterID: UserID?, lapsedBefore: Instant) {
    self.now = now
    self.userID = userID
    self.inviterID = inviterID
    self.lapsedBefore = lapsedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
    p.append(inviterID)
    p.append(lapsedBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Ends the open invitations to a user from one whom they block: they are declined. Those in the other direction stay, as
/// far as the blocking user sees: that one is gone would tell which address is the blocked user's ([ID-23]).
package struct EndInvitationsTo: Statement {
  package typealias Row = Void
  package static let sql = """
    update group_invitations as invitation set declined_at = $1
    where invitation.invitee_id = $2 and invitation.inviter_id = $3 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $4
    """
  package let now: Instant
  package let blockerID: UserID
  package let blockedID: UserID
  package let lapsedBefore: Instant

  package init(now: Instant, blockerID: UserID, blockedID: UserID, lapsedBefore: Instant) {
    self.now = now
    self.blockerID = blockerID
    self.blockedID = blockedID
    self.lapsedBefore = lapsedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(blockerID)
    p.append(blockedID)
    p.append(lapsedBefore)
  }
}

/// Removes an open invitation to a group that a user is a member of; no row if there is none.
package struct WithdrawInvitation: SingleRowStatement {
  package typealias Row = InvitationID
  package static let sql = """
    delete from group_invitations as invitation using group_members
    where invitation.id = $1 and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $2
      and group_members.group_id = invitation.group_id and group_members.account_id = $3
    returning invitation.id
    """
  package let invitationID: InvitationID
  package let lapsedBefore: Instant
  package let userID: UserID

  package init(invitationID: InvitationID, lapsedBefore: Instant, userID: UserID) {
    self.invitationID = invitationID
    self.lapsedBefore = lapsedBefore
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(invitationID)
    p.append(lapsedBefore)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects a page of the open invitations to a user, the latest first ([C-5]).
package struct InvitationsOf: Statement {
  package struct Row: Sendable {
    package let invitation: StoredInvitation
    package let group: StoredGroup
  }

  package static let sql = """
    select invitation.id as invitation_id, inviter.id as inviter_id, inviter.username as inviter_username, invitation.email,
    invitation.invited_at, groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from group_invitations as invitation
    join groups on groups.id = invitation.group_id
    join accounts as inviter on inviter.id = invitation.inviter_id
    where invitation.invitee_id = $1 and ($2::uuid is null or invitation.id < $2)
      and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3 and not exists (
      select from blocks where blocks.blocker_id = invitation.inviter_id and blocks.blocked_id = invitation.invitee_id
    )
    order by invitation.id desc limit $4
    """
  package let userID: UserID
  /// The last invitation of the previous page.
  package let before: InvitationID?
  package let lapsedBefore: Instant
  package let limit: Int64

  package init(userID: UserID, before: InvitationID?, lapsedBefore: Instant, limit: Int64) {
    self.userID = userID
    self.before = before
    self.lapsedBefore = lapsedBefore
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before)
    p.append(lapsedBefore)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(invitation: try StoredInvitation.decode(row), group: try StoredGroup.decode(row))
  }
}

/// Selects a page of the open invitations that a user has sent, the latest first ([C-5]).
package struct InvitationsFrom: Statement {
  package struct Row: Sendable {
    package let invitation: StoredInvitation
    package let group: StoredGroup
  }

  package static let sql = """
    select invitation.id as invitation_id, inviter.id as inviter_id, inviter.username as inviter_username, invitation.email,
    invitation.invited_at, groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from group_invitations as invitation
    join groups on groups.id = invitation.group_id
    join accounts as inviter on inviter.id = invitation.inviter_id
    where invitation.inviter_id = $1 and ($2::uuid is null or invitation.id < $2)
      and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3
    order by invitation.id desc limit $4
    """
  package let userID: UserID
  /// The last invitation of the previous page.
  package let before: InvitationID?
  package let lapsedBefore: Instant
  package let limit: Int64

  package init(userID: UserID, before: InvitationID?, lapsedBefore: Instant, limit: Int64) {
    self.userID = userID
    self.before = before
    self.lapsedBefore = lapsedBefore
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before)
    p.append(lapsedBefore)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(invitation: try StoredInvitation.decode(row), group: try StoredGroup.decode(row))
  }
}

/// Selects a page of the open invitations to a group, the latest first ([C-5]); returns no row if the viewer is not a
/// member.
package struct InvitationsToGroup: Statement {
  package struct Row: Sendable {
    package let invitation: StoredInvitation
    package let group: StoredGroup
  }

  package static let sql = """
    select invitation.id as invitation_id, inviter.id as inviter_id, inviter.username as inviter_username, invitation.email,
    invitation.invited_at, groups.id, groups.name, groups.member_count, groups.revision, groups.created_at from group_invitations as invitation
    join groups on groups.id = invitation.group_id
    join accounts as inviter on inviter.id = invitation.inviter_id
    where invitation.group_id = $1 and ($2::uuid is null or invitation.id < $2)
      and invitation.declined_at is null and invitation.inviter_id is not null and invitation.invited_at > $3
      and exists (select from group_members as own where own.group_id = $1 and own.account_id = $4)
    order by invitation.id desc limit $5
    """
  package let groupID: GroupID
  /// The last invitation of the previous page.
  package let before: InvitationID?
  package let lapsedBefore: Instant
  package let viewerID: UserID
  package let limit: Int64

  package init(groupID: GroupID, before: InvitationID?, lapsedBefore: Instant, viewerID: UserID, limit: Int64) {
    self.groupID = groupID
    self.before = before
    self.lapsedBefore = lapsedBefore
    self.viewerID = viewerID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(before)
    p.append(lapsedBefore)
    p.append(viewerID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(invitation: try StoredInvitation.decode(row), group: try StoredGroup.decode(row))
  }
}

/// Removes invitations that have lapsed.
package struct DeleteLapsedInvitations: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from group_invitations where id in (
      select id from group_invitations
      where declined_at is null and invited_at <= $1 limit $2 for update skip locked
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

/// Removes declined invitations that no longer keep others away.
package struct DeleteOldDeclines: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from group_invitations where id in (
      select id from group_invitations where declined_at <= $1 limit $2 for update skip locked
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
