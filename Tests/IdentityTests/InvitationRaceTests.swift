import TTRPC
import TTRPCClient
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("invitations that are answered by many at once", .timeLimit(.minutes(5)))
struct InvitationRaceTests {
  @Test("[ID-44] of 64 acceptances of one invitation one takes effect, and all have its answer")
  func acceptOnce() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group(of: ada)
      let id = try await identity.invite(.grace, to: group, by: ada)

      let results = await identity.race(64) { client, _ in
        try await InvitationsClient(client).acceptInvitation(AcceptInvitationRequest(invitationID: id), .user(grace))
      }

      let first = try #require(results.successes().first)
      #expect(results.successes() == Array(repeating: first, count: 64), "\(results.refusals())")
      #expect(try await identity.groupEvents(group) == ["GroupCreated", "GroupMemberAdded", "GroupMemberAdded"])
      #expect(try await identity.notified(grace) == [.groupInvited, .groupJoined])
      #expect(try await identity.notified(ada) == [.groupMemberAdded])
      #expect(try await identity.groupsAreSound())
    }
  }

  @Test("[ID-44] of 64 members who invite the same user to their group one does, and the user is notified once")
  func inviteOnce() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await identity.insertUsers(64)
      let group = try await identity.group(of: ada)
      try await identity.insertMembers(1...64, into: group)
      let members = try await identity.logins(of: 1...64)

      let results = await identity.race(64) { client, caller in
        try await GroupsClient(client).addGroupMember(
          AddGroupMemberRequest(groupID: group, email: User.grace.email), .user(members[caller]))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().count == 63 && results.refusals().allSatisfy { $0.reason == "ALREADY_INVITED" })
      #expect(try await identity.openInvitations(to: grace) == results.successes().map(\.invitationID))
      #expect(try await identity.notified(grace) == [.groupInvited])
    }
  }

  @Test("[ID-44] of 64 groups to which 64 users invite the same user at once all do, and the user is notified once")
  func inviteFromEverywhere() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.loggedIn()
      let grace = try await identity.loggedIn(.grace)
      try await identity.insertUsers(64)
      let inviters = try await identity.logins(of: 1...64)
      var groups: [String] = []
      for inviter in inviters { groups.append(try await identity.group(of: inviter)) }

      let results = await identity.race(64) { [groups] client, caller in
        try await GroupsClient(client).addGroupMember(
          AddGroupMemberRequest(groupID: groups[caller], email: User.grace.email), .user(inviters[caller]))
      }

      #expect(results.successes().count == 64, "\(results.refusals())")
      #expect(try await identity.notified(grace) == [.groupInvited])
    }
  }

  @Test("[ID-44] of 64 invitations that one user sends at once 20 are open")
  func openLimit() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.insertUsers(64)
      let groups = [try await identity.group(of: ada), try await identity.group(of: ada)]

      let results = await identity.race(64) { client, caller in
        try await GroupsClient(client).addGroupMember(
          AddGroupMemberRequest(groupID: groups[caller % 2], email: "user\(caller + 1)@x.org"), .user(ada))
      }

      #expect(results.successes().count == 20)
      #expect(results.refusals().count == 44)
      #expect(results.refusals().allSatisfy { $0.reason == "TOO_MANY_OPEN_INVITATIONS" }, "\(results.refusals())")
      #expect(try await identity.value("select count(*) from group_invitations") == "20")
    }
  }

  @Test("[ID-44] of 64 invitations at once in a day that has 40 already 10 are sent")
  func dailyLimit() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.insertUsers(64)
      let group = try await identity.group(of: ada)
      for number in 1...40 {
        let id = try await identity.invite(.inserted(number), to: group, by: ada)
        _ = try await identity.invitations.withdrawInvitation(WithdrawInvitationRequest(invitationID: id), .user(ada))
      }

      let results = await identity.race(64) { client, caller in
        try await GroupsClient(client).addGroupMember(
          AddGroupMemberRequest(groupID: group, email: "user\(caller + 1)@x.org"), .user(ada))
      }

      #expect(results.successes().count == 10)
      #expect(results.refusals().count == 54)
      #expect(results.refusals().allSatisfy { $0.reason == "TOO_MANY_INVITATIONS" }, "\(results.refusals())")
    }
  }

  @Test("[ID-44] of acceptances, declines, withdrawals and the end of the group at once one ends the invitation")
  func oneEnd() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      for round in 0..<12 {
        let group = try await identity.group(of: ada)
        // In every other round the group is deleted when ada leaves.
        let others = round % 2
        if others == 1 { try await identity.add(.eve, to: group, by: ada) }
        let id = try await identity.invite(.grace, to: group, by: ada)

        let results = await identity.race(64) { client, caller -> String in
          let (invitations, groups) = (InvitationsClient(client), GroupsClient(client))
          switch (caller + round) % 16 {
          case 0..<6:
            _ = try await invitations.acceptInvitation(AcceptInvitationRequest(invitationID: id), .user(grace))
            return "accepted"
          case 6..<10:
            _ = try await invitations.declineInvitation(DeclineInvitationRequest(invitationID: id), .user(grace))
            return "declined"
          case 10..<14:
            let withdrawal = WithdrawInvitationRequest(invitationID: id)
            _ = try await invitations.withdrawInvitation(withdrawal, .user(caller % 2 == 0 ? ada : eve))
            return "withdrawn"
          case 14:
            let all = try await invitations.declineAllInvitations(DeclineAllInvitationsRequest(), .user(grace))
            return all.declinedCount == 0 ? "" : "declined"
          default:
            guard caller > 47 else { return "" }
            _ = try await groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(ada))
            return ""
          }
        }

        let ends = results.successes().filter { !$0.isEmpty }
        #expect(Set(ends).count <= 1, "\(ends)")
        #expect(ends.first == "accepted" || ends.count <= 1, "\(ends)")
        #expect(
          results.refusals().allSatisfy { ["INVITATION_NOT_FOUND", "NOT_A_MEMBER"].contains($0.reason) },
          "\(results.refusals())")
        let member = try await identity.value(
          "select count(*) from group_members where group_id = '\(group)' and account_id = '\(grace.userID)'")
        #expect(member == (ends.first == "accepted" ? "1" : "0"))
        #expect(try await identity.openInvitations(to: grace) == [])
        let added = try await identity.groupEvents(group).filter { $0 == "GroupMemberAdded" }.count
        #expect(added == 1 + others + (ends.first == "accepted" ? 1 : 0))
        #expect(try await identity.groupsAreSound())
        // The next round is another day's.
        try await identity.sql("delete from throttles")
      }
    }
  }

  @Test("[ID-44] of 64 acceptances in the microsecond in which an invitation lapses all have the same end")
  func lapse() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.loggedIn(.grace)
      let group = try await identity.group(of: ada)
      let id = try await identity.invite(.grace, to: group, by: ada)
      identity.clock.advance(by: .seconds(14 * 86_400) - .microseconds(1))
      let grace = try await identity.accounts.login(User.grace.login)

      let results = await identity.race(64) { client, caller in
        if caller == 20 { identity.clock.advance(by: .microseconds(1)) }
        return try await InvitationsClient(client).acceptInvitation(
          AcceptInvitationRequest(invitationID: id), .user(grace))
      }

      // One acceptance in time answers for all, also for those that came too late.
      let joined = try await identity.value("select count(*) from group_members") == "2"
      #expect(results.successes().count == (joined ? 64 : 0), "\(results.refusals())")
      #expect(results.refusals().allSatisfy { $0.reason == "INVITATION_NOT_FOUND" })
    }
  }

  @Test("[ID-44] a group has at most 200 members, also when 64 accept at once")
  func groupFull() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.insertUsers(260)
      let group = try await identity.group(of: ada)
      try await identity.insertMembers(65...260, into: group)
      let inviters = try await identity.logins(of: 65...68)
      var open: [String] = []
      for number in 1...64 {
        open.append(try await identity.invite(.inserted(number), to: group, by: inviters[number % 4]))
      }
      let invitees = try await identity.logins(of: 1...64)

      let results = await identity.race(64) { [open] client, caller in
        try await InvitationsClient(client).acceptInvitation(
          AcceptInvitationRequest(invitationID: open[caller]), .user(invitees[caller]))
      }

      #expect(results.successes().count == 3)
      #expect(results.refusals().count == 61)
      #expect(results.refusals().allSatisfy { $0.code == .failedPrecondition && $0.reason == "GROUP_FULL" })
      #expect(try await identity.value("select member_count from groups") == "200")
      #expect(try await identity.groupsAreSound())
      _ = try await identity.loggedIn(.grace)
      let full = try await refusal { try await identity.invite(.grace, to: group, by: ada) }
      #expect(full.reason == "GROUP_FULL")
    }
  }

  @Test("[ID-44] a user is in at most 200 groups, also when they accept 64 invitations at once")
  func userFull() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.loggedIn()
      let grace = try await identity.loggedIn(.grace)
      try await identity.insertGroups(197, of: grace)
      try await identity.insertUsers(64)
      var open: [String] = []
      for inviter in try await identity.logins(of: 1...64) {
        open.append(try await identity.invite(.grace, to: try await identity.group(of: inviter), by: inviter))
      }

      let results = await identity.race(64) { [open] client, caller in
        try await InvitationsClient(client).acceptInvitation(
          AcceptInvitationRequest(invitationID: open[caller]), .user(grace))
      }

      #expect(results.successes().count == 3)
      #expect(results.refusals().count == 61)
      #expect(results.refusals().allSatisfy { $0.reason == "TOO_MANY_GROUPS" }, "\(results.refusals())")
      let own = "select count(*) from group_members where account_id = '\(grace.userID)'"
      #expect(try await identity.value(own) == "200")
      #expect(try await identity.groupsAreSound())
    }
  }

  @Test("[ID-44] [C-10] a block at the moment of 63 invitations leaves none open between the two")
  func blockMeanwhile() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let groups = try await identity.insertGroups(63, of: ada)
      let first = try await identity.invite(.grace, to: groups[0], by: ada)

      let results = await identity.race(64) { client, caller in
        switch caller {
        case 20:
          _ = try await InvitationsClient(client).blockInviter(BlockInviterRequest(invitationID: first), .user(grace))
        default:
          _ = try await GroupsClient(client).addGroupMember(
            AddGroupMemberRequest(groupID: groups[caller % 63], email: User.grace.email), .user(ada))
        }
      }

      let expected: Set = ["EMAIL_NOT_FOUND", "TOO_MANY_STRANGERS", "TOO_MANY_OPEN_INVITATIONS", "ALREADY_INVITED"]
      #expect(results.refusals().allSatisfy { expected.contains($0.reason ?? "") }, "\(results.refusals())")
      #expect(try await identity.value("select count(*) from blocks") == "1")
      #expect(try await identity.value("select count(*) from group_invitations where declined_at is null") == "0")
      #expect(try await identity.openInvitations(to: grace) == [])
    }
  }
}
