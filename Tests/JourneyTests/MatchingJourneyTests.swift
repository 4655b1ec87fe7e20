import Environment
import Identifiers
import MatchingStore
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemCatalog
import TandemIdentity
import TandemMatching
import TandemNotification
import TestServices
import TestSupport
import Testing
import Timestamps

@testable import matching

@Suite("a training session's journey through identity, the catalog and matching", .timeLimit(.minutes(5)))
struct MatchingJourneyTests {
  @Test(
    "[MA-1] [MA-5] [MA-9] [MA-11] [CA-4] [ID-64] from two registrations to mutual feedback, a badge and the gym's usage"
  )
  func wholeJourney() async throws {
    try await TrainingSuite.with { suite in
      let (ada, grace) = (try await suite.trainee("ada"), try await suite.trainee("grace"))
      let gym = try await suite.gym()
      let start = SystemClock().now + .seconds(600)
      let posted = try await suite.post(in: gym, at: start, as: ada)
      let found = try await suite.sessions.browseSessions(BrowseSessionsRequest(gymID: gym), grace.options)
      #expect(found.matches.map(\.session?.sessionID) == [posted.sessionID])
      let id = posted.sessionID
      _ = try await suite.sessions.joinSession(JoinSessionRequest(sessionID: id), grace.options)
      for user in [ada, grace] {
        _ = try await suite.sessions.checkIn(
          CheckInRequest(sessionID: id, point: TrainingSuite.point, accuracyM: 5), user.options)
      }
      // Nobody waits for half of the session, and however slow the machine is, the join comes before it.
      try await suite.three.sql(
        """
        update matching.sessions
        set starts_at = starts_at - interval '40 minutes', ends_at = ends_at - interval '40 minutes',
          joins_end_at = null
        where id = '\(id)'
        """)
      _ = try await suite.sessions.finishSession(FinishSessionRequest(sessionID: id), grace.options)
      for user in [ada, grace] {
        _ = try await suite.sessions.submitFeedback(
          SubmitFeedbackRequest(sessionID: id, rating: 5, adjectives: [.motivating]), user.options)
      }
      for user in [ada, grace] {
        let profile = try await suite.sessions.getMatchingProfile(
          GetMatchingProfileRequest(userID: user.id), ada.options)
        #expect(
          profile.meanRating == 5 && profile.attended == 1 && profile.adjectives.map(\.adjective) == [.motivating])
        try await until("the badge is awarded") {
          try await suite.three.inbox(of: user).contains("New badge: First session")
        }
      }
      try await until("the gym's usage counts both") {
        try await GymsClient(suite.three.catalog).getGym(GetGymRequest(gymID: gym), ada.options).usage?.people == 2
      }
    }
  }

  @Test(
    "[MA-7] [C-10] [ID-26] M-5: who leaves by a block is barred as for a cancellation, unless they reported the other; unblocking does not help"
  )
  func leftByBlock() async throws {
    try await TrainingSuite.with { suite in
      let (gym, start) = (try await suite.gym(), SystemClock().now + .seconds(2_400))
      for (ownerName, name, isReported) in [("ada", "kim", true), ("eve", "grace", false)] {
        let (owner, user) = (try await suite.trainee(ownerName), try await suite.trainee(name))
        let session = try await suite.post(in: gym, at: start, as: owner)
        let join = JoinSessionRequest(sessionID: session.sessionID)
        _ = try await suite.sessions.joinSession(join, user.options)
        if isReported {
          _ = try await suite.three.safety.reportUser(
            ReportUserRequest(userID: owner.id, reason: .harassment), user.options)
        }
        _ = try await suite.three.safety.blockUser(BlockUserRequest(userID: owner.id), user.options)
        try await until("they are parted") {
          try await suite.three.value("select state from matching.sessions where id = '\(session.sessionID)'")
            == "OPEN"
        }
        let bars = try await suite.sessions.listMyBars(ListMyBarsRequest(), user.options).bars
        #expect(bars.map(\.cause) == (isReported ? [] : [.lateCancellation]))
        _ = try await suite.three.safety.unblockUser(UnblockUserRequest(userID: owner.id), user.options)
        guard !isReported else { continue }
        try await until("the user sees the session again, and cannot join it") {
          try await refusal { try await suite.sessions.joinSession(join, user.options) }.reason == "BARRED"
        }
      }
    }
  }

  @Test("[MA-3] a changed level reaches matching, and a vanished catalog leaves what needs none")
  func changedLevel() async throws {
    try await TrainingSuite.with { suite in
      let ada = try await suite.trainee("ada")
      _ = try await suite.post(in: try await suite.gym(), at: SystemClock().now + .seconds(600), as: ada)
      _ = try await ProfilesClient(suite.three.identity).updateProfile(
        UpdateProfileRequest(profile: Profile(level: .novice), updateMask: .init(paths: ["level"])), ada.options)
      try await until("matching knows") {
        try await suite.three.value("select level from matching.users where id = '\(ada.id)'") == "NOVICE"
      }
    }
  }
}

/// Identity, the catalog, lending and matching side by side.
private struct TrainingSuite: Sendable {
  let three: ThreeServices
  let matching: RPCClient

  var sessions: SessionsClient { SessionsClient(matching) }

  static let point = TandemMatching.Point(latitude: 1.31, longitude: 103.81)

  static func with(_ body: @escaping @Sendable (TrainingSuite) async throws -> Void) async throws {
    let schemas = ThreeServices.schemas + [TestSchema(MatchingSchema.name, MatchingSchema.migrations)]
    try await TestDatabase.with(schemas) { database in
      let certificates = try SuiteCertificates()
      let port = try FreePort.take()
      try await ThreeServices.run(on: database, certificates, besides: ["matching": port]) { three, addresses in
        try await RunningService.with(
          Matching.self, on: database, certificates: certificates,
          ["--listen", "127.0.0.1:\(port)"] + addresses
        ) { running in try await body(TrainingSuite(three: three, matching: running.client)) }
      }
    }
  }

  func trainee(_ name: String) async throws -> ThreeServices.Member {
    let member = try await three.join(name)
    try await three.createProfile(of: member)
    return member
  }

  func gym() async throws -> String { try await three.gym(at: Self.point) }

  /// Posts a session, repeating the call until matching knows the token.
  func post(in gym: String, at start: Instant, as user: ThreeServices.Member)
    async throws -> TandemMatching.Session
  {
    let request = PostSessionRequest(
      startTime: start.timestamp, endTime: (start + .seconds(3_600)).timestamp, gymID: gym, focus: .cardio,
      level: .advanced)
    return try await eventually("matching accepts the token") {
      do { return try await sessions.postSession(request, user.options) } catch let status as Status
        where status.code == .unavailable
      { return nil }
    }
  }
}
