import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// What strangers tried while they could put users into groups.
@Suite("attacks by invitations", .timeLimit(.minutes(5)))
struct InvitationAttackTests {
  @Test("[ID-44] 1,000 cycles of adding and removing send one mail, with no text of the attacker in its subject")
  func flood() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group("Win at evil.example", of: ada)

      for _ in 0..<1_000 {
        _ = try? await identity.groups.addGroupMember(
          AddGroupMemberRequest(groupID: group, email: User.grace.email), .user(ada))
        _ = try? await identity.groups.removeGroupMember(
          RemoveGroupMemberRequest(groupID: group, userID: grace.userID), .user(ada))
      }

      _ = try await eventually("all mail is sent") {
        try await identity.value("select 1 where not exists (select from deliveries where state = 'DUE')")
      }
      let mails = try identity.mails(to: User.grace.email)
      let subjects = mails.compactMap { $0.split(separator: "\r\n").first { $0.hasPrefix("Subject: ") } }
      #expect(
        subjects.sorted() == ["Subject: Please confirm your email address", "Subject: You are invited to a group"])
      #expect(mails.allSatisfy { !$0.contains("evil.example") })
      #expect(try await identity.value("select count(*) from notifications") == "1")
    }
  }

  @Test("[ID-44] [ID-23] who puts another user into a group does not see the phone number of GROUPS_IN_COMMON")
  func phoneNumber() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      let contact = ContactInformation(phone: "+6561234567", visibility: .groupsInCommon)
      _ = try await identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(contact: contact), updateMask: .init(paths: ["contact"])), .user(grace))
      let group = try await identity.group(of: ada)

      _ = try await identity.groups.addGroupMember(
        AddGroupMemberRequest(groupID: group, email: User.grace.email), .user(ada))

      let seen = try await identity.profiles.getProfile(GetProfileRequest(username: "grace.h"), .user(ada))
      #expect(seen.contact == nil)
      #expect(try await identity.value("select count(*) from group_members") == "1")
    }
  }

  @Test("[ID-44] two attackers with 200 groups do not fill those of their victim")
  func fillGroups() async throws {
    try await RunningIdentity.with { identity in
      let attackers = [try await identity.loggedIn(), try await identity.loggedIn(.eve)]
      let grace = try await identity.loggedIn(.grace)
      for attacker in attackers {
        let made = try await identity.sql(
          """
          with made as (
            insert into groups (id, name, member_count, created_at)
            select gen_random_uuid(), 'x', 1, now() from generate_series(1, 100) returning id
          )
          insert into group_members (group_id, account_id, id, joined_at)
          select id, '\(attacker.userID)', gen_random_uuid(), now() from made returning group_id
          """)
        for group in made.compactMap({ $0.first ?? nil }) {
          _ = try? await identity.groups.addGroupMember(
            AddGroupMemberRequest(groupID: group, email: User.grace.email), .user(attacker))
        }
      }

      _ = try await identity.group("Her own", of: grace)

      #expect(try await identity.groups.listGroups(ListGroupsRequest(), .user(grace)).groups.map(\.name) == ["Her own"])
    }
  }
}
