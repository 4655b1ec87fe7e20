import Foundation
import GoogleProtobuf
import TTRPC
import TandemCatalog
import TandemIdentity
import TandemMatching
import TandemTesting
import Testing

/// What tests of a gateway may look like: hours pass when the test says so.
@Suite(.tandemSuite(users: "ada", "hedy"), .serialized, .timeLimit(.minutes(5)))
struct SuiteTests {
  let suite: TandemSuite

  init() throws { suite = try #require(TandemSuite.current) }

  @Test("who checks in in time is fine, and the other is barred")
  func checkIn() async throws {
    let sessions = SessionsClient(try suite.client("matching"))
    let near = FindNearestGymsRequest(point: .init(latitude: 51.5033, longitude: -0.1276), pageSize: 1)
    let found = try await GymsClient(suite.client("catalog")).findNearestGyms(near, suite.call(as: "ada"))
    let gym = try #require(found.gyms.first?.gym)
    let now = Int64(Date.now.timeIntervalSince1970)
    let posting = PostSessionRequest(
      startTime: .init(seconds: now + 7_200), endTime: .init(seconds: now + 10_800), gymID: gym.gymID, focus: .strength,
      level: .advanced)
    let posted = try await sessions.postSession(posting, suite.call(as: "ada"))
    _ = try await sessions.joinSession(.init(sessionID: posted.sessionID), suite.call(as: "hedy"))
    let point = try #require(gym.point)
    let arrival = CheckInRequest(
      sessionID: posted.sessionID, point: .init(latitude: point.latitude, longitude: point.longitude), accuracyM: 5)
    let early = await #expect(throws: Status.self) { try await sessions.checkIn(arrival, suite.call(as: "ada")) }
    #expect(early?.errorInfo?.reason == MatchingReason.outsideCheckInWindow.rawValue)
    try await suite.clock("+1h50m")
    _ = try await sessions.checkIn(arrival, suite.call(as: "ada"))
    try await suite.clock("+30m")
    let hedy = try await suite.call(as: "hedy")
    while try await sessions.listMyBars(.init(), hedy).bars.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try await sessions.listMyBars(.init(), suite.call(as: "ada")).bars.isEmpty)
  }

  @Test("what a test makes the next one does not see, though it takes the same name", arguments: 1...2)
  func asNew(round: Int) async throws {
    let groups = GroupsClient(try suite.client("identity"))
    let ada = try await suite.call(as: "ada")
    #expect(try await groups.listGroups(.init(), ada).groups.isEmpty)
    _ = try await groups.createGroup(.init(group: .init(name: "Early birds")), ada)
    try suite.kill("identity")
    var waiting = ada
    waiting.waitForReady = true
    #expect(try await groups.listGroups(.init(), waiting).groups.count == 1)
  }
}
