import Identifiers
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingDomain

/// Every state in which a journey or an alert holds a user, or shows one to others, has a way out for each party, which needs no other's help
/// (issue 30).
@Suite("ways out of journeys and alerts", .timeLimit(.minutes(5)))
struct WaysOutTests {
  enum State: String, CaseIterable, Sendable {
    case sharing, travelling, late, silent, forgotten, travellingAlone, inSOS, silentInSOS, inSOSAlone

    var parties: [Party] {
      switch self {
      case .sharing, .travelling, .late, .silent, .forgotten: [.traveller, .member, .time]
      case .travellingAlone: [.traveller, .time]
      // No time ends an alert: it is for its user to end, and members who do not want it leave.
      case .inSOS, .silentInSOS: [.traveller, .member]
      case .inSOSAlone: [.traveller]
      }
    }
  }

  enum Party: String, CaseIterable, Sendable {
    case traveller
    /// Who sees the traveller in a group.
    case member
    /// No party does anything: the state ends by itself.
    case time
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let state: State
    let party: Party
    var testDescription: String { "\(state) for \(party)" }
  }

  static let cases = State.allCases.flatMap { state in state.parties.map { Case(state: state, party: $0) } }

  @Test(
    "[TR-1] [TR-5] [TR-6] [TR-13] D-4: every state has a way out for each party that needs no other's help",
    arguments: cases)
  func leaves(_ one: Case) async throws {
    try await RunningTracking.with(["--look-interval", "10ms"]) { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await Self.enter(one.state, group, tracking)
      switch one.party {
      case .traveller:
        try await Self.end(one.state, group, tracking)
        // All ended, the user may begin anew.
        let (share, journey) = (try await tracking.group(2, of: [.ada]), Place(latitude: 52.5, longitude: 13.4))
        _ = try await tracking.journeys.startJourney(
          StartJourneyRequest(
            groupIds: [share.description], destination: journey,
            arrivalTime: (tracking.clock.now + .seconds(600)).timestamp, mode: .walking), TestUser.ada.options)
      case .member:
        try await tracking.remove(.grace, from: group)
        let refused = await reason {
          _ = try await tracking.locations.getMembers(
            GetMembersRequest(groupIds: [group.description]), TestUser.grace.options)
        }
        #expect(refused == "GROUP_NOT_FOUND", "who has left sees the group no longer")
        #expect(
          try await tracking.value(
            "select count(*) from journeys where ended_at is null and user_id = '\(TestUser.grace.id)'") == "0")
      case .time:
        try await Self.wait(tracking)
        guard one.state != .travellingAlone else { return }
        let seen = try await tracking.member(.ada, in: group, seenBy: .grace)
        #expect(seen.state == .inactive && seen.journeyID.isEmpty && seen.warnings.isEmpty)
        #expect(try await tracking.counts()["journeyEnded"] == nil, "what was forgotten ends without a word")
      }
    }
  }

  private static func enter(_ state: State, _ group: GroupID, _ tracking: RunningTracking) async throws {
    switch state {
    case .sharing:
      try await tracking.share(with: [group])
      try await tracking.report(52.4, 13.4)
    case .travelling: try await tracking.depart(seenBy: [group])
    case .late:
      try await tracking.depart(seenBy: [group])
      tracking.clock.advance(by: .seconds(3_601))
      try await seen([.late, .offline], group, tracking)
    case .silent, .forgotten:
      try await tracking.depart(seenBy: [group])
      tracking.clock.advance(by: .seconds(61))
      try await seen([.offline], group, tracking)
      if state == .forgotten { tracking.clock.advance(by: .seconds(20 * 86_400)) }
    case .travellingAlone:
      try await tracking.depart(seenBy: [group])
      try await tracking.remove(.ada, from: group)
    case .inSOS, .silentInSOS, .inSOSAlone:
      _ = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      if state == .silentInSOS {
        tracking.clock.advance(by: .seconds(61))
        try await seen([.offline], group, tracking)
      }
      if state == .inSOSAlone { try await tracking.remove(.ada, from: group) }
    }
  }

  private static func seen(_ warnings: Set<Warning>, _ group: GroupID, _ tracking: RunningTracking) async throws {
    try await until("it is noticed") {
      Set(try await tracking.member(.ada, in: group, seenBy: .grace).warnings) == warnings
    }
  }

  private static func end(_ state: State, _ group: GroupID, _ tracking: RunningTracking) async throws {
    switch state {
    case .sharing: break
    case .travelling, .late, .silent, .forgotten, .travellingAlone:
      _ = try await tracking.journeys.stopJourney(StopJourneyRequest(), TestUser.ada.options)
    case .inSOS, .silentInSOS, .inSOSAlone:
      _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
    }
    if state != .travellingAlone, state != .inSOSAlone { try await tracking.stopSharing(with: [group]) }
    #expect(
      try await tracking.value(
        "select count(*) from memberships where user_id = '\(TestUser.ada.id)' and state <> 'INACTIVE'")
        == "0")
    #expect(try await tracking.value("select count(*) from journeys where ended_at is null") == "0")
  }

  /// Waits for longer than anything is kept.
  private static func wait(_ tracking: RunningTracking) async throws {
    tracking.clock.advance(by: .seconds(32 * 86_400))
    // What is too old is removed when a replica begins.
    try await RunningTracking.with(on: tracking.database, tracking.clock) { _ in
      try await until("nothing is in progress") {
        // A minute of silence counts from when a replica serves.
        tracking.clock.advance(by: .seconds(61))
        return try await tracking.value(
          "select (select count(*) from journeys) + (select count(*) from memberships where state <> 'INACTIVE')")
          == "0"
      }
    }
  }
}
