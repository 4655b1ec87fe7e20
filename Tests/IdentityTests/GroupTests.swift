import Identifiers
import IdentityStore
import Postgres
import TTRPC
import TestServices
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("groups")
struct GroupTests {
  // MARK: Making

  @Test("[ID-40] who makes a group is its first member")
  func creates() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let made = try await identity.groups.createGroup(
        CreateGroupRequest(group: Group(name: "  Early birds \u{1F426} ")), .user(ada))

      #expect(made.name == "Early birds \u{1F426}" && made.memberCount == 1)
      #expect(made.createTime?.seconds == identity.clock.now.wholeSeconds)
      let read = try await identity.groups.getGroup(GetGroupRequest(groupID: made.groupID), .user(ada))
      let listed = try await identity.groups.listGroups(ListGroupsRequest(), .user(ada)).groups
      #expect(read == made && listed == [made])
      #expect(try await identity.members(of: made.groupID, for: ada) == ["ada"])
      #expect(try await identity.groupEvents(made.groupID) == ["GroupCreated", "GroupMemberAdded"])
    }
  }

  @Test(
    "[ID-40] a group's name has 1 to 80 characters",
    arguments: ["", "   ", String(repeating: "x", count: 81), "a\u{0}b", "a\nb"])
  func refusesName(name: String) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let status = try await refusal { try await identity.group(name, of: ada) }
      #expect(
        status.code == .invalidArgument && status.reason == "GROUP_NAME_INVALID" && status.fields == ["group.name"])
      _ = try await identity.group(String(repeating: "\u{1F426}", count: 80), of: ada)
    }
  }

  @Test("[ID-40] [C-6] [C-4] validate_only stores nothing, and a repeated request_id makes one group")
  func repeats() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      var call = CreateGroupRequest(group: Group(name: "Runners"), validateOnly: true)
      _ = try await identity.groups.createGroup(call, .user(ada))
      #expect(try await identity.value("select count(*) from groups") == "0")
      (call.validateOnly, call.requestID) = (false, "0197a5a0-0000-4000-8000-000000000021")

      let results = await identity.race(32) { [call] client, _ in
        try await GroupsClient(client).createGroup(call, .user(ada))
      }

      let first = try #require(results.successes().first)
      #expect(results.successes() == Array(repeating: first, count: 32), "\(results.refusals())")
      #expect(try await identity.value("select count(*) from groups") == "1")
    }
  }

  @Test("[ID-40] the caller's groups are listed page by page, and nobody else's")
  func lists() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      var made: [String] = []
      for name in ["One", "Two", "Three"] {
        identity.clock.advance(by: .seconds(1))
        try await made.append(identity.group(name, of: ada))
      }
      _ = try await identity.group("Hers", of: grace)

      let first = try await identity.groups.listGroups(ListGroupsRequest(pageSize: 2), .user(ada))
      let second = try await identity.groups.listGroups(
        ListGroupsRequest(pageSize: 2, pageToken: first.nextPageToken), .user(ada))

      #expect((first.groups + second.groups).map(\.groupID) == made && second.nextPageToken.isEmpty)
    }
  }

  // MARK: Adding

  @Test("[ID-41] only members add; the target exists, is verified and not in the group yet")
  func refusesToAdd() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      _ = try await identity.accounts.register(User.eve.registration)
      let group = try await identity.group(of: ada)
      func refused(_ email: String, _ caller: LoginResponse, _ id: String) async throws -> Status {
        try await refusal {
          try await identity.groups.addGroupMember(AddGroupMemberRequest(groupID: id, email: email), .user(caller))
        }
      }

      let stranger = try await refused(User.ada.email, grace, group)
      let noGroup = try await refused(User.grace.email, ada, "019bc186-de00-7000-8080-000000000000")
      let twice = try await refused(User.ada.email, ada, group)
      let bad = try await refused("x", ada, "x")

      for status in [stranger, noGroup] {
        #expect(status.code == .permissionDenied && status.reason == "NOT_A_MEMBER")
      }
      for email in ["nobody@example.com", User.eve.email] {
        let status = try await refused(email, ada, group)
        #expect(status.code == .notFound && status.reason == "EMAIL_NOT_FOUND")
      }
      #expect(twice.code == .alreadyExists && twice.reason == "ALREADY_A_MEMBER")
      #expect(twice.message == "already a group member")
      #expect(bad.code == .invalidArgument && bad.fieldReasons == ["GROUP_ID_INVALID", "EMAIL_INVALID"])
      #expect(try await identity.value("select count(*) from group_members") == "1")
    }
  }

  @Test("[ID-41] who tries 20 unknown addresses within an hour has to wait, for known ones too")
  func strangers() async throws {
    try await RunningIdentity.with { identity in
      let (ada, _) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group(of: ada)
      let results = await identity.race(20) { client, caller in
        try await GroupsClient(client).addGroupMember(
          AddGroupMemberRequest(groupID: group, email: "nobody\(caller)@example.com"), .user(ada))
      }

      let status = try await refusal { try await identity.add(.grace, to: group, by: ada) }

      #expect(results.refusals().filter { $0.reason == "EMAIL_NOT_FOUND" }.count == 20)
      #expect(status.code == .resourceExhausted && status.reason == "TOO_MANY_STRANGERS")
      #expect(status.retryAfter == .seconds(3_600))
    }
  }

  @Test("[ID-40] a person is in at most 200 groups, also when 32 are made at once")
  func tooMany() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.insertGroups(197, of: ada)

      let results = await identity.race(32) { client, _ in
        try await GroupsClient(client).createGroup(CreateGroupRequest(group: Group(name: "One more")), .user(ada))
      }

      #expect(results.successes().count == 3)
      #expect(results.refusals().allSatisfy { $0.code == .failedPrecondition && $0.reason == "TOO_MANY_GROUPS" })
      #expect(Set(results.refusals().map(\.message)) == ["You are in as many groups as a person can be"])
      #expect(try await identity.value("select count(*) from group_members") == "200")
    }
  }

  @Test("[ID-41] [C-10] of 16 calls that invite a user at the moment in which that user blocks the inviter none does")
  func blockedMeanwhile() async throws {
    try await RunningIdentity.with { identity in
      let (ada, eve) = (try await identity.loggedIn(), try await identity.loggedIn(.eve))

      let results = try await invite(.eve, by: ada, while: eve, blocks: ada, identity)

      #expect(results.successes().isEmpty)
      #expect(results.refusals().map(\.reason) == Array(repeating: "EMAIL_NOT_FOUND", count: 16))
      #expect(try await identity.value("select count(*) from group_invitations") == "0")
    }
  }

  @Test("[ID-23] [C-10] of 16 calls that invite a user at the moment in which the inviter blocks them none is shown")
  func hiddenMeanwhile() async throws {
    try await RunningIdentity.with { identity in
      let (ada, eve) = (try await identity.loggedIn(), try await identity.loggedIn(.eve))

      let results = try await invite(.eve, by: ada, while: ada, blocks: eve, identity)

      // The answers are those that anybody's address gets.
      let made = results.successes()
      #expect(made.count == 16 && made.allSatisfy { $0.state == .pending && $0.email == User.eve.email })
      #expect(try await identity.openInvitations(to: eve).isEmpty)
      let first = try #require(made.first)
      let refused = try await refusal { try await identity.accept(first.invitationID, as: eve) }
      #expect(refused.code == .notFound && refused.reason == "INVITATION_NOT_FOUND")
      #expect(try await identity.value("select count(*) from notifications where account_id = '\(eve.userID)'") == "0")
    }
  }

  /// Invites a user to 16 groups at once, by calls that wait for a block which is under way.
  private func invite(
    _ user: User, by inviter: LoginResponse, while blocker: LoginResponse, blocks blocked: LoginResponse,
    _ identity: RunningIdentity
  ) async throws -> [Result<GroupInvitation, any Error>] {
    var calls: [AddGroupMemberRequest] = []
    for number in 0..<16 {
      let group = try await identity.group("Group \(number)", of: inviter)
      calls.append(AddGroupMemberRequest(groupID: group, email: user.email))
    }
    let (blockerID, blockedID) = (try #require(UserID(blocker.userID)), try #require(UserID(blocked.userID)))
    let ready = calls
    let results = Gathered<Result<GroupInvitation, any Error>>()
    try await identity.database.opened(as: "identity") { own in
      try await withThrowingTaskGroup(of: [Result<GroupInvitation, any Error>].self) { group in
        try await own.transaction { tx in
          // As a block does: first the account.
          _ = try await tx.rows(LockUsers(userIDs: [blockerID]))
          group.addTask {
            await identity.race(16) { client, number in
              try await GroupsClient(client).addGroupMember(ready[number], .user(inviter))
            }
          }
          _ = try await eventually("they wait for the account") {
            try await identity.value(
              "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
          }
          try await tx.execute(InsertBlock(blockerID: blockerID, now: identity.clock.now, blockedID: blockedID))
        }
        for result in try await group.next() ?? [] { results.add(result) }
      }
    }
    return results.all
  }
}
