import Identifiers
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("what ends invitations to groups, how many there may be, and bad input")
struct InvitationEndTests {
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
