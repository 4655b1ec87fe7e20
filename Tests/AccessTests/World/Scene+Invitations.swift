import TTRPC
import TTRPCClient
import TandemIdentity

/// What the rows about invitations to groups need.
extension Scene {
  private var client: RPCClient { world.identity.client() }
  private var owners: CallOptions { get async throws { try await world.cast.owner.options(at: world.identity) } }

  /// Performs a step; returns whether it is about invitations.
  func performWithInvitations(_ step: String) async throws -> Bool {
    switch step {
    // The caller is invited to a group.
    case "invitation": _ = try await invitation(to: subject)
    // The caller has invited another user.
    case "sentInvitation":
      let group = CreateGroupRequest(group: Group(name: "Early birds"))
      let own = try await subject.options(at: world.identity)
      _ = try await invite(
        try await world.newcomer(), to: try await GroupsClient(client).createGroup(group, own).groupID, own)
    default: return false
    }
    return true
  }

  /// Prepares the value of a name.
  mutating func prepareInvitation(_ name: String) async throws {
    switch name {
    case "ownersInvitation": values[name] = try await invitation(to: world.cast.owner)
    // To a group of the owner and the member, by the owner.
    case "groupsInvitation", "invitingGroup":
      let group = try await group(with: world.cast.member, try await owners)
      values["invitingGroup"] = group
      values["groupsInvitation"] = try await invite(try await world.newcomer(), to: group, try await owners)
    default: return
    }
  }

  /// A new group with the user who creates it and a user who accepts the invitation to it.
  func group(with added: CastMember, _ inviter: CallOptions) async throws -> String {
    // The table needs more groups than a user may invite to in a day.
    try await world.sql(
      "delete from identity.throttles where kind = 'INVITATION'; delete from identity.group_invitations")
    return try await world.cast.group(with: added, inviter, at: world.identity)
  }

  /// Has a new user invite another one; returns the invitation's id.
  private func invitation(to invitee: CastMember) async throws -> String {
    let inviter = try await world.newcomer().options(at: world.identity)
    let group = try await GroupsClient(client).createGroup(
      CreateGroupRequest(group: Group(name: "Early birds")), inviter)
    return try await invite(invitee, to: group.groupID, inviter)
  }

  private func invite(_ invitee: CastMember, to group: String, _ inviter: CallOptions) async throws -> String {
    let call = AddGroupMemberRequest(groupID: group, email: invitee.email)
    return try await GroupsClient(client).addGroupMember(call, inviter).invitationID
  }
}
