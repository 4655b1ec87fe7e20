import Environment
import Identifiers
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingStore

@testable import tracking

@Suite("a way home through identity and tracking", .timeLimit(.minutes(5)))
struct TrackingJourneyTests {
  @Test(
    "[TR-1] [TR-4] [TR-5] [TR-6] [TR-7] [TR-11] [TR-12] [ID-44] from registrations to a way home with an SOS, seen by the group alone"
  )
  func wayHome() async throws {
    try await WayHome.with { suite in
      let (ada, grace, alan) = (
        try await suite.three.join("ada"), try await suite.three.join("grace"), try await suite.three.join("alan")
      )
      let group = try await suite.group(of: ada, inviting: grace)
      let seen = try await suite.watched(group, by: grace) {
        let journey = try await suite.depart(ada, seenBy: group)
        try await suite.report(ada, WayHome.street)
        let alert = try await suite.journeys.startSOS(StartSOSRequest(), ada.options)
        try await suite.report(ada, WayHome.corner)
        _ = try await suite.journeys.stopSOS(StopSOSRequest(), ada.options)
        let second = try await suite.depart(ada, seenBy: group)
        // Who has been away arrives; so badly measured that nobody walks too fast to be believed.
        try await suite.report(ada, WayHome.street, accuracy: 20)
        try await suite.report(ada, WayHome.home, accuracy: 60)

        let outcomes = try await suite.outcomes(of: [journey, alert.journeyID, second], as: grace)
        #expect(outcomes == [.sos, .stopped, .onTime])
        #expect(try await suite.path(of: alert.journeyID, as: grace).map(\.latitude) == [WayHome.corner.latitude])
        for stranger in [journey, alert.journeyID] {
          let status = try await refusal {
            try await suite.journeys.getJourney(GetJourneyRequest(journeyID: stranger), alan.options)
          }
          #expect(status.reason == "JOURNEY_NOT_FOUND")
        }
      }
      #expect(seen == [.routing, .sos, .active, .routing, .active])
      try await suite.expectInbox(
        of: grace,
        [
          "ada started a journey", "ada triggered an SOS alert!", "ada: SOS alarm stopped!", "ada started a journey",
          "ada has reached their destination on time.",
        ])
      #expect(try await suite.texts(of: alan).isEmpty)
    }
  }
}

/// Identity and tracking side by side, each following the other.
private struct WayHome: Sendable {
  let three: ThreeServices
  let tracking: RPCClient

  var locations: LocationsClient { LocationsClient(tracking) }
  var journeys: JourneysClient { JourneysClient(tracking) }

  static let street = Place(latitude: 52.4, longitude: 13.4)
  /// So near that it is reached within a millisecond.
  static let corner = Place(latitude: 52.400_002, longitude: 13.4)
  static let home = Place(latitude: 52.4006, longitude: 13.4)

  static func with(_ body: @escaping @Sendable (WayHome) async throws -> Void) async throws {
    let schemas = ThreeServices.schemas + [TestSchema(TrackingSchema.name, TrackingSchema.migrations)]
    try await TestDatabase.with(schemas) { database in
      let certificates = try SuiteCertificates()
      let port = try FreePort.take()
      try await ThreeServices.run(on: database, certificates, besides: ["tracking": port]) { three, addresses in
        try await RunningService.with(
          Tracking.self, on: database, certificates: certificates, ["--listen", "127.0.0.1:\(port)"] + addresses
        ) { running in try await body(WayHome(three: three, tracking: running.client)) }
      }
    }
  }

  /// A group of the first, which the other accepts an invitation to; returns once tracking knows both.
  func group(of owner: ThreeServices.Member, inviting other: ThreeServices.Member) async throws -> String {
    let groups = GroupsClient(three.identity)
    let group = try await groups.createGroup(CreateGroupRequest(group: Group(name: "Home")), owner.options)
    let invitation = try await groups.addGroupMember(
      AddGroupMemberRequest(groupID: group.groupID, email: "\(other.name)@example.com"), owner.options)
    _ = try await InvitationsClient(three.identity).acceptInvitation(
      AcceptInvitationRequest(invitationID: invitation.invitationID), other.options)
    try await until("tracking knows both") {
      do {
        let found = try await locations.getMembers(GetMembersRequest(groupIds: [group.groupID]), other.options)
        return found.groups.first?.members.count == 2
      } catch let status as Status where status.code == .unavailable || status.code == .notFound { return false }
    }
    return group.groupID
  }

  /// A journey home; returns its id.
  func depart(_ user: ThreeServices.Member, seenBy group: String) async throws -> String {
    try await journeys.startJourney(
      StartJourneyRequest(
        groupIds: [group], destination: Self.home, arrivalTime: (SystemClock().now + .seconds(1_800)).timestamp,
        mode: .walking), user.options
    ).journeyID
  }

  func report(_ user: ThreeServices.Member, _ place: Place, accuracy: Double? = nil) async throws {
    let point = Position(
      latitude: place.latitude, longitude: place.longitude, time: SystemClock().now.timestamp, accuracyM: accuracy)
    let counts = try await locations.reportBatch(ReportBatchRequest(points: [point]), user.options)
    #expect(counts.accepted == 1 && counts.groups == 1)
  }

  func outcomes(of ids: [String], as viewer: ThreeServices.Member) async throws -> [JourneyOutcome] {
    var outcomes: [JourneyOutcome] = []
    for id in ids {
      outcomes.append(try await journeys.getJourney(GetJourneyRequest(journeyID: id), viewer.options).outcome)
    }
    return outcomes
  }

  func path(of journey: String, as viewer: ThreeServices.Member) async throws -> [Position] {
    try await journeys.getPath(GetPathRequest(journeyID: journey), viewer.options) { parts in
      var points: [Position] = []
      for try await part in parts { points += part.points }
      return points
    }
  }

  /// The states of members that a viewer is sent while `act` runs, each once in a row.
  func watched(
    _ group: String, by viewer: ThreeServices.Member, _ act: @Sendable () async throws -> Void
  ) async throws -> [MemberState] {
    try await locations.watch(viewer.options) { requests, responses in
      try await requests.send(WatchRequest(add: [WatchedGroup(groupID: group)]))
      var iterator = responses.makeAsyncIterator()
      _ = try await iterator.next()
      try await act()
      let end = try await locations.getMembers(GetMembersRequest(groupIds: [group]), viewer.options).groups[0].sequence
      var (states, last): ([MemberState], Int64) = ([], 0)
      while last < end, let message = try await iterator.next() {
        guard case .changes(let changes) = message.content else { continue }
        for change in changes.changes {
          last = change.sequence
          if case .member(let member) = change.change, member.state != states.last { states.append(member.state) }
        }
      }
      return states
    }
  }

  /// What a user's inbox says of Ada, the oldest first.
  func texts(of user: ThreeServices.Member) async throws -> [String] {
    let inbox = try await three.notifications.listNotifications(.init(), user.options).notifications
    return inbox.map(\.body).filter { $0.hasPrefix("ada") }.reversed()
  }

  /// Waits until a user's inbox has these texts, and fails with what it has otherwise.
  func expectInbox(of user: ThreeServices.Member, _ expected: [String]) async throws {
    let isThere = try await eventually { try await texts(of: user).count >= expected.count }
    #expect(isThere)
    #expect(try await texts(of: user) == expected)
  }
}
