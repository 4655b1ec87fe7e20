import Blocks
import Environment
import Events
import GRPCHealth
import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import ProtobufC
import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemCatalog
import TandemIdentity
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps
import Usernames

@testable import matching

// Identity has sessions of another kind.
typealias Session = TandemMatching.Session

/// The real service, in which a token is the caller's id: `main` runs the same `build`.
struct OpenMatching: TandemService {
  static let service = Matching.service

  /// What each service under test was built from, by the URL of its database.
  static let built = Mutex<[String: (runtime: Runtime, neighbours: Neighbours)]>([:])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let neighbours = Neighbours()
    built.withLock { $0[runtime.settings[RuntimeSettings.databaseURL]] = (runtime, neighbours) }
    var served = try Matching.build(
      runtime, authenticator: InsecureAuthenticator(), identity: neighbours, catalog: neighbours)
    // There is no other service to follow.
    served.follows = []
    return served
  }
}

/// What identity and the catalog answer; a journey test runs the real ones.
final class Neighbours: RPCChannel {
  /// The gyms of the catalog.
  let gyms = Mutex<[String: GymPlace]>([:])
  /// Profiles that matching has to look up.
  let traits = Mutex<[String: Traits]>([:])
  /// The friends of each user: users who have a group in common.
  let friends = Mutex<[String: Set<String>]>([:])
  /// Whether neither answers.
  let areDown = Mutex(false)

  func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response {
    if areDown.withLock({ $0 }) { throw Status.unavailable("it is down") }
    if request is HealthCheckRequest, let response = HealthCheckResponse(status: .serving) as? Response {
      return response
    }
    if let call = request as? LookUpGymRequest {
      guard let place = gyms.withLock({ $0[call.gymID] }) else {
        throw Status(.notFound, reason: "GYM_NOT_FOUND", "There is no such gym")
      }
      if let response = place as? Response { return response }
    }
    if let call = request as? FindTraitsRequest {
      let found = traits.withLock { known in call.userIds.compactMap { known[$0] } }
      if let response = FindTraitsResponse(traits: found) as? Response { return response }
    }
    if let call = request as? FindFriendsRequest {
      let known = friends.withLock { $0[call.userID] ?? [] }
      let found = call.otherUserIds.filter { known.contains($0) }
      if let response = FindFriendsResponse(friendUserIds: found) as? Response { return response }
    }
    throw Status(.unimplemented, "no test asks for it")
  }

  func stream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    throw Status(.unimplemented, "no test asks for it")
  }
}

extension TestUser {
  static let kim = TestUser(4, "kim")
}

/// The gym part of a user's profile.
struct GymProfile {
  var gender = MatchingDomain.Gender.female
  var level = MatchingDomain.Level.expert

  /// That of a user, unless a test says otherwise.
  init(of user: TestUser) {
    switch user {
    case .grace: level = .advanced
    case .alan: (gender, level) = (.male, .novice)
    case .kim: (gender, level) = (.other, .intermediate)
    default: break
    }
  }
}

extension CallOptions {
  /// As an operator.
  static let asOperator = CallOptions.token("operator", timeout: .seconds(60))
}

/// A gym of the catalog.
struct TestGym: Sendable {
  let id: GymID
  let point: GeoPoint

  /// In Singapore.
  static let raffles = TestGym(1, 1.2897, 103.8501)
  /// Two kilometres away.
  static let tanjong = TestGym(2, 1.2764, 103.8385)
  /// On the other side of the Earth.
  static let quito = TestGym(3, -0.1807, -78.4678)

  init(_ number: UInt64, _ latitude: Double, _ longitude: Double) {
    id = GymID(UUID7(high: 0x0191_0000_0000_7000, low: 0x8000_0000_0000_0000 | number))
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else { preconditionFailure("not on Earth") }
    self.point = point
  }

  var wire: TandemMatching.Point { .init(latitude: point.latitude, longitude: point.longitude) }

  /// A point so many metres north of it.
  func north(_ metres: Double) -> TandemMatching.Point {
    let degrees = metres / GeoPoint.earthRadius.value * 180 / .pi
    return .init(latitude: point.latitude + degrees, longitude: point.longitude)
  }
}

/// A service of its own for one test: a migrated database, a clock that stands still, and clients over TCP.
struct RunningMatching: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let service: RunningService
  /// The test's own connection to the service's database, like that of the consumers of other services' events.
  let own: Database
  /// What the service was built from.
  let runtime: Runtime
  let neighbours: Neighbours

  var client: RPCClient { service.client }
  var sessions: SessionsClient { SessionsClient(client) }
  var bars: BarsClient { BarsClient(client) }

  static let schema = TestSchema(MatchingSchema.name, MatchingSchema.migrations)
  /// When the clock stands still at first.
  static let start = ManualClock().now

  /// Runs `body` with a service on a database of its own, in which Ada, Grace, Alan and Kim have names and profiles.
  ///
  /// - Parameter days: how many days after ``start`` the clock stands still at first.
  static func with(
    after days: Int = 0, _ body: @escaping @Sendable (RunningMatching) async throws -> Void
  ) async throws {
    try await TestDatabase.with([schema]) { database in
      try await run(on: database, ManualClock(start + .seconds(Int64(days) * 86_400)), body)
    }
  }

  private static func run(
    on database: TestDatabase, _ clock: ManualClock, _ body: @escaping @Sendable (RunningMatching) async throws -> Void
  ) async throws {
    try await RunningService.with(
      OpenMatching.self, on: database, clock: clock, threads: 2, ["--jobs-look-interval", "250ms"]
    ) { service in
      let built = try #require(OpenMatching.built.withLock { $0[database.url(of: "matching")] })
      // What the service was made of ends with it.
      defer { OpenMatching.built.withLock { _ = $0.removeValue(forKey: database.url(of: "matching")) } }
      try await database.opened(as: schema.name) { own in
        let matching = RunningMatching(
          database: database, clock: clock, service: service, own: own, runtime: built.runtime,
          neighbours: built.neighbours)
        try await matching.introduce([.ada, .grace, .alan, .kim])
        for gym in [TestGym.raffles, .tanjong, .quito] { matching.open(gym) }
        try await body(matching)
      }
    }
  }

  /// Does what the consumer of identity's events does with users.
  ///
  /// - Parameters:
  ///   - gender: of all of them; `nil` for what their ``GymProfile`` says.
  ///   - level: likewise.
  func introduce(
    _ users: [TestUser], gender: MatchingDomain.Gender? = nil, level: MatchingDomain.Level? = nil
  ) async throws {
    let profiles = users.map { GymProfile(of: $0) }
    try await own.write(NameUsers(users.map { Naming($0.id, $0.name) }))
    try await own.write(
      PutProfiles(
        userIDs: users.map(\.id), genders: profiles.map { gender ?? $0.gender },
        levels: profiles.map { level ?? $0.level }, times: users.map { _ in clock.now }))
  }

  /// Adds a gym to the catalog.
  func open(_ gym: TestGym, in zone: String = "Asia/Singapore") {
    neighbours.gyms.withLock {
      $0[gym.id.description] = GymPlace(
        gymID: gym.id.description, name: "Gym",
        point: .init(latitude: gym.point.latitude, longitude: gym.point.longitude), timeZone: zone)
    }
  }

  /// Moves the time on, during which the service works: a clock that jumps would look like an outage.
  func advance(by duration: Duration) async throws {
    let later = clock.now + duration
    try await sql("update heartbeat set last_beat_at = to_timestamp(\(later.microseconds) / 1000000.0)")
    clock.set(later)
  }

  /// Moves the time on, until `moment` after the start of the test.
  func advance(to moment: Duration) async throws { try await advance(by: Self.start + moment - clock.now) }

  // MARK: What users do

  /// A session in so many minutes.
  static func request(
    in minutes: Int = 120, lasting length: Int = 60, at gym: TestGym = .raffles,
    focus: TandemMatching.Focus = .strength,
    genders: [TandemMatching.Gender] = [], level: TandemMatching.Level = .expert
  ) -> PostSessionRequest {
    let start = start + .seconds(minutes * 60)
    return PostSessionRequest(
      startTime: start.timestamp, endTime: (start + .seconds(length * 60)).timestamp, gymID: gym.id.description,
      focus: focus, genders: genders, level: level)
  }

  @discardableResult
  func post(_ request: PostSessionRequest = RunningMatching.request(), as user: TestUser = .ada) async throws -> Session
  {
    // Ids are in the order of the posts.
    clock.advance(by: .milliseconds(1))
    return try await sessions.postSession(request, user.options)
  }

  @discardableResult
  func join(_ session: Session, as user: TestUser = .grace) async throws -> Session {
    try await sessions.joinSession(JoinSessionRequest(sessionID: session.sessionID), user.options)
  }

  /// A matched session of Ada and Grace.
  @discardableResult
  func match(_ request: PostSessionRequest = RunningMatching.request()) async throws -> Session {
    try await join(try await post(request))
  }

  @discardableResult
  func cancel(_ session: Session, as user: TestUser) async throws -> CancelSessionResponse {
    try await sessions.cancelSession(CancelSessionRequest(sessionID: session.sessionID), user.options)
  }

  @discardableResult
  func checkIn(
    _ session: Session, as user: TestUser, at point: TandemMatching.Point? = TestGym.raffles.wire, accuracy: Double = 5
  ) async throws -> Session {
    try await sessions.checkIn(
      CheckInRequest(sessionID: session.sessionID, point: point, accuracyM: accuracy), user.options)
  }

  /// A successful session of Ada and Grace, at its start.
  func succeed() async throws -> Session {
    let session = try await match()
    try await advance(to: .seconds(120 * 60))
    _ = try await checkIn(session, as: .ada)
    return try await checkIn(session, as: .grace)
  }

  func browse(_ request: BrowseSessionsRequest, as user: TestUser = .grace) async throws -> [SessionMatch] {
    try await sessions.browseSessions(request, user.options).matches
  }

  func mine(_ user: TestUser, _ time: SessionTime = .upcoming) async throws -> [Session] {
    try await sessions.listMySessions(ListMySessionsRequest(time: time), user.options).sessions
  }

  /// Runs `call` so many times concurrently, over several connections, and returns the outcomes.
  func race<R: Sendable>(
    _ callers: Int, _ call: @escaping @Sendable (SessionsClient, Int) async throws -> R
  ) async -> [Result<R, any Error>] {
    await service.race(callers) { client, caller in
      while true {
        do { return try await call(SessionsClient(client), caller) } catch let status as Status where status.isBusy {
          // Nothing was done; on a machine with much else to do dozens wait longer than a service lets them.
          await Task.yield()
        }
      }
    }
  }

  // MARK: What is stored

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text, in: "matching") }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

  /// The state of a session.
  func state(of session: Session) async throws -> String? {
    try await value("select state from sessions where id = '\(session.sessionID)'")
  }

  /// Waits until the jobs that are due are done.
  func settled() async throws { try await database.untilJobsAreDone(of: "matching", at: clock.now) }

  /// The published messages of a type, in order.
  func told<E: PublishedEvent>(_ type: E.Type) async throws -> [E] {
    let rows = try await sql(
      "select encode(payload, 'hex') from events where type = '\(E.protobufName)' order by transaction_id, id")
    return try rows.compactMap { $0.first ?? nil }.map { try E(serialized: Hexadecimal.bytes($0)) }
  }
}

/// Bytes in PostgreSQL's format.
enum Hexadecimal {
  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension Status {
  /// Whether it says only that the service is overloaded and the call may be repeated.
  var isBusy: Bool { ["OVERLOADED", "CONCURRENT_CHANGE", "DATABASE_SLOW"].contains(reason) }
}

extension Array {
  /// The reasons of the refusals.
  func reasons<Success>() -> [String] where Element == Result<Success, any Error> {
    compactMap { if case .failure(let error) = $0 { (error as? Status)?.reason ?? "\(error)" } else { nil } }
  }
}
