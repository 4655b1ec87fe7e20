import Environment
import Foundation
import Identifiers
import LoopExecutor
import MatchingStore
import Postgres
import Synchronization
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemMatching
import TestSupport
import Testing

extension ThreeServices {
  /// Gives a user a profile by which every session suits them.
  func createProfile(of member: Member) async throws {
    let profile = Profile(
      gender: .female, dateOfBirth: .init(year: 1990, month: 12, day: 10), level: .advanced, timeZone: "UTC")
    _ = try await ProfilesClient(identity).createProfile(CreateProfileRequest(profile: profile), member.options)
  }

  /// Adds a gym to the catalog; returns its id.
  func gym(at point: TandemMatching.Point) async throws -> String {
    let id = "\(SystemRandomness().uuid7(at: SystemClock().now))"
    try await sql(
      """
      insert into catalog.gyms (
        id, source, source_id, name, street, house_number, postcode, city, country, phone, website, latitude, longitude,
        time_zone, opening_hours, capacity, words
      )
      values (
        '\(id)', 'test', '\(id)', 'Ironworks', '', '', '', 'Singapore', 'SG', '', '', \(point.latitude),
        \(point.longitude), 'Asia/Singapore', '', 100, 'ironworks:1A'
      )
      """)
    return id
  }

  /// A new token for a user whose old one has expired.
  func loginAgain(_ member: Member) async throws -> Member {
    let token = try await patiently("\(member.name) is logged in") {
      do {
        let call = LoginRequest(emailOrUsername: member.name, password: Self.password)
        return try await accounts.login(call, CallOptions(timeout: .seconds(10))).accessToken
      } catch is Status { return nil }
    }
    return Member(id: member.id, name: member.name, token: token)
  }
}

/// The programs `identity`, `catalog` and `matching`, whose clocks a test sets.
struct TrainingStage: Sendable {
  let three: ThreeServices
  let matching: RPCClient
  /// Presents an operator's certificate.
  let operators: RPCClient
  /// `nil` where the programs' clocks are true.
  private let time: FakeTime?
  private let offset = Offset()

  /// Seconds by which the programs' clocks are ahead.
  private final class Offset: Sendable {
    let seconds = Mutex<Int64>(0)
  }

  var sessions: SessionsClient { SessionsClient(matching) }
  var bars: BarsClient { BarsClient(operators) }

  static let services = ["identity", "catalog", "matching"]
  static let point = TandemMatching.Point(latitude: 1.31, longitude: 103.81)
  private static let schemas =
    ThreeServices.schemas + [TestSchema(MatchingSchema.name, MatchingSchema.migrations)]

  /// Runs `body` with the programs, on a database server of their own.
  static func with(_ body: @escaping @Sendable (TrainingStage, KillableServices) async throws -> Void) async throws {
    let made = Gathered<FakeTime>()
    // What has consequences for people goes by the database's clock too: it is set forward with those of the programs.
    let cluster = try PrivateCluster.start { folder in
      let time = try FakeTime(in: folder)
      made.add(time)
      return time.environment
    }
    let time = try #require(made.all.first)
    try await TestDatabase.with(schemas, at: cluster.url) { database in
      let services = try KillableServices(database, on: cluster, Self.services, clock: time)
      defer { services.end() }
      let loops = LoopGroup(threads: 1)
      let identity = try services.client(of: "identity", on: loops)
      let three = ThreeServices(
        database: database, identity: identity, catalog: try services.client(of: "catalog", on: loops),
        lending: identity)
      let stage = TrainingStage(
        three: three, matching: try services.client(of: "matching", on: loops),
        operators: try services.client(of: "matching", as: "operator", on: loops), time: time)
      try await body(stage, services)
      for client in [three.identity, three.catalog, stage.matching, stage.operators] { await client.close() }
      try await loops.shutdown()
    }
  }

  init(three: ThreeServices, matching: RPCClient, operators: RPCClient, time: FakeTime? = nil) {
    (self.three, self.matching, self.operators, self.time) = (three, matching, operators, time)
  }

  /// The time of the programs.
  var now: Instant { SystemClock().now + .seconds(offset.seconds.withLock { $0 }) }

  /// Whether matching seems to have worked while its clock was set forward.
  enum Meanwhile {
    case worked
    /// As after a downtime of so long.
    case wasDown
  }

  /// Sets the programs' clocks forward.
  func advance(by duration: Duration, _ meanwhile: Meanwhile = .worked) async throws {
    let seconds = offset.seconds.withLock { $0 } + duration.components.seconds
    let time = try #require(time, "these clocks are true")
    let set: @Sendable () throws -> Void = { try time.set(offset: "+\(seconds)") }
    switch meanwhile {
    case .wasDown: try set()
    case .worked:
      let url = three.database.url
      try await until("the heartbeat is noted") {
        // The database server may just have been killed.
        do {
          return try await Administration.session(url) { session in
            // Stored before the clocks are set: what is due then is judged at once, and reads it without waiting.
            try session.run(
              "update matching.heartbeat set last_beat_at = clock_timestamp() + interval '\(duration.components.seconds) seconds'"
            )
            try session.run("begin")
            // A beat of matching waits for the row; one that came before has taken the time back.
            let isNoted = try session.run("select last_beat_at > clock_timestamp() from matching.heartbeat for update")
            if isNoted == [["t"]] {
              try set()
              // Of a machine on which identity did not answer in time; one by which a session was judged is kept for the ledger.
              try session.run(
                """
                delete from matching.outages where not exists (
                  select from matching.sessions where state = 'FAILED'
                  and starts_at - interval '15 minutes' < ended_at and starts_at + interval '15 minutes' > began_at
                )
                """)
            }
            try session.run("commit")
            return isNoted == [["t"]]
          }
        } catch { return false }
      }
    }
    offset.seconds.withLock { $0 = seconds }
  }

  /// Sets the programs' clocks forward to a moment, to the second.
  func advance(to moment: Instant, _ meanwhile: Meanwhile = .worked) async throws {
    try await advance(by: moment - now + .seconds(1), meanwhile)
  }

  /// Registers a user with a profile.
  func trainee(_ name: String) async throws -> ThreeServices.Member {
    let member = try await three.joinPatiently(name)
    try await three.patiently("\(name) has a profile") {
      do { return try await three.createProfile(of: member) } catch let status as Status
        where status.isPassing || status.code == .alreadyExists
      { return status.isPassing ? nil : () }
    }
    return member
  }

  /// Has an operator lift about half of the bars in force, so that users can go on.
  func liftSomeBars(_ chance: SeededRandomness, _ journal: TrainingJournal) async throws {
    try await three.patiently("bars were lifted") {
      do {
        let options = CallOptions(timeout: .seconds(5))
        for record in try await bars.listBars(ListBarsRequest(pageSize: 100), options).bars
        where chance.uint64() % 2 == 0 {
          guard let bar = record.bar else { continue }
          _ = try await bars.liftBar(
            LiftBarRequest(barID: bar.barID, reason: "Enough", actor: "chaos"), options)
          journal.lifted.add(bar.barID)
        }
        return ()
      } catch let status as Status where status.isPassing { return nil }
    }
  }
}
