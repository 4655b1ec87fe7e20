import Identifiers
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("answers to invitations to groups")
struct InvitationAnswerTests {
  @Test("[ID-44] who declines is no member, the inviter is not told, and no member invites them again for 30 days")
  func declines() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.loggedIn(.eve)
      let group = try await identity.group(of: ada)
      try await identity.add(.eve, to: group, by: ada)
      let id = try await identity.invite(.grace, to: group, by: ada)
      let told = try await identity.notified(ada)

      _ = try await identity.invitations.declineInvitation(DeclineInvitationRequest(invitationID: id), .user(grace))
      let again = try await refusal {
        try await identity.invitations.declineInvitation(DeclineInvitationRequest(invitationID: id), .user(grace))
      }
      let late = try await refusal { try await identity.accept(id, as: grace) }
      identity.clock.advance(by: .seconds(30 * 86_400) - .microseconds(1))
      var (first, second) = (
        try await identity.accounts.login(User.ada.login), try await identity.accounts.login(User.eve.login)
      )
      let tooSoon = [
        try await refusal { try await identity.invite(.grace, to: group, by: first) },
        try await refusal { try await identity.invite(.grace, to: group, by: second) },
      ]
      identity.clock.advance(by: .microseconds(1))
      (first, second) = (first, try await identity.accounts.login(User.eve.login))
      try await identity.invite(.grace, to: group, by: second)

      #expect(again.code == .notFound && again.reason == "INVITATION_NOT_FOUND")
      #expect(late.code == .notFound && late.reason == "INVITATION_NOT_FOUND")
      #expect(tooSoon.map(\.code) == [.failedPrecondition, .failedPrecondition])
      #expect(tooSoon.map(\.reason) == ["INVITED_RECENTLY", "INVITED_RECENTLY"])
      #expect(try await identity.notified(first) == told)
      #expect(try await identity.members(of: group, for: first) == ["ada", "eve"])
    }
  }

  @Test("[ID-44] an invitation is accepted until 14 days after it was made, and has lapsed then")
  func lapses() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.loggedIn(.grace)
      _ = try await identity.loggedIn(.eve)
      let group = try await identity.group(of: ada)
      let (hers, eves) = (
        try await identity.invite(.grace, to: group, by: ada), try await identity.invite(.eve, to: group, by: ada)
      )

      identity.clock.advance(by: .seconds(14 * 86_400) - .microseconds(1))
      let (grace, eve) = (
        try await identity.accounts.login(User.grace.login), try await identity.accounts.login(User.eve.login)
      )
      let first = try await identity.accounts.login(User.ada.login)
      try await identity.accept(hers, as: grace)
      let open = try await identity.openInvitations(to: eve)
      identity.clock.advance(by: .microseconds(1))
      let lapsed = try await refusal { try await identity.accept(eves, as: eve) }
      let hidden = try await refusal { try await identity.members(of: group, for: eve) }
      let withdrawn = try await refusal {
        try await identity.invitations.withdrawInvitation(WithdrawInvitationRequest(invitationID: eves), .user(first))
      }

      #expect(open == [eves] && lapsed.code == .notFound && lapsed.reason == "INVITATION_NOT_FOUND")
      #expect(hidden.reason == "NOT_A_MEMBER" && withdrawn.reason == "INVITATION_NOT_FOUND")
      #expect(try await identity.openInvitations(to: eve) == [])
      #expect(
        try await identity.invitations.listSentInvitations(ListSentInvitationsRequest(), .user(first)).invitations == []
      )
      // Its row need not be swept before.
      let next = try await identity.invite(.eve, to: group, by: first)
      #expect(try await identity.openInvitations(to: eve) == [next])
      #expect(try await identity.members(of: group, for: first) == ["ada", "grace.h"])
    }
  }

  @Test("[ID-44] accepting again changes nothing; after leaving the invitation is used up")
  func acceptsAgain() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group(of: ada)
      let id = try await identity.invite(.grace, to: group, by: ada)

      let first = try await identity.accept(id, as: grace)
      let second = try await identity.accept(id, as: grace)
      let stranger = try await refusal { try await identity.accept(id, as: ada) }
      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(grace))
      let used = try await refusal { try await identity.accept(id, as: grace) }

      #expect(first == second)
      #expect(stranger.reason == "INVITATION_NOT_FOUND" && used.reason == "INVITATION_NOT_FOUND")
      let events = ["GroupCreated", "GroupMemberAdded", "GroupMemberAdded", "GroupMemberRemoved"]
      #expect(try await identity.groupEvents(group) == events)
    }
  }

  @Test("[ID-44] who is in 200 groups is invited, but does not accept; the invitation stays open")
  func tooManyGroups() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let own = try await identity.insertGroups(200, of: grace)
      let id = try await identity.invite(.grace, to: try await identity.group(of: ada), by: ada)

      let full = try await refusal { try await identity.accept(id, as: grace) }
      let open = try await identity.openInvitations(to: grace)
      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: own[0]), .user(grace))
      try await identity.accept(id, as: grace)

      #expect(full.code == .failedPrecondition && full.reason == "TOO_MANY_GROUPS" && open == [id])
      #expect(full.message == "You are in as many groups as a person can be")
    }
  }

  @Test("[ID-44] [ID-26] blocking an inviter declines all of their invitations, and hides the user from them")
  func blocksInviter() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      let groups = try await identity.insertGroups(2, of: ada)
      let first = try await identity.invite(.grace, to: groups[0], by: ada)
      try await identity.invite(.grace, to: groups[1], by: ada)
      let eves = try await identity.invite(.grace, to: try await identity.group(of: eve), by: eve)

      let block = try await identity.invitations.blockInviter(BlockInviterRequest(invitationID: first), .user(grace))
      let again = try await refusal {
        try await identity.invitations.blockInviter(BlockInviterRequest(invitationID: first), .user(grace))
      }
      let unknown = try await refusal { try await identity.invite(.grace, to: groups[0], by: ada) }
      _ = try await identity.safety.unblockUser(UnblockUserRequest(userID: ada.userID), .user(grace))
      let recent = try await refusal { try await identity.invite(.grace, to: groups[0], by: ada) }

      #expect(block.userID == ada.userID && block.username == "ada" && again.reason == "INVITATION_NOT_FOUND")
      #expect(unknown.reason == "EMAIL_NOT_FOUND" && recent.reason == "INVITED_RECENTLY")
      #expect(try await identity.openInvitations(to: grace) == [eves])
      let events = try await identity.sql("select 1 from events where type = 'tandem.events.v1.UserBlocked'")
      #expect(events.count == 1)
    }
  }

  @Test(
    "[ID-44] [C-10] a block in either direction ends the open invitations between the two", arguments: [true, false])
  func blockEnds(byInvitee: Bool) async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let id = try await identity.invite(.grace, to: try await identity.group(of: ada), by: ada)
      let (blocker, blocked) = byInvitee ? (grace, ada) : (ada, grace)

      _ = try await identity.safety.blockUser(BlockUserRequest(userID: blocked.userID), .user(blocker))

      let late = try await refusal { try await identity.accept(id, as: grace) }
      #expect(late.reason == "INVITATION_NOT_FOUND")
      #expect(try await identity.openInvitations(to: grace) == [])
      // Only the invitee's block is a decline.
      #expect(try await identity.value("select count(declined_at) from group_invitations") == (byInvitee ? "1" : "0"))
    }
  }
}
