import Identifiers
import MatchingDomain
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

extension RunningMatching {
  var waitingLists: WaitingListsClient { WaitingListsClient(client) }

  @discardableResult
  func wait(for session: Session, as user: TestUser) async throws -> WaitingListEntry {
    try await waitingLists.joinWaitingList(JoinWaitingListRequest(sessionID: session.sessionID), user.options)
  }

  func waiting(_ user: TestUser) async throws -> [WaitingListEntry] {
    try await waitingLists.listMyWaiting(.init(), user.options).entries
  }

  /// Who was offered a place, in order.
  func offered() async throws -> [String] {
    try await told(NotificationRequested.self).compactMap {
      if case .placeOffered = $0.news { $0.recipientIds.first } else { nil }
    }
  }
}

@Suite("waiting lists", .timeLimit(.minutes(5)))
struct WaitingListTests {
  @Test("[MA-17] the first who waits and whose slot is still free is offered the place, and alone may join")
  func offer() async throws {
    try await RunningMatching.with { matching in
      let (busy, first, second) = (TestUser.one(1), TestUser.one(2), TestUser.one(3))
      try await matching.introduce([busy, first, second, .one(4)])
      let session = try await matching.match()
      #expect(
        try await [busy, first, second].asyncMap { try await matching.wait(for: session, as: $0).place } == [1, 2, 3])
      // The slot of who waits first is not free any more.
      try await matching.join(matching.post(RunningMatching.request(in: 150), as: .one(4)), as: busy)

      try await matching.cancel(session, as: .grace)

      #expect(try await matching.offered() == [first.id.description])
      for user in [busy, second, .one(4)] {
        #expect(try await refusal { try await matching.join(session, as: user) }.reason == "SESSION_TAKEN")
      }
      let entry = try await matching.waiting(first).first
      #expect(entry?.offerExpireTime == (matching.clock.now + Duration.seconds(900)).timestamp)
      #expect(try await matching.join(session, as: first).matched)
      #expect(try await matching.waiting(first).isEmpty)
      #expect(try await matching.waiting(second).first?.offerExpireTime == nil)
    }
  }

  @Test("[MA-17] who is barred, or whose gender or level does not suit any more, is passed over and keeps the place")
  func passedOver() async throws {
    try await RunningMatching.with { matching in
      let (barred, changed, novice, last) = (TestUser.one(1), TestUser.one(2), TestUser.one(3), TestUser.one(4))
      try await matching.introduce([barred, changed, novice, last])
      let session = try await matching.match(RunningMatching.request(genders: [.female], level: .novice))
      for user in [barred, changed, novice, last] { try await matching.wait(for: session, as: user) }
      try await matching.sql(
        """
        insert into bars (id, user_id, session_id, cause, began_at, ends_at)
        select gen_random_uuid(), '\(barred.id)', id, 'NO_SHOW', posted_at, starts_at + interval '30 days'
        from sessions where id = '\(session.sessionID)'
        """)
      matching.clock.advance(by: .seconds(1))
      try await matching.introduce([changed], gender: .male)
      try await matching.introduce([novice], level: .novice)

      try await matching.cancel(session, as: .grace)

      #expect(try await matching.offered() == [last.id.description])
      #expect(
        try await matching.value("select string_agg(number::text, ' ' order by number) from waiting_list") == "1 2 3 4")
      for user in [barred, changed, novice] { #expect(try await matching.waiting(user).count == 1, "\(user.name)") }
      // Whom it suits again has the place from before.
      matching.clock.advance(by: .seconds(1))
      try await matching.introduce([changed])
      try await matching.advance(by: .seconds(900))
      try await until("it is offered to whom it suits again") {
        try await matching.offered() == [last.id.description, changed.id.description]
      }
      #expect(try await matching.join(session, as: changed).matched)
    }
  }

  @Test("[MA-17] an offer ends after 15 minutes, and passes on; after the last the session is open to all")
  func expiry() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce([.one(1), .one(2), .one(3)])
      let session = try await matching.match()
      for number in 1...2 { try await matching.wait(for: session, as: .one(number)) }
      try await matching.cancel(session, as: .grace)
      try await matching.advance(by: .seconds(899))
      #expect(try await refusal { try await matching.join(session, as: .one(3)) }.reason == "SESSION_TAKEN")

      try await matching.advance(by: .seconds(1))
      try await until("it is offered to the second") {
        try await matching.offered() == [TestUser.one(1).id.description, TestUser.one(2).id.description]
      }
      #expect(try await refusal { try await matching.join(session, as: .one(1)) }.reason == "SESSION_TAKEN")

      _ = try await matching.waitingLists.leaveWaitingList(
        LeaveWaitingListRequest(sessionID: session.sessionID), TestUser.one(2).options)
      #expect(try await matching.join(session, as: .one(3)).matched)
    }
  }

  @Test("[MA-17] an offer that has ended passes on before its job has run")
  func lateJob() async throws {
    try await RunningMatching.with { matching in
      try await matching.introduce([.one(1), .one(2), .one(3)])
      let session = try await matching.match()
      for number in 1...2 { try await matching.wait(for: session, as: .one(number)) }
      try await matching.cancel(session, as: .grace)
      try await matching.sql("delete from jobs")
      try await matching.advance(by: .seconds(900))
      #expect(try await refusal { try await matching.join(session, as: .one(3)) }.reason == "SESSION_TAKEN")
      #expect(try await matching.join(session, as: .one(2)).matched)
    }
  }

  @Test("[MA-17] nobody waits for a session that its owner has removed")
  func removal() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      // Without a free slot nothing is offered.
      try await matching.join(matching.post(RunningMatching.request(in: 150), as: .alan), as: .kim)
      try await matching.cancel(session, as: .grace)
      #expect(try await matching.value("select count(*) from waiting_list") == "1")
      try await matching.cancel(session, as: .ada)
      #expect(try await matching.value("select count(*) from waiting_list") == "0")
    }
  }

  @Test("[MA-17] a user waits only for what cannot be joined, once, and never for the own session")
  func refusals() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      #expect(try await refusal { try await matching.wait(for: session, as: .grace) }.reason == "SESSION_OPEN")
      try await matching.join(session)
      #expect(try await refusal { try await matching.wait(for: session, as: .ada) }.reason == "OWN_SESSION")
      #expect(try await refusal { try await matching.wait(for: session, as: .grace) }.reason == "OWN_SESSION")
      try await matching.wait(for: session, as: .kim)
      #expect(try await matching.wait(for: session, as: .kim).place == 1)
      #expect(try await matching.value("select count(*) from waiting_list") == "1")
    }
  }

  @Test("[MA-17] a place that is offered is in no other user's results")
  func browsing() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      try await matching.cancel(session, as: .grace)
      let call = BrowseSessionsRequest(gymID: TestGym.raffles.id.description)
      #expect(try await matching.browse(call, as: .alan).isEmpty)
      #expect(try await matching.browse(call, as: .kim).map { $0.session?.sessionID } == [session.sessionID])
    }
  }

  @Test("[MA-17] of 64 who join while a participant cancels, the one whose turn it is gets the place")
  func race() async throws {
    try await RunningMatching.with { matching in
      let users = (0..<64).map { TestUser.one($0) }
      try await matching.introduce(users)
      let session = try await matching.match()
      for user in users[40..<50] { try await matching.wait(for: session, as: user) }

      let results = await matching.race(64) { sessions, number in
        if number == 0 {
          _ = try await sessions.cancelSession(
            CancelSessionRequest(sessionID: session.sessionID), TestUser.grace.options)
          return ""
        }
        return try await sessions.joinSession(
          JoinSessionRequest(sessionID: session.sessionID), users[number].options
        ).partner?.userID ?? ""
      }

      // The first of the list either came after the cancellation, or finds the place still offered.
      let winners = results.compactMap { try? $0.get() }.filter { !$0.isEmpty }
      #expect(winners.allSatisfy { $0 == users[40].id.description } && winners.count <= 1)
      #expect(try await matching.offered() == [users[40].id.description])
      if winners.isEmpty { try await matching.join(session, as: users[40]) }
      #expect(try await matching.state(of: session) == "MATCHED")
    }
  }

  @Test("[MA-17] the database keeps an offered place, whatever a statement does")
  func constraint() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      try await matching.cancel(session, as: .grace)
      let error = await #expect(throws: (any Error).self) {
        try await matching.sql(
          """
          update sessions set state = 'MATCHED', partner_id = '\(TestUser.alan.id)',
            updated_at = offered_until - interval '1 second' where id = '\(session.sessionID)'
          """)
      }
      #expect("\(String(describing: error))".contains("offered to another user"))
    }
  }
}

extension Array {
  fileprivate func asyncMap<R>(_ body: (Element) async throws -> R) async throws -> [R] {
    var results: [R] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
