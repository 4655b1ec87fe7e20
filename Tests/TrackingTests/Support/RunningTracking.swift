import Environment
import Events
import Geography
import GoogleProtobuf
import Identifiers
import Postgres
import ProtobufC
import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemEvents
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingConsumers
import TrackingDomain
import TrackingOperations
import TrackingStore
import Usernames

@testable import tracking

/// The real service, in which a token is the caller's id: `main` runs the same `build`.
struct OpenTracking: TandemService {
  static let service = Tracking.service

  /// What each service under test was built from, by the URL of its database.
  static let built = Mutex<[String: Runtime]>([:])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    built.withLock { $0[runtime.settings[RuntimeSettings.databaseURL]] = runtime }
    var served = try Tracking.build(runtime, authenticator: InsecureAuthenticator())
    // There is no other service to follow.
    served.follows = []
    return served
  }
}

/// A service of its own for one test: a migrated database, a clock that stands still, and clients over TCP.
struct RunningTracking: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let service: RunningService
  /// The test's own connection to the service's database, like that of the consumers of other services' events.
  let own: Database
  /// What the service was built from.
  let runtime: Runtime

  var client: RPCClient { service.client }
  var locations: LocationsClient { LocationsClient(client) }
  var journeys: JourneysClient { JourneysClient(client) }
  var places: PlacesClient { PlacesClient(client) }

  static let schema = TestSchema(TrackingSchema.name, TrackingSchema.migrations)

  /// Runs `body` with a service on a database of its own, in which Ada, Grace and Alan have their names.
  static func with(
    _ arguments: [String] = [], _ body: @escaping @Sendable (RunningTracking) async throws -> Void
  ) async throws {
    try await TestDatabase.with([schema]) { database in
      try await with(on: database, ManualClock(), arguments) { tracking in
        for one in [TestUser.ada, .grace, .alan] { try await tracking.own.write(NameUsers([Naming(one.id, one.name)])) }
        try await body(tracking)
      }
    }
  }

  /// Runs `body` with a service on a database that may have data: again after a restart, or as one of two replicas.
  static func with(
    on database: TestDatabase, _ clock: ManualClock, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningTracking) async throws -> Void
  ) async throws {
    try await RunningService.with(
      OpenTracking.self, on: database, clock: clock, threads: 2, ["--jobs-look-interval", "250ms"] + arguments
    ) { service in
      let runtime = try #require(OpenTracking.built.withLock { $0[database.url(of: "tracking")] })
      // What the service was made of ends with it.
      defer { OpenTracking.built.withLock { _ = $0.removeValue(forKey: database.url(of: "tracking")) } }
      try await database.opened(as: schema.name) { own in
        try await body(
          RunningTracking(database: database, clock: clock, service: service, own: own, runtime: runtime))
      }
    }
  }

  // MARK: Events of other services

  /// A group with members, as the consumer of identity's events stores it.
  @discardableResult
  func group(_ number: UInt64 = 1, of members: [TestUser], named name: String = "Home") async throws -> GroupID {
    let group = GroupID(UUID7(high: 0x0190_0000_0000_7001, low: 0x8000_0000_0000_0000 | number))
    try await own.write(PutGroups(groupIDs: [group], names: [name]))
    try await own.write(
      AddMemberships(
        groupIDs: members.map { _ in group }, userIDs: members.map(\.id),
        membershipIDs: members.map { _ in MembershipID(SystemRandomness().uuid7(at: clock.now)) },
        joinedAts: members.map { _ in clock.now }))
    return group
  }

  // MARK: What is stored

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text, in: "tracking") }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

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
