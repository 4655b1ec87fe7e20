import TTRPC
import TandemEvents
import TandemIdentity
import TestSupport
import Testing

@Suite("changes for offline use", .ownThreads, .timeLimit(.minutes(5)))
struct OwnChangesTests {
  /// What a client keeps, brought up to date by the method under test.
  private struct Device {
    var since = ""
    var profile: Profile?
    var groups: [String: Group] = [:]
    var members: [String: [String: String]] = [:]
    var resets = 0

    /// Waits until all transactions of before have ended, of other tests too, and takes all changes.
    mutating func sync(_ identity: RunningIdentity, _ login: LoginResponse, page: Int32 = 50) async throws -> Int {
      let now = try await identity.value("select pg_snapshot_xmax(pg_current_snapshot())") ?? ""
      _ = try await eventually("the transactions of before \(now) have ended") {
        try await identity.value("select 'yes' where pg_snapshot_xmin(pg_current_snapshot()) >= '\(now)'::xid8")
      }
      return try await take(identity, login, page: page)
    }

    /// Takes all changes that are settled, in pages of a size, and returns how many there were.
    mutating func take(_ identity: RunningIdentity, _ login: LoginResponse, page: Int32 = 50) async throws -> Int {
      var count = 0
      while true {
        let answer = try await identity.groups.listMyChanges(
          ListMyChangesRequest(since: since, pageSize: page), .user(login))
        if answer.reset { (profile, groups, members, resets) = (nil, [:], [:], resets + 1) }
        for change in answer.changes { take(change) }
        (since, count) = (answer.nextSince, count + answer.changes.count)
        if !answer.more { return count }
      }
    }

    private mutating func take(_ change: OwnChange) {
      if let profile = change.profile { self.profile = profile }
      if let group = change.group { groups[group.groupID] = group }
      if let gone = change.formerGroup { (groups[gone.groupID], members[gone.groupID]) = (nil, nil) }
      if let member = change.member, let user = member.member {
        members[member.groupID, default: [:]][user.userID] = user.username
      }
      if let gone = change.formerMember { members[gone.groupID]?[gone.userID] = nil }
    }
  }

  @Test("[C-11] profile, groups and members are told whole at first, then only what changed, gone ones included")
  func follows() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group(of: ada)
      var device = Device()

      let first = try await device.sync(identity, ada)
      #expect(first == 3 && device.profile?.username == "ada" && device.groups[group]?.name == "Runners")
      #expect(device.members == [group: [ada.userID: "ada"]])
      let count1 = try await device.sync(identity, ada)
      #expect(count1 == 0)

      try await identity.add(.grace, to: group, by: ada)
      let count2 = try await device.sync(identity, ada)
      #expect(count2 == 2)
      #expect(device.groups[group]?.memberCount == 2 && device.members[group]?[grace.userID] == "grace.h")

      _ = try await identity.accounts.changeUsername(ChangeUsernameRequest(username: "hopper"), .user(grace))
      let count3 = try await device.sync(identity, ada)
      #expect(count3 == 1 && device.members[group]?[grace.userID] == "hopper")

      _ = try await identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(timeZone: "Asia/Singapore")), .user(ada))
      let count4 = try await device.sync(identity, ada)
      #expect(count4 == 1 && device.profile?.timeZone == "Asia/Singapore")

      _ = try await identity.groups.removeGroupMember(
        RemoveGroupMemberRequest(groupID: group, userID: grace.userID), .user(ada))
      _ = try await device.sync(identity, ada)
      #expect(device.members == [group: [ada.userID: "ada"]])

      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(ada))
      _ = try await device.sync(identity, ada)
      #expect(device.groups.isEmpty && device.members.isEmpty && device.resets == 0)
    }
  }

  @Test("[C-11] a member who left while one was out, and one who comes back, are told; so is a picture")
  func comesBack() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let eve = try await identity.loggedIn(.eve)
      let group = try await identity.group(of: ada)
      try await identity.add(.grace, to: group, by: ada)
      try await identity.add(.eve, to: group, by: ada)
      var device = Device()
      _ = try await device.sync(identity, grace)

      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(grace))
      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(eve))
      try await identity.add(.grace, to: group, by: ada)
      _ = try await device.sync(identity, grace, page: 1)
      #expect(device.members == [group: [ada.userID: "ada", grace.userID: "grace.h"]])

      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(grace))
      let count5 = try await device.sync(identity, grace)
      #expect(count5 == 1 && device.profile?.pictureEtag.isEmpty == false)
      _ = try await identity.profiles.deleteProfilePicture(DeleteProfilePictureRequest(), .user(grace))
      let count6 = try await device.sync(identity, grace)
      #expect(count6 == 1 && device.profile?.pictureEtag.isEmpty == true)
    }
  }

  @Test("[C-11] [C-9] a member whose account is deleted is gone from the others' devices")
  func deletedMember() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let group = try await identity.group(of: ada)
      try await identity.add(.grace, to: group, by: ada)
      var device = Device()
      _ = try await device.sync(identity, ada)

      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.grace.password), .user(grace))
      _ = try await device.sync(identity, ada)

      #expect(device.members == [group: [ada.userID: "ada"]])
    }
  }

  @Test("[C-11] what a transaction changed that began before a call and ended after it is not skipped")
  func openTransaction() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let group = try await identity.group(of: ada)
      var device = Device()
      // It has its number, and is still open while something else is changed and listed.
      async let change = identity.sql(
        """
        begin;
        update groups set name = 'Late' where id = '\(group)';
        do $$ begin
          for attempt in 1..6000 loop
            if exists (select from departures) then return; end if;
            -- Nobody tells a transaction that a row has come.
            perform pg_sleep(0.01);
          end loop;
          raise 'the change was never listed';
        end $$;
        commit
        """)
      _ = try await eventually("the change has begun") {
        try await identity.value(
          "select 1 from pg_stat_activity where datname = current_database() and query like '%for attempt in 1..6000%'"
            + " and wait_event = 'PgSleep'")
      }
      _ = try await identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(timeZone: "Asia/Singapore")), .user(ada))
      _ = try await device.take(identity, ada)
      try await identity.sql("insert into departures (account_id, deleted_at) values (gen_random_uuid(), now())")
      _ = try await change

      _ = try await device.sync(identity, ada)

      #expect(device.groups[group]?.name == "Late" && device.profile?.timeZone == "Asia/Singapore")
    }
  }

  @Test("[C-11] [C-2] another user's token, a changed one and a negative size are refused, and named together")
  func refuses() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let token = try await identity.groups.listMyChanges(ListMyChangesRequest(), .user(ada)).nextSince

      for since in [token + "A", String(token.dropLast(4)), "x", String(repeating: "A", count: 10_000)] {
        let bad = try await refusal {
          try await identity.groups.listMyChanges(ListMyChangesRequest(since: since, pageSize: -1), .user(ada))
        }
        #expect(bad.code == .invalidArgument && Set(bad.fields) == ["since", "page_size"])
      }
      let foreign = try await refusal {
        try await identity.groups.listMyChanges(ListMyChangesRequest(since: token), .user(grace))
      }
      #expect(foreign.reason == "CHANGE_TOKEN_INVALID")
    }
  }

  @Test("[C-11] 29-B8: after a restore a token of before begins anew, once, and nothing later is skipped")
  func restored() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let group = try await identity.group(of: ada)
      var device = Device()
      _ = try await device.sync(identity, ada)
      // What becomes of a log whose database is restored on a server that counts transactions from elsewhere.
      try await identity.sql(
        """
        insert into event_epochs (next_transaction_id, ended_transaction_id, ended_id)
        values ((1::bigint << 45)::text::xid8, '3', 0);
        update event_log set transaction_offset = 1::bigint << 45;
        """)
      _ = try await device.sync(identity, ada)
      let again = try await device.sync(identity, ada)
      #expect(again == 0 && device.resets == 1)
      _ = try await identity.groups.updateGroup(
        UpdateGroupRequest(group: Group(groupID: group, name: "Walkers")), .user(ada))

      let count7 = try await device.sync(identity, ada)
      #expect(count7 == 1)
      #expect(device.resets == 1 && device.groups[group]?.name == "Walkers" && device.profile?.username == "ada")
    }
  }

  @Test("[C-11] a token over 180 days old begins anew")
  func oldToken() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let group = try await identity.group(of: ada)
      var device = Device()
      _ = try await device.sync(identity, ada)
      _ = try await identity.groups.leaveGroup(LeaveGroupRequest(groupID: group), .user(ada))
      identity.clock.advance(by: .seconds(181 * 24 * 3_600))
      let later = try await identity.accounts.login(User.ada.login)

      _ = try await device.sync(identity, later)

      #expect(device.resets == 1 && device.groups.isEmpty && device.profile?.username == "ada")
    }
  }
}
