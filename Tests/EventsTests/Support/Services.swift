import Environment
import ChaosTables
import Events
import Foundation
import LoopExecutor
import Postgres
import ServiceRuntime
import Synchronization
import TTRPCClient
import TandemEvents
import TestServices
import TestSupport
import Testing

/// Clients' loops and those of databases that tests use by themselves.
let loops = LoopGroup(threads: 2)

let producers = TestSchema("catalog", ChaosTables.producers)
let consumers = TestSchema("lending", ChaosTables.consumers)

/// What a service under test was built from, by the URL of its database.
private let built = Mutex<[String: Runtime]>([:])

/// A service with a log, into which a test writes.
struct Producer: TandemService {
  static let service = ServiceDescription(name: "catalog", purpose: "Tells", migrations: ChaosTables.producers)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    built.withLock { $0[runtime.settings[RuntimeSettings.databaseURL]] = runtime }
    return ServedService()
  }
}

/// A service that records the events it receives, unless a test makes it fail.
struct Consumer: TandemService {
  static let service = ServiceDescription(name: "lending", purpose: "Listens", migrations: ChaosTables.consumers)

  /// What happens before an event's value is noted, by the database's URL.
  static let obstacles = Mutex<[String: @Sendable (String) throws -> Void]>([:])
  /// What restores the table, by the database's URL.
  static let resyncs = Mutex<[String: EventSubscription.Resync]>([:])

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let url = runtime.settings[RuntimeSettings.databaseURL]
    let effect = EventHandler(batchesOf: SessionRevoked.self) { events, tx in
      for event in events { try obstacles.withLock { $0[url] }?(event.message.userID) }
      try await tx.execute(AddEffects(events.map { ($0.key, $0.message.userID, lagMilliseconds: 0) }))
    }
    let resync = resyncs.withLock { $0[url] }
    return ServedService(follows: [EventSubscription(of: "catalog", handlers: [effect], resync: resync)])
  }
}

/// Two services with certificates on one database server, each with its own schema and role.
struct Pair: Sendable {
  let database: TestDatabase
  let certificates: SuiteCertificates
  let clock = ManualClock()

  static func with(_ body: @escaping @Sendable (Pair) async throws -> Void) async throws {
    try await TestDatabase.with([producers, consumers]) { database in
      try await body(Pair(database: database, certificates: try SuiteCertificates()))
    }
  }

  /// Runs the producer while `body` runs.
  func telling(
    at port: Int = 0, _ arguments: [String] = [], _ body: @escaping @Sendable (Log) async throws -> Void
  ) async throws {
    let url = database.url(of: "catalog")
    try await RunningService.with(
      Producer.self, on: database, clock: clock, certificates: certificates, as: "lending",
      ["--listen", "127.0.0.1:\(port)"] + arguments
    ) { service in
      let runtime = try #require(built.withLock { $0[url] })
      // What the service was made of ends with it.
      defer { built.withLock { _ = $0.removeValue(forKey: url) } }
      try await body(Log(runtime: runtime, port: service.port, client: service.client))
    }
  }

  /// Runs a replica of the consumer while `body` runs.
  func listening(to port: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await RunningService.with(
      Consumer.self, on: database, clock: clock, certificates: certificates,
      ["--catalog-address", "127.0.0.1:\(port)"]
    ) { _ in try await body() }
  }

  /// What took effect, in order: `key=value`.
  func handlers() async throws -> [String] {
    try await sql("select key || '=' || value from lending.effects order by place").compactMap { $0.first ?? nil }
  }

  /// Waits until so many events have taken effect, and returns them.
  func handlers(_ count: Int) async throws -> [String] {
    try await eventually("\(count) events have taken effect") {
      let handlers = try await handlers()
      return handlers.count >= count ? handlers : nil
    }
  }

  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text) }
}

/// A running service's log, from inside and from outside.
struct Log: Sendable {
  let runtime: Runtime
  let port: Int
  let client: RPCClient

  /// Publishes each value in a transaction of its own.
  func tell(_ key: String, _ values: some Sequence<Int>) async throws {
    for value in values {
      try await runtime.database.transaction { tx in try await publish(key, "\(value)", in: tx) }
    }
  }

  func publish(_ key: String, _ value: String, in tx: Transaction) async throws {
    try await runtime.events.publish(SessionRevoked(sessionID: key, userID: value), in: tx)
  }

  /// Follows as `lending` does, passes each response to `take`, acknowledges it, and stops when `take` returns a value.
  func follow<Found: Sendable>(
    _ subscription: Subscription, _ take: @escaping @Sendable (FollowResponse) async throws -> Found?
  ) async throws -> Found? {
    try await EventLogClient(client).follow { requests, answers in
      try await requests.send(FollowRequest(step: .subscription(subscription)))
      for try await answer in answers {
        if let found = try await take(answer) { return found }
        try await requests.send(FollowRequest(step: .acknowledgement(Acknowledgement(position: answer.position))))
      }
      return nil
    }
  }

  static func subscription(_ start: Subscription.Start?, consumer: String = "lending") -> Subscription {
    Subscription(consumer: consumer, topics: ["identity.sessions"], start: start)
  }
}
