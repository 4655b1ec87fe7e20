import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

/// Every state in which a session holds a user has a way out for each party, which needs no other's help (issue 30).
@Suite("ways out of a session", .timeLimit(.minutes(5)))
struct WaysOutTests {
  enum State: String, CaseIterable, Sendable {
    case open, matched, ownerCame, partnerCame, awaited, offered

    var parties: [Party] {
      switch self {
      case .open: [.owner, .time]
      case .matched, .ownerCame, .partnerCame: [.owner, .partner, .time]
      case .awaited: [.owner, .partner, .waiting, .time]
      case .offered: [.owner, .waiting, .time]
      }
    }
  }

  enum Party: String, CaseIterable, Sendable {
    case owner, partner
    /// Who waits for the place in it.
    case waiting
    /// No party does anything: the state ends by itself.
    case time

    /// Whom the state must let go.
    var users: [TestUser] {
      switch self {
      case .owner: [.ada]
      case .partner: [.grace]
      case .waiting: [.kim]
      case .time: [.ada, .grace, .kim]
      }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let state: State
    let party: Party
    var testDescription: String { "\(state) for \(party)" }
  }

  static let cases = State.allCases.flatMap { state in state.parties.map { Case(state: state, party: $0) } }

  @Test(
    "[MA-6] [MA-10] [MA-17] D-4: every state has a way out for each party that needs no other's help", arguments: cases)
  func leaves(_ one: Case) async throws {
    try await RunningMatching.with { matching in
      let session = try await Self.session(in: one.state, matching)
      switch one.party {
      case .owner: try await Self.leave(session, as: .ada, matching)
      case .partner: try await Self.leave(session, as: .grace, matching)
      case .waiting:
        _ = try await matching.waitingLists.leaveWaitingList(
          LeaveWaitingListRequest(sessionID: session.sessionID), TestUser.kim.options)
        #expect(try await matching.waiting(.kim).isEmpty)
      case .time: try await Self.wait(matching)
      }
      for user in one.party.users { #expect(try await Self.holds(user, matching) == "0", "\(user.id)") }
    }
  }

  private static func session(in state: State, _ matching: RunningMatching) async throws -> Session {
    if state == .open { return try await matching.post() }
    let session = try await matching.match()
    switch state {
    case .open, .matched: break
    case .ownerCame, .partnerCame:
      try await matching.advance(to: .seconds(110 * 60))
      try await matching.checkIn(session, as: state == .ownerCame ? .ada : .grace)
    case .awaited: _ = try await matching.wait(for: session, as: .kim)
    case .offered:
      _ = try await matching.wait(for: session, as: .kim)
      try await matching.cancel(session, as: .grace)
      #expect(try await matching.value("select offered_to from sessions") == "\(TestUser.kim.id)")
    }
    return session
  }

  /// Cancels; once a participant has come, that is refused, and the judgement ends the session.
  private static func leave(_ session: Session, as user: TestUser, _ matching: RunningMatching) async throws {
    do { try await matching.cancel(session, as: user) } catch let refused as Status {
      #expect(refused.reason == "CHECKED_IN")
      try await wait(matching)
    }
  }

  /// Waits until a quarter of an hour after the start, and for what is done then.
  private static func wait(_ matching: RunningMatching) async throws {
    try await matching.advance(to: .seconds(140 * 60))
    try await matching.settled()
  }

  /// How many sessions to come have a user as a participant, or have an offer to them.
  private static func holds(_ user: TestUser, _ matching: RunningMatching) async throws -> String? {
    try await matching.value(
      """
      select count(*) from sessions
      where state in ('OPEN', 'MATCHED') and (owner_id = '\(user.id)' or partner_id = '\(user.id)' or offered_to = '\(user.id)')
      """)
  }
}
