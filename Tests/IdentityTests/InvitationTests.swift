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
}
