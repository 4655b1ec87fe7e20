import Identifiers
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("invitations to groups")
struct InvitationTests {
  // MARK: Asking

  @Test(
    "[ID-44] [ID-41] AddGroupMember answers PENDING; acceptance makes the member, with its event, and both are told")
  func accepts() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group(of: ada)

      let invitation = try await identity.groups.addGroupMember(
        AddGroupMemberRequest(groupID: group, email: "GRACE@example.org"), .user(ada))
      let between = try await identity.members(of: group, for: ada)
      let events = try await identity.groupEvents(group)
      let accepted = try await identity.accept(invitation.invitationID, as: grace)

      #expect(invitation.state == .pending && invitation.group?.groupID == group)
      #expect(between == ["ada"] && events == ["GroupCreated", "GroupMemberAdded"])
      #expect(accepted.group?.memberCount == 2 && accepted.joinTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(try await identity.members(of: group, for: grace) == ["ada", "grace.h"])
      #expect(try await identity.groupEvents(group) == events + ["GroupMemberAdded"])
      #expect(try await identity.notified(grace) == [.groupInvited, .groupJoined])
      #expect(try await identity.notified(ada) == [.groupMemberAdded])
      #expect(try await identity.openInvitations(to: grace) == [])
    }
  }

  @Test("[ID-44] the invitee sees group, inviter and members; another user sees nothing of it")
  func shown() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      let group = try await identity.group("Early birds", of: ada)

      let id = try await identity.invite(.grace, to: group, by: ada)

      let shown = try await identity.invitations.listInvitations(ListInvitationsRequest(), .user(grace)).invitations
      let invitation = try #require(shown.first)
      let now = identity.clock.now.wholeSeconds
      #expect(shown.count == 1 && invitation.invitationID == id && invitation.state == .pending)
      #expect(invitation.group?.name == "Early birds" && invitation.group?.memberCount == 1)
      #expect(invitation.inviterUserID == ada.userID && invitation.inviterUsername == "ada" && invitation.email == "")
      #expect(invitation.createTime?.seconds == now && invitation.expireTime?.seconds == now + 14 * 86_400)
      #expect(try await identity.members(of: group, for: grace) == ["ada"])
      #expect(try await identity.groups.listGroups(ListGroupsRequest(), .user(grace)).groups.isEmpty)
      #expect(try await identity.openInvitations(to: eve) == [])
      let hidden = try await refusal { try await identity.members(of: group, for: eve) }
      let early = try await refusal {
        try await identity.groups.getGroup(GetGroupRequest(groupID: group), .user(grace))
      }
      #expect(hidden.reason == "NOT_A_MEMBER" && early.reason == "NOT_A_MEMBER")
    }
  }

  @Test(
    "[ID-44] the inviter is shown the address that they wrote and nothing about its owner, other members not even it")
  func inviterLearnsNothing() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.loggedIn(.eve)
      let group = try await identity.group(of: ada)
      try await identity.add(.grace, to: group, by: ada)

      let answer = try await identity.groups.addGroupMember(
        AddGroupMemberRequest(groupID: group, email: "EVE@example.com"), .user(ada))

      let sent = try await identity.invitations.listSentInvitations(ListSentInvitationsRequest(), .user(ada))
      let own = try await identity.invitations.listGroupInvitations(
        ListGroupInvitationsRequest(groupID: group), .user(ada))
      let others = try await identity.invitations.listGroupInvitations(
        ListGroupInvitationsRequest(groupID: group), .user(grace))
      #expect(answer.email == "EVE@example.com" && !"\(answer)".contains("eve"))
      #expect(sent.invitations == [answer] && own.invitations == [answer])
      #expect(others.invitations.map(\.invitationID) == [answer.invitationID])
      #expect(others.invitations.map(\.email) == [""] && others.invitations.map(\.inviterUsername) == ["ada"])
      #expect(
        try await identity.invitations.listSentInvitations(ListSentInvitationsRequest(), .user(grace)).invitations == []
      )
    }
  }

  @Test("[ID-44] [C-10] an unknown address, an unverified one and a blocking user get the same answer")
  func unknown() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.accounts.register(User(email: "new@example.com", username: "new").registration)
      let group = try await identity.group(of: ada)
      _ = try await identity.safety.blockUser(BlockUserRequest(userID: ada.userID), .user(grace))

      var answers: [Status] = []
      for email in ["nobody@example.com", "new@example.com", User.grace.email] {
        answers.append(
          try await refusal {
            try await identity.groups.addGroupMember(
              AddGroupMemberRequest(groupID: group, email: email), .user(ada))
          })
      }

      #expect(Set(answers.map { "\($0)" }).count == 1)
      #expect(answers.first?.code == .notFound && answers.first?.reason == "EMAIL_NOT_FOUND")
      // Each has used one of the 20 attempts of the hour.
      #expect(
        try await identity.value("select cardinality(attempts) from throttles where kind = 'STRANGER_ADDED'") == "3")
    }
  }

  @Test(
    "[ID-23] [C-10] D-3: one's own block does not tell whose an address is: before and after it the answers are alike")
  func ownBlock() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.loggedIn(.eve)
      let (first, second) = (try await identity.group(of: ada), try await identity.group(of: ada))
      let earlier = try await identity.invite(.grace, to: first, by: ada)
      try await identity.invite(.eve, to: first, by: ada)
      let before = try await identity.sent(by: ada)

      _ = try await identity.safety.blockUser(BlockUserRequest(userID: grace.userID), .user(ada))
      let kept = try await identity.sent(by: ada)
      let hidden = try await identity.groups.addGroupMember(
        AddGroupMemberRequest(groupID: second, email: User.grace.email), .user(ada))
      let shown = try await identity.groups.addGroupMember(
        AddGroupMemberRequest(groupID: second, email: User.eve.email), .user(ada))
      let refused = try await refusal { try await identity.accept(hidden.invitationID, as: grace) }
      let open = try await identity.openInvitations(to: grace)

      #expect(kept == before && hidden.state == shown.state && hidden.email == User.grace.email)
      #expect(open.isEmpty && refused.reason == "INVITATION_NOT_FOUND")
      #expect(
        try await identity.value("select count(*) from notifications where account_id = '\(grace.userID)'") == "1")
      _ = try await identity.safety.unblockUser(UnblockUserRequest(userID: grace.userID), .user(ada))
      // Both were made within one millisecond of the clock, so their ids are in any order.
      let again = try await identity.openInvitations(to: grace)
      #expect(again.sorted() == [earlier, hidden.invitationID].sorted())
    }
  }

  @Test("[ID-41] 29 B10: of 64 unknown addresses tried at once 20 are answered, and the rest is told to wait")
  func burst() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let group = try await identity.group(of: ada)

      let outcomes = await identity.race(64) { client, number in
        try await GroupsClient(client).addGroupMember(
          AddGroupMemberRequest(groupID: group, email: "nobody\(number)@example.com"), .user(ada))
      }

      let reasons = outcomes.compactMap { outcome in
        if case .failure(let error as Status) = outcome { error.reason } else { nil }
      }
      #expect(reasons.count == 64 && reasons.count { $0 == "EMAIL_NOT_FOUND" } == 20)
      #expect(reasons.count { $0 == "TOO_MANY_STRANGERS" } == 44)
    }
  }

  @Test("[ID-44] oneself, a member and who is invited are not invited again")
  func twice() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.loggedIn(.eve)
      let group = try await identity.group(of: ada)
      try await identity.add(.grace, to: group, by: ada)
      try await identity.invite(.eve, to: group, by: ada)

      let oneself = try await refusal { try await identity.invite(.ada, to: group, by: ada) }
      let member = try await refusal { try await identity.invite(.grace, to: group, by: ada) }
      let invited = try await refusal { try await identity.invite(.eve, to: group, by: grace) }

      for status in [oneself, member] {
        #expect(status.code == .alreadyExists && status.reason == "ALREADY_A_MEMBER")
        #expect(status.message == "already a group member")
      }
      #expect(invited.code == .alreadyExists && invited.reason == "ALREADY_INVITED")
      #expect(try await identity.value("select count(*) from group_invitations") == "1")
    }
  }

  @Test("[ID-44] an inviter has 20 open invitations at most, and gets room by answers and withdrawals")
  func open() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.insertUsers(22)
      let group = try await identity.group(of: ada)
      var open: [String] = []
      for number in 1...20 { open.append(try await identity.invite(.inserted(number), to: group, by: ada)) }

      let full = try await refusal { try await identity.invite(.inserted(21), to: group, by: ada) }
      _ = try await identity.invitations.withdrawInvitation(
        WithdrawInvitationRequest(invitationID: open[0]), .user(ada))
      try await identity.invite(.inserted(21), to: group, by: ada)
      let second = try await identity.logins(of: [2])[0]
      _ = try await identity.invitations.declineInvitation(
        DeclineInvitationRequest(invitationID: open[1]), .user(second))
      try await identity.invite(.inserted(22), to: group, by: ada)

      #expect(full.code == .failedPrecondition && full.reason == "TOO_MANY_OPEN_INVITATIONS")
      let sent = try await identity.invitations.listSentInvitations(
        ListSentInvitationsRequest(pageSize: 15), .user(ada))
      let rest = try await identity.invitations.listSentInvitations(
        ListSentInvitationsRequest(pageSize: 15, pageToken: sent.nextPageToken), .user(ada))
      #expect(Set((sent.invitations + rest.invitations).map(\.invitationID)).count == 20 && rest.nextPageToken.isEmpty)
    }
  }

  @Test("[ID-44] an inviter sends 50 invitations in 24 hours, and the next one 24 hours after the first")
  func daily() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.loggedIn(.grace)
      let group = try await identity.group(of: ada)
      for _ in 0..<50 {
        let id = try await identity.invite(.grace, to: group, by: ada)
        _ = try await identity.invitations.withdrawInvitation(WithdrawInvitationRequest(invitationID: id), .user(ada))
      }

      let spent = try await refusal { try await identity.invite(.grace, to: group, by: ada) }
      identity.clock.advance(by: .seconds(86_400) - .microseconds(1))
      let later = try await identity.accounts.login(User.ada.login)
      let tooSoon = try await refusal { try await identity.invite(.grace, to: group, by: later) }
      identity.clock.advance(by: .microseconds(1))
      try await identity.invite(.grace, to: group, by: later)

      #expect(spent.code == .resourceExhausted && spent.reason == "TOO_MANY_INVITATIONS")
      #expect(spent.retryAfter == .seconds(86_400) && tooSoon.reason == "TOO_MANY_INVITATIONS")
    }
  }

  @Test("[ID-44] one notification stands for all invitations until it is read or a day old")
  func notifiesOnce() async throws {
    try await RunningIdentity.with { identity in
      var (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let groups = try await identity.insertGroups(6, of: ada)
      let inboxes = NotificationsClient(identity.client)
      for group in groups.prefix(2) { try await identity.invite(.grace, to: group, by: ada) }
      let first = try await identity.notified(grace)

      _ = try await inboxes.markRead(MarkReadRequest(upToSequence: 1), .user(grace))
      for group in groups[2...3] { try await identity.invite(.grace, to: group, by: ada) }
      let afterReading = try await identity.notified(grace)
      identity.clock.advance(by: .seconds(86_400))
      (ada, grace) = (
        try await identity.accounts.login(User.ada.login), try await identity.accounts.login(User.grace.login)
      )
      for group in groups[4...5] { try await identity.invite(.grace, to: group, by: ada) }
      let nextDay = try await identity.notified(grace)

      #expect([first.count, afterReading.count, nextDay.count] == [1, 2, 3])
      #expect(nextDay.allSatisfy { $0 == .groupInvited })
      #expect(try await identity.openInvitations(to: grace).count == 6)
    }
  }

  // MARK: Answering

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

  // MARK: What ends an invitation

  @Test("[ID-44] any member withdraws an invitation; others, and who asks for another's, find none")
  func withdraws() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      let group = try await identity.group(of: ada)
      try await identity.add(.eve, to: group, by: ada)
      let id = try await identity.invite(.grace, to: group, by: ada)

      let stranger = try await refusal {
        try await identity.invitations.withdrawInvitation(WithdrawInvitationRequest(invitationID: id), .user(grace))
      }
      let unseen = try await refusal {
        try await identity.invitations.listGroupInvitations(ListGroupInvitationsRequest(groupID: group), .user(grace))
      }
      _ = try await identity.invitations.withdrawInvitation(WithdrawInvitationRequest(invitationID: id), .user(eve))
      let late = try await refusal { try await identity.accept(id, as: grace) }
      let next = try await identity.invite(.grace, to: group, by: eve)

      #expect(stranger.reason == "INVITATION_NOT_FOUND" && late.reason == "INVITATION_NOT_FOUND")
      #expect(unseen.code == .permissionDenied && unseen.reason == "NOT_A_MEMBER")
      #expect(try await identity.openInvitations(to: grace) == [next])
    }
  }

  @Test("[ID-44] the invitations of a member who leaves are void; those who declined are left alone by the others too")
  func inviterLeaves() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      try await identity.insertUsers(1)
      let one = try await identity.logins(of: [1])[0]
      let group = try await identity.group(of: ada)
      try await identity.add(.eve, to: group, by: ada)
      let id = try await identity.invite(.grace, to: group, by: ada)
      let declined = try await identity.invite(.inserted(1), to: group, by: ada)
      _ = try await identity.invitations.declineInvitation(
        DeclineInvitationRequest(invitationID: declined), .user(one))

      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(ada))

      let void = try await refusal { try await identity.accept(id, as: grace) }
      let recent = try await refusal { try await identity.invite(.inserted(1), to: group, by: eve) }
      let next = try await identity.invite(.grace, to: group, by: eve)
      #expect(void.reason == "INVITATION_NOT_FOUND" && recent.reason == "INVITED_RECENTLY")
      #expect(try await identity.openInvitations(to: grace) == [next])
    }
  }

  @Test("[ID-44] an invitation to a group that was deleted is none")
  func groupDeleted() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group(of: ada)
      let id = try await identity.invite(.grace, to: group, by: ada)

      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(ada))

      let late = try await refusal { try await identity.accept(id, as: grace) }
      #expect(late.code == .notFound && late.reason == "INVITATION_NOT_FOUND")
      #expect(try await identity.openInvitations(to: grace) == [])
      #expect(try await identity.value("select count(*) from group_invitations") == "0")
    }
  }

  @Test("[ID-44] [C-9] with an account go the invitations to it and from it, and its sessions accept none")
  func departure() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      let group = try await identity.group(of: ada)
      let hers = try await identity.invite(.grace, to: group, by: ada)
      let eves = try await identity.invite(.eve, to: group, by: ada)

      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.grace.password), .user(grace))
      let ended = try await refusal { try await identity.accept(hers, as: grace) }
      let left = try await identity.value("select count(*) from group_invitations")
      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))
      let void = try await refusal { try await identity.accept(eves, as: eve) }

      #expect(ended.code == .unauthenticated && ended.reason == "TOKEN_REVOKED" && left == "1")
      #expect(void.reason == "INVITATION_NOT_FOUND")
      #expect(try await identity.openInvitations(to: eve) == [])
      #expect(try await identity.value("select count(*) from group_invitations") == "0")
    }
  }

  @Test("[ID-44] lapsed and long declined invitations are removed in the background")
  func sweeps() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
        let groups = try await identity.insertGroups(2, of: ada)
        let declined = try await identity.invite(.grace, to: groups[0], by: ada)
        try await identity.invite(.grace, to: groups[1], by: ada)
        _ = try await identity.invitations.declineInvitation(
          DeclineInvitationRequest(invitationID: declined), .user(grace))
      }
      for (wait, left) in [(14, "1"), (16, "0")] {
        clock.advance(by: .seconds(wait * 86_400))
        // A service sweeps when it starts.
        try await RunningIdentity.with(on: database, clock: clock) { identity in
          _ = try await eventually("\(left) are left") {
            try await identity.value("select count(*) from group_invitations") == left ? true : nil
          }
        }
      }
    }
  }

  // MARK: Many

  @Test(
    "[ID-44] [C-5] 10,000 invitations from 500 users are listed page by page, and declined of one user or all at once")
  func tenThousand() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await identity.insertUsers(500)
      let now = identity.clock.now.wholeSeconds
      try await identity.sql(
        """
        with made as (
          insert into groups (id, name, member_count, created_at)
          select gen_random_uuid(), 'Group of ' || username, 1, now()
          from accounts cross join generate_series(1, 20) where username like 'user%' returning id, name
        ), joined as (
          insert into group_members (group_id, account_id, id, joined_at)
          select made.id, accounts.id, gen_random_uuid(), now()
          from made join accounts on 'Group of ' || accounts.username = made.name returning group_id, account_id
        )
        insert into group_invitations (id, group_id, invitee_id, inviter_id, email, invited_at)
        select gen_random_uuid(), group_id, '\(grace.userID)', account_id, '\(User.grace.email)', to_timestamp(\(now))
        from joined
        """)
      let one = try #require(try await identity.value("select id from accounts where username = 'user7'"))
      try await identity.invite(.grace, to: try await identity.group(of: ada), by: ada)

      var (seen, token): ([String], String) = ([], "")
      repeat {
        let page = try await identity.invitations.listInvitations(
          ListInvitationsRequest(pageSize: 200, pageToken: token), .user(grace))
        seen += page.invitations.map(\.invitationID)
        token = page.nextPageToken
      } while !token.isEmpty
      let ofOne = try await identity.invitations.declineAllInvitations(
        DeclineAllInvitationsRequest(inviterUserID: one), .user(grace))
      let all = try await identity.invitations.declineAllInvitations(DeclineAllInvitationsRequest(), .user(grace))
      let none = try await identity.invitations.declineAllInvitations(DeclineAllInvitationsRequest(), .user(grace))

      #expect(seen.count == 10_001 && Set(seen).count == 10_001)
      #expect([ofOne.declinedCount, all.declinedCount, none.declinedCount] == [20, 9_981, 0])
      #expect(try await identity.openInvitations(to: grace) == [])
      #expect(try await identity.notified(grace) == [.groupInvited])
    }
  }

  // MARK: Bad input

  @Test("[ID-44] [C-2] ids that are none are refused, all at once")
  func badInput() async throws {
    try await RunningIdentity.with { identity in
      let (invitations, user) = (identity.invitations, CallOptions.user(try await identity.loggedIn()))
      let answers = [
        try await refusal {
          try await invitations.acceptInvitation(AcceptInvitationRequest(invitationID: "x", requestID: "x"), user)
        },
        try await refusal {
          try await invitations.declineInvitation(DeclineInvitationRequest(requestID: "x"), user)
        },
        try await refusal {
          try await invitations.blockInviter(BlockInviterRequest(invitationID: "x", requestID: "x"), user)
        },
        try await refusal {
          try await invitations.withdrawInvitation(WithdrawInvitationRequest(invitationID: "x", requestID: "x"), user)
        },
      ]
      let bulk = try await refusal {
        try await invitations.declineAllInvitations(
          DeclineAllInvitationsRequest(inviterUserID: "x", requestID: "x"), user)
      }
      let list = try await refusal {
        try await invitations.listGroupInvitations(
          ListGroupInvitationsRequest(groupID: "x", pageSize: -1, pageToken: "x"), user)
      }
      let foreign = try await refusal {
        try await invitations.listInvitations(ListInvitationsRequest(pageToken: "x"), user)
      }

      #expect(answers.allSatisfy { $0.code == .invalidArgument })
      #expect(answers.allSatisfy { $0.fieldReasons == ["REQUEST_ID_INVALID", "INVITATION_ID_INVALID"] })
      #expect(bulk.fieldReasons == ["REQUEST_ID_INVALID", "USER_ID_INVALID"])
      #expect(list.fieldReasons == ["PAGE_SIZE_INVALID", "PAGE_TOKEN_INVALID", "GROUP_ID_INVALID"])
      #expect(foreign.reason == "PAGE_TOKEN_INVALID")
    }
  }

  @Test("[ID-44] [C-4] a repeated request_id has the first answer: one invitation, one decline")
  func repeats() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let call = AddGroupMemberRequest(
        groupID: try await identity.group(of: ada), email: User.grace.email,
        requestID: "0197a5a0-0000-4000-8000-000000000044")

      let results = await identity.race(32) { client, _ in
        try await GroupsClient(client).addGroupMember(call, .user(ada))
      }
      let first = try #require(results.successes().first)
      let decline = DeclineInvitationRequest(
        invitationID: first.invitationID, requestID: "0197a5a0-0000-4000-8000-000000000045")
      let declines = await identity.race(32) { client, _ in
        try await InvitationsClient(client).declineInvitation(decline, .user(grace))
      }

      #expect(results.successes() == Array(repeating: first, count: 32), "\(results.refusals())")
      #expect(declines.successes().count == 32, "\(declines.refusals())")
      #expect(try await identity.value("select count(declined_at) from group_invitations") == "1")
    }
  }

  // MARK: Before there were invitations

  @Test("[ID-44] who was a member before there were invitations stays one")
  func upgraded() async throws {
    let place = try #require(IdentitySchema.migrations.firstIndex { $0.name == "invitations" })
    let before = TestSchema(IdentitySchema.name, Array(IdentitySchema.migrations.prefix(place)))
    try await TestDatabase.with([before]) { database in
      _ = try await Administration.session(database.url) { session in
        try session.run(
          """
          set search_path = identity;
          insert into accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
          select gen_random_uuid(), 'old' || n || '@x.org', 'old' || n || '@x.org', 'old' || n, '$x$y', now(), now()
          from generate_series(1, 2) as n;
          insert into groups (id, name, member_count, created_at)
          values ('019bc186-de00-7000-8080-000000000000', 'Old', 2, now());
          insert into group_members (group_id, account_id, id, joined_at)
          select '019bc186-de00-7000-8080-000000000000', id, gen_random_uuid(), now() from accounts
          """)
      }
      try await RunningIdentity.with(on: database, clock: ManualClock()) { identity in
        let ada = try await identity.loggedIn()
        try await identity.sql(
          "update accounts set password_hash = (select password_hash from accounts where username = 'ada')")
        let old = try await identity.accounts.login(
          LoginRequest(emailOrUsername: "old1", password: User.ada.password))
        let group = try await identity.groups.listGroups(ListGroupsRequest(), .user(old)).groups[0]

        let members = try await identity.members(of: group.groupID, for: old)
        try await identity.add(.ada, to: group.groupID, by: old)

        #expect(members == ["old1", "old2"] && group.memberCount == 2)
        #expect(try await identity.members(of: group.groupID, for: ada) == ["ada", "old1", "old2"])
      }
    }
  }
}
