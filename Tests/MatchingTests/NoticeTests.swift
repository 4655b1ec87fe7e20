import AccountDeletions
import Foundation
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

extension NotificationRequested {
  /// The name of the kind, as the table in the README has it.
  var kind: String {
    switch news {
    case .sessionMatched: "session_matched"
    case .sessionSoon: "session_soon"
    case .sessionReminder: "session_reminder"
    case .sessionCancelled: "session_cancelled"
    case .partnerCheckedIn: "partner_checked_in"
    case .sessionStarted: "session_started"
    case .checkInMissed: "check_in_missed"
    case .partnerMissed: "partner_missed"
    case .sessionLapsed: "session_lapsed"
    case .sessionExcused: "session_excused"
    case .sessionEnded: "session_ended"
    case .placeOffered: "place_offered"
    case .placeWithdrawn: "place_withdrawn"
    case .sessionFound: "session_found"
    case .sessionNotRepeated: "session_not_repeated"
    default: "another"
    }
  }
}

extension RunningMatching {
  /// What a user was told, in order.
  func kinds(to user: TestUser) async throws -> [String] {
    try await told(NotificationRequested.self).filter { $0.recipientIds.contains(user.id.description) }.map(\.kind)
  }
}

@Suite("who is told of what", .timeLimit(.minutes(5)))
struct NoticeTests {
  @Test("[MA-15] M-1: the poster is told at once who joined, when and where; each match anew")
  func matched() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      let told = try await matching.told(NotificationRequested.self)
      #expect(told.map(\.recipientIds) == [[TestUser.ada.id.description]])
      guard case .sessionMatched(let news) = told.first?.news else {
        Issue.record("another notification")
        return
      }
      #expect(
        news.partnerID == TestUser.grace.id.description && news.startTime == session.startTime && news.gym == "Gym")
      #expect(told.first?.subject == "sessions/\(session.sessionID)")
      try await matching.cancel(session, as: .grace)
      try await matching.join(session)
      #expect(
        try await matching.kinds(to: .ada) == ["session_matched", "session_cancelled", "session_matched"])
      let keys = try await matching.told(NotificationRequested.self).map(\.notificationKey)
      #expect(Set(keys).count == 3)
    }
  }

  @Test(
    "[MA-15] M-1: joins end 15 minutes before the start, to the microsecond",
    arguments: [(Duration.seconds(900), false), (.seconds(900) + .microseconds(1), true)])
  func joinsEnd(before start: Duration, isInTime: Bool) async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      let end = RunningMatching.start + Duration.seconds(105 * 60)
      #expect(session.joinEndTime == end.timestamp)
      try await matching.advance(to: .seconds(120 * 60) - start)
      guard isInTime else {
        let late = try await refusal { try await matching.join(session) }
        #expect(late.code == .failedPrecondition && late.reason == "JOINS_ENDED")
        let view = try await matching.sessions.getSession(
          GetSessionRequest(sessionID: session.sessionID), TestUser.grace.options)
        #expect(view.joinObstacles == [.joinsEnded])
        #expect(try await matching.browse(BrowseSessionsRequest(focuses: [.strength])).isEmpty)
        return
      }
      try await matching.join(session)
    }
  }

  @Test("[MA-15] M-1: the poster says when joins end, in the future and at the start at the latest")
  func posterSays() async throws {
    try await RunningMatching.with { matching in
      var call = RunningMatching.request()
      for (minutes, isValid) in [(0, false), (-1, false), (121, false), (1, true)] {
        call.joinEndTime = (RunningMatching.start + Duration.seconds(minutes * 60)).timestamp
        let request = call
        guard !isValid else { continue }
        let refused = try await refusal { try await matching.sessions.postSession(request, TestUser.ada.options) }
        #expect(refused.fieldReasons == ["JOIN_END_INVALID"] && refused.fields == ["join_end_time"])
      }
      call.joinEndTime = call.startTime
      let late = try await matching.post(call)
      #expect(late.joinEndTime == late.startTime)
      try await matching.advance(to: .seconds(120 * 60) - .microseconds(1))
      try await matching.join(late)
      // Who posts for now looks until the start.
      let soon = try await matching.post(RunningMatching.request(in: 130), as: .kim)
      #expect(soon.joinEndTime == soon.startTime)
    }
  }

  @Test("[MA-12] [MA-15] M-1: a join within the last hour is reminded of, once")
  func soon() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.post()
      try await matching.advance(to: .seconds(61 * 60))
      try await matching.settled()
      try await matching.join(session)
      #expect(try await matching.kinds(to: .ada) == ["session_matched", "session_soon"])
      #expect(try await matching.kinds(to: .grace) == ["session_soon"])
    }
  }

  @Test("[MA-10] M-7: the partner who was there is told that the other did not come")
  func partnerMissed() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      try await matching.checkIn(session, as: .ada)
      try await matching.advance(to: .seconds(136 * 60))
      try await matching.settled()
      let news = try await matching.told(NotificationRequested.self).compactMap { request in
        if case .partnerMissed(let news) = request.news { (request.recipientIds, news) } else { nil }
      }
      #expect(news.map(\.0) == [[TestUser.ada.id.description]])
      #expect(news.map(\.1.partnerID) == [TestUser.grace.id.description] && news.map(\.1.gym) == ["Gym"])
      #expect(try await matching.kinds(to: .grace).last == "check_in_missed")
      #expect(try await matching.kinds(to: .grace).filter { $0 == "partner_missed" }.isEmpty)
    }
  }

  @Test("[MA-10] M-7: the owner of a session that lapsed is told, and both of one that is excused")
  func lapsedAndExcused() async throws {
    try await RunningMatching.with { matching in
      let lapsed = try await matching.post(as: .kim)
      try await matching.match()
      try await matching.sql("update jobs set ready_at = '2100-01-01'")
      try await matching.advance(to: .seconds(110 * 60))
      // Nothing works for the rest of the window.
      matching.clock.advance(by: .seconds(26 * 60))
      try await matching.sql("update jobs set ready_at = due_at")
      try await matching.settled()
      #expect(try await matching.state(of: lapsed) == "LAPSED")
      #expect(try await matching.kinds(to: .kim) == ["session_lapsed"])
      for user in [TestUser.ada, .grace] {
        #expect(try await matching.kinds(to: user).last == "session_excused", "\(user.name)")
      }
    }
  }

  @Test("[C-9] M-7: who has checked in is told that the partner's account was deleted")
  func partnerGone() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      try await matching.checkIn(session, as: .ada)
      try await CleanupTests.delete(.grace, matching)
      #expect(try await matching.state(of: session) == "FAILED")
      #expect(try await matching.kinds(to: .ada).last == "session_ended")
    }
  }

  @Test("[MA-17] M-7: who waits for a session is told when it is cancelled")
  func withdrawn() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      try await matching.cancel(session, as: .grace)
      try await matching.cancel(session, as: .ada)
      #expect(try await matching.kinds(to: .kim) == ["place_offered", "place_withdrawn"])
    }
  }

  /// The table of the README: changes, and for each person the kinds or "none".
  private static func table() throws -> [String: [String: String]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Services/Matching/README.md").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let begin = try #require(lines.firstIndex { $0.hasPrefix("| change |") })
    func cells(_ line: String) -> [String] {
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let people = cells(lines[begin]).dropFirst()
    var table: [String: [String: String]] = [:]
    for line in lines[(begin + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let row = cells(line)
      table[row[0]] = Dictionary(uniqueKeysWithValues: zip(people, row.dropFirst()))
    }
    return table
  }

  /// A change of state, and who is who in it.
  private struct Change {
    let name: String
    let make: @Sendable (RunningMatching) async throws -> Void
  }

  // Ada owns, Grace is the partner, Kim waits, Alan searches.
  private static let changes: [Change] = [
    Change(name: "posted") { matching in try await matching.post() },
    Change(name: "joined") { matching in
      let session = try await matching.post()
      try await clear(matching)
      try await matching.join(session)
    },
    Change(name: "cancelled while open") { matching in
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      try await matching.cancel(session, as: .grace)
      try await clear(matching)
      try await matching.cancel(session, as: .ada)
    },
    Change(name: "left by the partner") { matching in
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      try await clear(matching)
      try await matching.cancel(session, as: .grace)
    },
    Change(name: "left by the owner") { matching in
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      try await clear(matching)
      try await matching.cancel(session, as: .ada)
    },
    Change(name: "first check-in") { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      try await clear(matching)
      try await matching.checkIn(session, as: .ada)
    },
    Change(name: "second check-in") { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(120 * 60))
      try await matching.checkIn(session, as: .ada)
      try await clear(matching)
      try await matching.checkIn(session, as: .grace)
    },
    Change(name: "failed, nobody came") { matching in
      try await matching.match()
      try await matching.advance(to: .seconds(130 * 60))
      try await clear(matching)
      try await matching.advance(to: .seconds(136 * 60))
    },
    Change(name: "failed, the owner came") { matching in
      let session = try await matching.match()
      try await matching.advance(to: .seconds(130 * 60))
      try await matching.checkIn(session, as: .ada)
      try await clear(matching)
      try await matching.advance(to: .seconds(136 * 60))
    },
    Change(name: "lapsed") { matching in
      try await matching.post()
      try await matching.advance(to: .seconds(130 * 60))
      try await clear(matching)
      try await matching.advance(to: .seconds(136 * 60))
    },
    Change(name: "finished") { matching in
      let session = try await matching.succeed()
      try await matching.advance(to: .seconds(150 * 60))
      try await clear(matching)
      _ = try await matching.sessions.finishSession(
        FinishSessionRequest(sessionID: session.sessionID), TestUser.ada.options)
    },
    Change(name: "excused by an outage") { matching in
      try await matching.match()
      try await matching.advance(to: .seconds(110 * 60))
      try await clear(matching)
      try await matching.sql("update jobs set ready_at = '2100-01-01'")
      // Nothing works for the rest of the window.
      matching.clock.advance(by: .seconds(26 * 60))
      try await matching.sql("update jobs set ready_at = due_at")
    },
    Change(name: "account of the partner deleted before the start") { matching in
      try await waitedFor(matching)
      try await CleanupTests.delete(.grace, matching)
    },
    Change(name: "account of the owner deleted before the start") { matching in
      try await waitedFor(matching)
      try await CleanupTests.delete(.ada, matching)
    },
    Change(name: "account of the partner deleted later") { matching in
      try await begun(matching, with: .ada)
      try await CleanupTests.delete(.grace, matching)
    },
    Change(name: "account of the owner deleted later") { matching in
      try await begun(matching, with: .grace)
      try await CleanupTests.delete(.ada, matching)
    },
    Change(name: "blocked by the partner before the start") { matching in
      try await waitedFor(matching)
      try await matching.block(.ada, by: .grace)
    },
    Change(name: "blocked by the owner before the start") { matching in
      try await waitedFor(matching)
      try await matching.block(.grace, by: .ada)
    },
    Change(name: "withdrawn by the owner's join") { matching in
      try await matching.introduce([.one(0)])
      let other = try await matching.post(as: .one(0))
      let session = try await matching.match()
      try await matching.wait(for: session, as: .kim)
      try await matching.cancel(session, as: .grace)
      try await clear(matching)
      try await matching.join(other, as: .ada)
    },
    Change(name: "an hour before the start") { matching in
      try await matching.match()
      try await matching.advance(to: .seconds(59 * 60))
      try await clear(matching)
      try await matching.advance(to: .seconds(60 * 60))
    },
    Change(name: "joined within that hour") { matching in
      let session = try await matching.post()
      try await matching.advance(to: .seconds(61 * 60))
      try await clear(matching)
      try await matching.join(session)
    },
  ]

  /// A matched session for which Kim waits.
  private static func waitedFor(_ matching: RunningMatching) async throws {
    try await matching.wait(for: try await matching.match(), as: .kim)
    try await clear(matching)
  }

  /// A session at its start, for which one of the two is there.
  private static func begun(_ matching: RunningMatching, with user: TestUser) async throws {
    let session = try await matching.match()
    try await matching.advance(to: .seconds(120 * 60))
    try await matching.checkIn(session, as: user)
    try await clear(matching)
  }

  /// Waits for the jobs that are due, and forgets what was told.
  private static func clear(_ matching: RunningMatching) async throws {
    try await matching.settled()
    try await matching.sql("delete from events")
  }

  static let walked = changes.map(\.name)

  @Test("[MA-15] M-7: every row of the table in the README is walked, and no other change")
  func whole() throws {
    #expect(Set(try Self.table().keys) == Set(Self.walked) && Self.walked.count == Set(Self.walked).count)
  }

  @Test("[MA-15] M-7: each change of state tells whom the table in the README names, and no other", arguments: walked)
  func walk(name: String) async throws {
    let change = try #require(Self.changes.first { $0.name == name })
    let row = try #require(try Self.table()[name], "the table has no row \(name)")
    try await RunningMatching.with { matching in
      try await matching.save(SearchFilter(gymID: TestGym.raffles.id.description), as: .alan)
      try await change.make(matching)
      try await matching.settled()
      for (person, user) in [("owner", TestUser.ada), ("partner", .grace), ("waiting", .kim), ("searching", .alan)] {
        let expected = (row[person] ?? "none").split(separator: "`").map(String.init).filter { $0.contains("_") }
        #expect(try await matching.kinds(to: user) == expected, "\(change.name): \(person)")
      }
    }
  }
}
