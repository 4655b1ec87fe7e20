import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("groups that change")
struct GroupChangeTests {
  @Test("[ID-42] any member renames the group; a stale etag is ABORTED")
  func renames() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      let id = try await identity.group(of: ada)
      try await identity.add(.grace, to: id, by: ada)
      let old = try await identity.groups.getGroup(GetGroupRequest(groupID: id), .user(ada))

      var call = UpdateGroupRequest(group: Group(groupID: id, name: "Walkers", etag: old.etag))
      let renamed = try await identity.groups.updateGroup(call, .user(grace))
      let stale = try await refusal { [call] in
        try await identity.groups.updateGroup(
          UpdateGroupRequest(group: Group(groupID: id, name: "Swimmers", etag: call.group?.etag ?? "")), .user(ada))
      }
      let stranger = try await refusal { [call] in try await identity.groups.updateGroup(call, .user(eve)) }
      call.updateMask = .init(paths: ["member_count", "x"])
      let masked = try await refusal { [call] in try await identity.groups.updateGroup(call, .user(ada)) }

      #expect(renamed.name == "Walkers" && renamed.etag != old.etag && renamed.memberCount == 2)
      #expect(stale.code == .aborted && stale.reason == "ETAG_MISMATCH")
      #expect(stranger.code == .permissionDenied && stranger.reason == "NOT_A_MEMBER")
      #expect(masked.fieldReasons == ["FIELD_IMMUTABLE", "FIELD_UNKNOWN"])
      #expect(try await identity.groupEvents(id).last == "GroupRenamed")
    }
  }

  @Test("[ID-42] any member removes any member, who sees nothing of the group from then on")
  func removes() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let id = try await identity.group(of: ada)
      try await identity.add(.grace, to: id, by: ada)

      _ = try await identity.groups.removeGroupMember(
        RemoveGroupMemberRequest(groupID: id, userID: ada.userID), .user(grace))

      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await identity.groups.getGroup(GetGroupRequest(groupID: id), .user(ada)) },
        { _ = try await identity.members(of: id, for: ada) },
        { try await identity.add(.ada, to: id, by: ada) },
        { _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: id), .user(ada)) },
        {
          _ = try await identity.groups.removeGroupMember(
            RemoveGroupMemberRequest(groupID: id, userID: grace.userID), .user(ada))
        },
      ]
      for call in calls {
        let status = try await refusal { try await call() }
        #expect(status.code == .permissionDenied && status.reason == "NOT_A_MEMBER")
      }
      let again = try await refusal {
        try await identity.groups.removeGroupMember(
          RemoveGroupMemberRequest(groupID: id, userID: ada.userID), .user(grace))
      }
      #expect(again.code == .notFound && again.reason == "MEMBER_NOT_FOUND")
      #expect(try await identity.groups.listGroups(ListGroupsRequest(), .user(ada)).groups.isEmpty)
      #expect(try await identity.members(of: id, for: grace) == ["grace.h"])
    }
  }

  @Test("[ID-42] the last one to leave deletes the group")
  func lastLeaves() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let id = try await identity.group(of: ada)
      try await identity.add(.grace, to: id, by: ada)

      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: id), .user(ada))
      let between = try await identity.value("select member_count from groups")
      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: id), .user(grace))

      #expect(between == "1")
      #expect(try await identity.value("select count(*) from groups") == "0")
      let told = try await identity.groupEvents(id)
      #expect(told.suffix(3) == ["GroupMemberRemoved", "GroupMemberRemoved", "GroupDeleted"])
    }
  }

  @Test("[ID-42] of two members who remove each other at once one stays, thirty times over")
  func removeEachOther() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      for _ in 0..<30 {
        let id = try await identity.group(of: ada)
        try await identity.add(.grace, to: id, by: ada)

        let results = await identity.race(2) { client, caller in
          let (actor, target) = caller == 0 ? (ada, grace) : (grace, ada)
          _ = try await GroupsClient(client).removeGroupMember(
            RemoveGroupMemberRequest(groupID: id, userID: target.userID), .user(actor))
        }

        #expect(results.successes().count == 1)
        #expect(results.refusals().map(\.reason) == ["NOT_A_MEMBER"])
        #expect(try await identity.value("select member_count from groups where id = '\(id)'") == "1")
      }
      #expect(try await identity.groupsAreSound())
    }
  }

  @Test("[ID-42] the last one leaves while 20 whom they invited accept: the group is gone, or lives with who accepted")
  func lastLeavesWhileJoining() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.insertUsers(20)
      let invited = try await identity.logins(of: 1...20)
      for _ in 0..<2 {
        let id = try await identity.group(of: ada)
        var open: [String] = []
        for number in 1...20 { open.append(try await identity.invite(.inserted(number), to: id, by: ada)) }

        let results = await identity.race(21) { [open] client, caller in
          if caller == 3 {
            _ = try await GroupsClient(client).leaveGroup(LeaveGroupRequest(groupID: id), .user(ada))
          } else {
            let place = caller < 3 ? caller : caller - 1
            _ = try await InvitationsClient(client).acceptInvitation(
              AcceptInvitationRequest(invitationID: open[place]), .user(invited[place]))
          }
        }

        let joined = results.successes().count - 1
        let left = try await identity.value("select member_count from groups where id = '\(id)'")
        #expect(results.refusals().allSatisfy { $0.reason == "INVITATION_NOT_FOUND" }, "\(results.refusals())")
        #expect(left == (joined == 0 ? nil : "\(joined)"))
        #expect(try await identity.groupsAreSound())
        let told = try await identity.groupEvents(id)
        #expect(told.filter { $0 == "GroupMemberAdded" }.count == joined + 1)
        #expect(told.contains("GroupDeleted") == (joined == 0))
        for place in 0..<20 { #expect(try await identity.openInvitations(to: invited[place]) == []) }
      }
    }
  }

  @Test("[C-9] who deletes their account is out of every group, and of their last one nothing is left")
  func departure() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let (own, shared) = (try await identity.group(of: ada), try await identity.group(of: grace))
      try await identity.add(.ada, to: shared, by: grace)

      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))

      #expect(try await identity.sql("select id, member_count from groups") == [[shared, "1"]])
      #expect(try await identity.groupEvents(own).suffix(2) == ["GroupMemberRemoved", "GroupDeleted"])
      #expect(try await identity.groupEvents(shared).last == "GroupMemberRemoved")
      #expect(try await identity.members(of: shared, for: grace) == ["grace.h"])
    }
  }

  @Test("[C-9] an account that is deleted while it is invited to 15 groups and joins 16 is in none in the end")
  func departureWhileJoining() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let groups = try await identity.insertGroups(31, of: grace)
      var open: [String] = []
      for group in groups.prefix(16) { open.append(try await identity.invite(.ada, to: group, by: grace)) }

      let results = await identity.race(32) { [open] client, caller in
        switch caller {
        case 9:
          _ = try await AccountsClient(client).deleteAccount(
            DeleteAccountRequest(password: User.ada.password), .user(ada))
        case _ where caller % 2 == 0:
          _ = try await InvitationsClient(client).acceptInvitation(
            AcceptInvitationRequest(invitationID: open[caller / 2]), .user(ada))
        default:
          _ = try await GroupsClient(client).addGroupMember(
            AddGroupMemberRequest(groupID: groups[min(16 + caller / 2, 30)], email: User.ada.email), .user(grace))
        }
      }

      let expected: Set = [
        "EMAIL_NOT_FOUND", "TOO_MANY_OPEN_INVITATIONS", "ALREADY_INVITED", "INVITATION_NOT_FOUND", "TOKEN_REVOKED",
        "TOKEN_INVALID",
      ]
      #expect(results.refusals().allSatisfy { expected.contains($0.reason ?? "") }, "\(results.refusals())")
      #expect(try await identity.value("select count(*) from accounts where username = 'ada'") == "0")
      #expect(try await identity.value("select count(*) from group_members") == "31")
      #expect(try await identity.value("select count(*) from group_invitations") == "0")
      #expect(try await identity.groupsAreSound())
    }
  }
}
