import MatchingDomain
import TTRPC
import TTRPCClient
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("limits of plans, of many calls at once", .timeLimit(.minutes(5)))
struct PlanLimitTests {
  private static let calls = 32

  /// What 32 calls at once that all mean something new are refused for; the others succeed.
  private static func refusals<R: Sendable>(
    _ matching: RunningMatching, _ call: @escaping @Sendable (RPCClient, Int) async throws -> R
  ) async -> [String] {
    await matching.service.race(calls) { client, number in
      while true {
        do { return try await call(client, number) } catch let status as Status where status.isBusy {
          await Task.yield()
        }
      }
    }.reasons()
  }

  @Test("[MA-18] of 32 searches that a user saves at once 20 are kept")
  func searches() async throws {
    try await RunningMatching.with { matching in
      let call = SaveSearchRequest(name: "Evenings", filter: SearchFilter(focuses: [.yoga]))
      let refused = await Self.refusals(matching) { client, _ in
        try await SavedSearchesClient(client).saveSearch(call, TestUser.grace.options)
      }
      #expect(refused == Array(repeating: "TOO_MANY_SAVED_SEARCHES", count: 12))
      let kept = try await matching.value("select count(*) from saved_searches")
      #expect(kept == "20")
    }
  }

  @Test("[MA-16] A6: of 32 posts at once 30 are open, and a call shows with the limits what is stored of a user")
  func openPosts() async throws {
    try await RunningMatching.with { matching in
      let refused = await Self.refusals(matching) { client, number in
        try await SessionsClient(client).postSession(
          RunningMatching.request(in: 600 + 15 * number, lasting: 15), TestUser.kim.options)
      }
      #expect(refused == Array(repeating: "TOO_MANY_OPEN_POSTS", count: 2))
      #expect(try await matching.value("select count(*) from sessions where state = 'OPEN'") == "30")
      try await matching.save(SearchFilter(focuses: [.yoga]), as: .kim)
      let own = try #require(try await matching.mine(.kim).first)
      _ = try await matching.repetitions.repeatSession(
        RepeatSessionRequest(sessionID: own.sessionID), TestUser.kim.options)
      try await matching.wait(for: try await matching.match(), as: .kim)
      let storage = try await matching.sessions.getStorage(GetStorageRequest(), TestUser.kim.options)
      #expect(
        storage.used == StorageFigures(openPosts: 30, savedSearches: 1, repetitions: 1, waitingLists: 1))
      #expect(
        storage.limits == StorageFigures(openPosts: 30, savedSearches: 20, repetitions: 20, waitingLists: 50))
      let other = try await matching.sessions.getStorage(GetStorageRequest(), TestUser.ada.options)
      #expect(other.used == StorageFigures())
    }
  }

  @Test("[MA-20] of 32 links to a user's calendar at once 10 are made")
  func calendarLinks() async throws {
    try await RunningMatching.with { matching in
      let refused = await Self.refusals(matching) { client, _ in
        try await CalendarsClient(client).createCalendarLink(.init(), TestUser.ada.options)
      }
      #expect(refused == Array(repeating: "TOO_MANY_CALENDAR_LINKS", count: 22))
      let kept = try await matching.value("select count(*) from calendar_links")
      #expect(kept == "10")
    }
  }

  @Test("[MA-19] of 32 sessions that a user repeats at once 20 are repeated, and what names no repetition ends none")
  func repetitions() async throws {
    try await RunningMatching.with { matching in
      var sessions: [Session] = []
      for number in 0..<Self.calls {
        let session = try await matching.post(RunningMatching.request(in: 120 + 15 * number, lasting: 15))
        // Of a user's sessions 30 may be open.
        if number < 2 { try await matching.join(session) }
        sessions.append(session)
      }
      let ids = sessions.map(\.sessionID)
      let refused = await Self.refusals(matching) { client, number in
        try await RepetitionsClient(client).repeatSession(
          RepeatSessionRequest(sessionID: ids[number]), TestUser.ada.options)
      }
      #expect(refused == Array(repeating: "TOO_MANY_REPETITIONS", count: 12))
      #expect(try await matching.value("select count(*) from repetitions") == "20")
      let unknown = try await refusal {
        try await matching.repetitions.endRepetition(EndRepetitionRequest(repetitionID: "x"), TestUser.ada.options)
      }
      #expect(unknown.fieldReasons == ["REPETITION_ID_INVALID"] && unknown.fields == ["repetition_id"])
      #expect(try await matching.value("select count(*) from repetitions") == "20")
    }
  }

  @Test("[MA-17] of 32 users who begin to wait at once behind 40 others 10 come into the list")
  func fullList() async throws {
    try await RunningMatching.with { matching in
      let users = (0..<72).map { TestUser.one($0) }
      try await matching.introduce(users)
      let session = try await matching.match()
      for user in users[32...] { try await matching.wait(for: session, as: user) }
      let call = JoinWaitingListRequest(sessionID: session.sessionID)
      let refused = await Self.refusals(matching) { client, number in
        try await WaitingListsClient(client).joinWaitingList(call, users[number].options)
      }
      #expect(refused == Array(repeating: "WAITING_LIST_FULL", count: 22))
      #expect(try await matching.value("select count(*) || ' ' || max(number) from waiting_list") == "50 50")
    }
  }

  @Test("[MA-17] a user who waits for 22 sessions and begins to wait for 32 more at once waits for 50")
  func tooManyLists() async throws {
    try await RunningMatching.with { matching in
      let (owners, partners) = ((0..<54).map { TestUser.one($0) }, (100..<154).map { TestUser.one($0) })
      try await matching.introduce(owners + partners)
      var sessions: [Session] = []
      for (owner, partner) in zip(owners, partners) {
        let session = try await matching.post(as: owner)
        sessions.append(try await matching.join(session, as: partner))
      }
      for session in sessions[32...] { try await matching.wait(for: session, as: .kim) }
      let ids = sessions.map(\.sessionID)
      let refused = await Self.refusals(matching) { client, number in
        try await WaitingListsClient(client).joinWaitingList(
          JoinWaitingListRequest(sessionID: ids[number]), TestUser.kim.options)
      }
      #expect(refused == Array(repeating: "TOO_MANY_WAITING", count: 4))
      #expect(try await matching.value("select count(*) from waiting_list") == "50")
      #expect(try await matching.waiting(.kim).count == 50)
    }
  }
}
