import IdentityStore
import TTRPC
import TandemIdentity
import TestSupport
import Testing

extension RunningIdentity {
  var safety: SafetyClient { SafetyClient(client) }

  /// A logged-in user with a profile.
  func member(_ user: User = .ada) async throws -> LoginResponse {
    let login = try await loggedIn(user)
    _ = try await profiles.createProfile(CreateProfileRequest(profile: .complete), .user(login))
    return login
  }

  /// The usernames that a search finds.
  func search(_ prefix: String, _ login: LoginResponse) async throws -> [String] {
    try await profiles.searchProfiles(SearchProfilesRequest(prefix: prefix), .user(login)).profiles.map(\.username)
  }
}

@Suite("blocking and reporting")
struct SafetyTests {
  private func block(_ identity: RunningIdentity, _ blocked: LoginResponse, by blocker: LoginResponse) async throws {
    _ = try await identity.safety.blockUser(BlockUserRequest(userID: blocked.userID), .user(blocker))
  }

  private func sees(_ identity: RunningIdentity, _ name: String, _ viewer: LoginResponse) async throws -> Bool {
    do {
      _ = try await identity.profiles.getProfile(GetProfileRequest(username: name), .user(viewer))
      return true
    } catch let status as Status {
      #expect(status.code == .notFound && status.message == "There is no such person")
      return false
    }
  }

  @Test("[ID-26] [C-10] a block makes both invisible to each other in profiles and searches, until it is taken back")
  func invisible() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      #expect(try await identity.search("g", ada) == ["grace.h"])

      try await block(identity, grace, by: ada)

      #expect(try await sees(identity, "grace.h", ada) == false)
      #expect(try await sees(identity, "ada", grace) == false)
      #expect(try await identity.search("g", ada).isEmpty)
      #expect(try await identity.search("a", grace).isEmpty)
      #expect(try await sees(identity, "ada", ada))
      _ = try await identity.safety.unblockUser(UnblockUserRequest(userID: grace.userID), .user(ada))
      #expect(try await sees(identity, "grace.h", ada))
      #expect(try await sees(identity, "ada", grace))
    }
  }

  @Test("[C-10] where both have blocked each other, one block that is taken back changes nothing")
  func mutual() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      try await block(identity, grace, by: ada)
      try await block(identity, ada, by: grace)

      _ = try await identity.safety.unblockUser(UnblockUserRequest(userID: grace.userID), .user(ada))

      #expect(try await sees(identity, "grace.h", ada) == false)
      #expect(try await sees(identity, "ada", grace) == false)
    }
  }

  @Test("[C-10] [ID-20] blocking by id tells the name that a profile shows, also of a user without a gym part")
  func withoutGymPart() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.loggedIn(.grace))

      let answer = try await identity.safety.blockUser(BlockUserRequest(userID: grace.userID), .user(ada))
      let listed = try await identity.safety.listBlockedUsers(ListBlockedUsersRequest(), .user(ada))

      #expect(answer.userID == grace.userID && answer.username == "grace.h")
      #expect(listed.blockedUsers == [answer])
    }
  }

  @Test("[C-10] blocking by id does not tell the new name of a user who has blocked the caller")
  func newNameOfBlocker() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      try await block(identity, ada, by: grace)
      _ = try await identity.accounts.changeUsername(ChangeUsernameRequest(username: "hopper"), .user(grace))

      let answer = try await identity.safety.blockUser(BlockUserRequest(userID: grace.userID), .user(ada))

      #expect(answer.userID == grace.userID && answer.username == "")
    }
  }

  @Test("[C-10] [ID-23] blocking by id does not tell the name of a user whose invitation is hidden from the caller")
  func nameOfHiddenInviter() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      let group = try await identity.group(of: ada)
      try await block(identity, grace, by: ada)
      try await identity.invite(.grace, to: group, by: ada)

      let answer = try await identity.safety.blockUser(BlockUserRequest(userID: ada.userID), .user(grace))

      #expect(answer.userID == ada.userID && answer.username == "")
    }
  }

  @Test("[C-10] a blocked user's new name is not told: the list and a repeated block have the one of the block")
  func newNameOfBlocked() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      try await block(identity, grace, by: ada)
      _ = try await identity.accounts.changeUsername(ChangeUsernameRequest(username: "hopper"), .user(grace))

      let again = try await identity.safety.blockUser(BlockUserRequest(userID: grace.userID), .user(ada))
      let listed = try await identity.safety.listBlockedUsers(ListBlockedUsersRequest(), .user(ada))

      #expect(again.username == "grace.h" && listed.blockedUsers.map(\.username) == ["grace.h"])
    }
  }

  @Test(
    "[ID-26] M-5: a block says whether the blocker reported the user within the hour before, and nobody else's report counts"
  )
  func reportedBlock() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      func isReported(by blocker: LoginResponse) async throws -> Bool {
        try await block(identity, grace, by: blocker)
        _ = try await identity.safety.unblockUser(UnblockUserRequest(userID: grace.userID), .user(blocker))
        // The field is the last of the event.
        let field = "select encode(payload, 'hex') like '%2001' from events where type like '%.UserBlocked'"
        return try await identity.value("\(field) order by id desc limit 1") == "t"
      }
      _ = try await identity.safety.reportUser(ReportUserRequest(userID: ada.userID, reason: .spam), .user(grace))
      #expect(try await !isReported(by: ada))
      _ = try await identity.safety.reportUser(
        ReportUserRequest(userID: grace.userID, reason: .harassment), .user(ada))
      #expect(try await isReported(by: ada))
      identity.clock.advance(by: .seconds(3_601))
      #expect(try await !isReported(by: try await identity.accounts.login(User.ada.login)))
    }
  }

  @Test("[ID-26] 29 B11: a report within the hour after a block tells it again, as reported; a later one does not")
  func reportedAfterBlock() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      let told = "select count(*) from events where type like '%.UserBlocked'"
      func report(by reporter: LoginResponse) async throws {
        _ = try await identity.safety.reportUser(
          ReportUserRequest(userID: grace.userID, reason: .harassment), .user(reporter))
      }
      try await block(identity, grace, by: ada)
      #expect(try await identity.value(told) == "1")
      try await report(by: ada)
      #expect(try await identity.value(told) == "2")
      identity.clock.advance(by: .seconds(3_601))
      try await report(by: try await identity.accounts.login(User.ada.login))
      #expect(try await identity.value(told) == "2")
    }
  }

  @Test("[ID-26] lists whom the caller has blocked, and only that")
  func lists() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      let eve = try await identity.member(.eve)
      try await block(identity, grace, by: ada)
      identity.clock.advance(by: .seconds(1))
      try await block(identity, eve, by: ada)

      let first = try await identity.safety.listBlockedUsers(ListBlockedUsersRequest(pageSize: 1), .user(ada))
      let second = try await identity.safety.listBlockedUsers(
        ListBlockedUsersRequest(pageSize: 1, pageToken: first.nextPageToken), .user(ada))
      let hers = try await identity.safety.listBlockedUsers(ListBlockedUsersRequest(), .user(grace))

      #expect(first.blockedUsers.map(\.username) == ["eve"] && first.blockedUsers[0].userID == eve.userID)
      #expect(second.blockedUsers.map(\.username) == ["grace.h"] && second.nextPageToken.isEmpty)
      #expect(first.blockedUsers[0].blockTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(hers.blockedUsers.isEmpty)
    }
  }

  @Test("[ID-26] every change is told to the other services once, and 32 callers at once change it once")
  func events() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      let (blocking, unblocking) = (BlockUserRequest(userID: grace.userID), UnblockUserRequest(userID: grace.userID))

      let blocks = await identity.race(32) { client, _ in
        try await SafetyClient(client).blockUser(blocking, .user(ada))
      }
      let unblocks = await identity.race(32) { client, _ in
        try await SafetyClient(client).unblockUser(unblocking, .user(ada))
      }

      #expect(blocks.successes().count == 32 && unblocks.successes().count == 32, "\(blocks.refusals())")
      let told = try await identity.sql("select type, key from events where topic = 'identity.blocks' order by id")
      let key = "\(ada.userID)/\(grace.userID)"
      #expect(told == [["tandem.events.v1.UserBlocked", key], ["tandem.events.v1.UserUnblocked", key]])
    }
  }

  @Test("[ID-26] blocks that race with their taking back leave events that end in what is stored")
  func raceOfChanges() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))

      let results = await identity.race(32) { client, caller in
        let safety = SafetyClient(client)
        if caller % 2 == 0 {
          _ = try await safety.blockUser(BlockUserRequest(userID: grace.userID), .user(ada))
        } else {
          _ = try await safety.unblockUser(UnblockUserRequest(userID: grace.userID), .user(ada))
        }
      }

      #expect(results.refusals().isEmpty, "\(results.refusals())")
      let stored = try await identity.value("select count(*) from blocks")
      let told = try await identity.sql(
        "select type from events where topic = 'identity.blocks' order by transaction_id, id")
      let types = told.compactMap { $0.first ?? nil }
      // They come in turn, and the last one says how it is.
      #expect(zip(types, types.dropFirst()).allSatisfy { $0 != $1 }, "\(types)")
      #expect((types.last == "tandem.events.v1.UserBlocked") == (stored == "1"))
    }
  }

  @Test("[C-10] services alone list all blocks, and page by page they skip none")
  func allBlocks() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
        try await block(identity, grace, by: ada)
        try await block(identity, ada, by: grace)
        let pages = try await identity.with(client: "catalog", certificates) { client in
          let directory = DirectoryClient(client)
          let first = try await directory.listBlocks(ListBlocksRequest(pageSize: 1))
          let token = first.nextPageToken
          return [first, try await directory.listBlocks(ListBlocksRequest(pageSize: 1, pageToken: token))]
        }
        let notAService = try await refusal {
          try await DirectoryClient(identity.client).listBlocks(ListBlocksRequest(), .user(ada))
        }

        let listed = pages.flatMap(\.blocks).map { [$0.blockerUserID, $0.blockedUserID] }
        #expect(Set(listed) == [[ada.userID, grace.userID], [grace.userID, ada.userID]])
        #expect(pages.map(\.blocks.count) == [1, 1] && pages.last?.nextPageToken == "")
        #expect(notAService.code == .permissionDenied)
      }
    }
  }

  @Test("[ID-26] nobody blocks or reports themselves, or who does not exist")
  func refuses() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()
      let nobody = "019bc186-de00-7000-8080-000000000000"
      func blocked(_ id: String) async throws -> Status {
        try await refusal { try await identity.safety.blockUser(BlockUserRequest(userID: id), .user(ada)) }
      }
      func reported(_ id: String) async throws -> Status {
        try await refusal {
          try await identity.safety.reportUser(ReportUserRequest(userID: id, reason: .spam), .user(ada))
        }
      }

      for status in [try await blocked("x"), try await reported("x")] {
        #expect(status.code == .invalidArgument && status.reason == "USER_ID_INVALID")
      }
      for status in [try await blocked(ada.userID), try await reported(ada.userID)] {
        #expect(status.code == .invalidArgument && status.reason == "OWN_ACCOUNT")
      }
      for status in [try await blocked(nobody), try await reported(nobody)] {
        #expect(status.code == .notFound && status.reason == "USER_NOT_FOUND")
      }
    }
  }

  @Test("[ID-26] of 1,000 people 32 more are blocked at once by nobody who has blocked 999")
  func limit() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()
      try await identity.sql(
        """
        insert into accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
        select gen_random_uuid(), n || '@x.org', n || '@x.org', 'user' || n, '$x$y', now(), now()
        from generate_series(1, 1031) as n;
        insert into blocks select '\(ada.userID)', id, now() from accounts where username ~ '^user' limit 999;
        """)
      let others = try await identity.sql(
        "select id from accounts where username ~ '^user' and id not in (select blocked_id from blocks)"
      ).compactMap { $0.first ?? nil }

      let results = await identity.race(others.count) { client, caller in
        try await SafetyClient(client).blockUser(BlockUserRequest(userID: others[caller]), .user(ada))
      }

      #expect(others.count == 32 && results.successes().count == 1)
      #expect(results.refusals().allSatisfy { $0.code == .failedPrecondition && $0.reason == "TOO_MANY_BLOCKED" })
    }
  }

  // MARK: Search

  @Test("[ID-24] a search finds people by the beginning of their usernames, in order, page by page")
  func searches() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()
      for name in ["Zoe", "zo_z", "zo.a", "zelda"] {
        _ = try await identity.member(User(email: "\(name)@example.com", username: name))
      }

      let all = try await identity.search("ZO", ada)
      var call = SearchProfilesRequest(prefix: "z", pageSize: 3)
      let first = try await identity.profiles.searchProfiles(call, .user(ada))
      call.pageToken = first.nextPageToken
      let second = try await identity.profiles.searchProfiles(call, .user(ada))

      #expect(all == ["zo.a", "zo_z", "Zoe"])
      #expect(first.profiles.map(\.username) == ["zelda", "zo.a", "zo_z"])
      #expect(second.profiles.map(\.username) == ["Zoe"] && second.nextPageToken.isEmpty)
      #expect(try await identity.search("zoot", ada).isEmpty)
      for prefix in ["", "%", "z ", "z{", String(repeating: "z", count: 31)] {
        let status = try await refusal { try await identity.search(prefix, ada) }
        #expect(status.code == .invalidArgument && status.reason == "PREFIX_INVALID")
      }
    }
  }

  // MARK: Reports

  @Test("[ID-26] a report can be read by operators, with its reason and evidence, and by nobody else")
  func reports() async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
        let evidence = ["019bc186-de00-7000-8080-000000000001", "019bc186-de00-7000-8080-000000000002"]
        let call = ReportUserRequest(
          userID: grace.userID, reason: .harassment, remarks: "She wrote\nthings.", evidenceIds: evidence)

        let answer = try await identity.safety.reportUser(call, .user(ada))

        func listed(as caller: String, _ call: ListReportsRequest = .init()) async throws -> ListReportsResponse {
          let client = try identity.connected(by: certificates.client(of: "identity", as: caller))
          do {
            let answer = try await OperatorsClient(client).listReports(call)
            await client.close()
            return answer
          } catch {
            await client.close()
            throw error
          }
        }
        let reports = try await listed(as: "operator").reports
        #expect(
          reports == [
            Report(
              reportID: answer.reportID, userID: grace.userID, reporterUserID: ada.userID, reason: .harassment,
              remarks: "She wrote\nthings.", evidenceIds: evidence, createTime: answer.createTime,
              username: "grace.h", reporterUsername: "ada",
              changes: [ReportChange(change: "RECEIVED", actor: "identity", time: answer.createTime)])
          ])
        #expect(try await listed(as: "operator", .init(userID: grace.userID)).reports.count == 1)
        #expect(try await listed(as: "operator", .init(userID: ada.userID)).reports.isEmpty)
        let service = try await refusal { try await listed(as: "matching") }
        let user = try await refusal {
          try await OperatorsClient(identity.client).listReports(ListReportsRequest(), .user(ada))
        }
        #expect(service.code == .permissionDenied && service.reason == "CALLER_NOT_ALLOWED")
        #expect(user.code == .permissionDenied && user.reason == "SERVICE_TOKEN_REQUIRED")
      }
    }
  }

  @Test("[ID-26] [C-2] a report names all that is wrong with it")
  func badReport() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()
      let call = ReportUserRequest(
        userID: "x", remarks: "bell\u{7}", evidenceIds: ["x"], requestID: "x")

      let status = try await refusal { try await identity.safety.reportUser(call, .user(ada)) }

      #expect(status.fields == ["request_id", "user_id", "reason", "remarks", "evidence_ids[0]"])
      #expect(try await identity.value("select count(*) from user_reports") == "0")
    }
  }

  @Test("[ID-26] a person sends 20 reports a day, also when 32 are sent at once")
  func throttled() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      let call = ReportUserRequest(userID: grace.userID, reason: .spam)

      let results = await identity.race(32) { client, _ in
        try await SafetyClient(client).reportUser(call, .user(ada))
      }

      #expect(results.successes().count == 20)
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted && $0.reason == "TOO_MANY_REPORTS" })
      #expect(try await identity.value("select count(*) from user_reports") == "20")
    }
  }

  @Test("[C-9] blocks and reports about somebody go with their account; what they reported is nobody's then")
  func departure() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      try await block(identity, grace, by: ada)
      try await block(identity, ada, by: grace)
      for (reporter, reported) in [(ada, grace), (grace, ada)] {
        _ = try await identity.safety.reportUser(
          ReportUserRequest(userID: reported.userID, reason: .other), .user(reporter))
      }

      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))

      #expect(try await identity.value("select count(*) from blocks") == "0")
      let left = try await identity.sql("select reported_id, reporter_id from user_reports")
      #expect(left == [[grace.userID, nil]])
    }
  }
}

extension SafetyTests {
  @Test("[C-10] blocks from before keep the name that the blocking user could see, and no other")
  func upgraded() async throws {
    let old = TestSchema(
      IdentitySchema.name, Array(IdentitySchema.migrations.prefix { $0.name != "blocked_usernames" }))
    try await TestDatabase.with([old]) { database in
      try await database.sql(
        """
        insert into accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
        select gen_random_uuid(), name || '@x.org', name || '@x.org', name, '$x$y', now(), now()
        from unnest(array['ada', 'grace', 'joan', 'eve']) as users (name);
        insert into profiles (account_id, gender, date_of_birth, level, interests, strengths, time_zone, phone, created_at,
          updated_at)
        select id, 'FEMALE', '1990-01-01', 'NOVICE', '{}', '{}', 'UTC', '', now(), now() from accounts
        where username <> 'eve';
        insert into blocks (blocker_id, blocked_id, blocked_at)
        select one.id, other.id, now() from accounts as one, accounts as other
        where (one.username, other.username) in (('ada', 'grace'), ('ada', 'joan'), ('joan', 'ada'), ('ada', 'eve'));
        """, in: "identity")
      try await RunningIdentity.with(on: database, clock: ManualClock()) { identity in
        let blocks = try await identity.sql(
          """
          select username, blocked_username from blocks join accounts on accounts.id = blocked_id
          order by username
          """)
        #expect(blocks == [["ada", ""], ["eve", ""], ["grace", "grace"], ["joan", ""]])
      }
    }
  }
}
