import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle
import TestSupport
import Testing

@testable import Live

/// Event loops that all tests share.
let loops = LoopGroup(threads: 2)

let silent: Logger = {
  var logger = Logger(label: "live")
  logger.logLevel = .critical
  return logger
}()

/// What carries the messages of a test: every test runs over each.
enum Carrier: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case postgres = "PostgreSQL"
  case nats = "NATS"

  var testDescription: String { rawValue }
}

/// A real server that carries messages, and as many buses on it as processes would have.
struct Stage: Sendable {
  private enum Server: Sendable {
    case database(url: String)
    /// One that can be stopped.
    case cluster(PrivateCluster)
    case nats(NATSProcess)
  }

  private let server: Server

  /// Runs `body` with a server that others may use too.
  static func with(_ carrier: Carrier, _ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
    switch carrier {
    case .postgres: try await TestDatabase.with([]) { try await body(Stage(server: .database(url: $0.url))) }
    case .nats: try await body(Stage(server: .nats(.start())))
    }
  }

  /// Runs `body` with a server that it can stop.
  static func withOwnServer(_ carrier: Carrier, _ body: @Sendable (Stage) async throws -> Void) async throws {
    switch carrier {
    case .postgres:
      let cluster = try PrivateCluster.start()
      try await body(Stage(server: .cluster(cluster)))
      try? cluster.stopServer(mode: "immediate")
    case .nats: try await body(Stage(server: .nats(.start())))
    }
  }

  func stopServer() throws {
    switch server {
    case .database: preconditionFailure("others use this server too")
    case .cluster(let cluster): try cluster.stopServer(mode: "immediate")
    case .nats(let process): process.stop()
    }
  }

  func startServer() async throws {
    switch server {
    case .database: break
    case .cluster(let cluster): try cluster.startServer()
    case .nats(let process): try await process.start()
    }
  }

  /// Runs `body` with so many buses, each as if it were another process's.
  func buses(
    _ count: Int, sending limits: LiveOutbox.Limits = .init(), _ body: ([any TestedBus]) async throws -> Void
  ) async throws {
    let buses = try (0..<count).map { try bus($0, limits) }
    try await withThrowingTaskGroup { group in
      for bus in buses { group.addTask { try await bus.run() } }
      try await body(buses)
      group.cancelAll()
    }
  }

  func bus(_ number: Int, _ limits: LiveOutbox.Limits = .init()) throws -> any TestedBus {
    let publisher = UInt64(number + 1)
    switch server {
    case .database(let url): return try Self.bus(url, number, limits)
    case .cluster(let cluster): return try Self.bus(cluster.url, number, limits)
    case .nats(let process):
      guard let servers = NATSServer.list("nats://\(process.address)") else { preconditionFailure("a bad address") }
      return NATSBus(servers, name: "bus \(number)", publisher: publisher, sending: limits, logger: silent)
    }
  }

  private static func bus(_ url: String, _ number: Int, _ limits: LiveOutbox.Limits) throws -> any TestedBus {
    try PostgresBus(
      DatabaseConfiguration(url: url, applicationName: "bus \(number)"),
      on: loops.executors[number % loops.executors.count], publisher: UInt64(number + 1), sending: limits,
      logger: silent)
  }
}

protocol TestedBus: LiveBus, Service {
  var hub: LiveHub { get }
}

extension PostgresBus: TestedBus {}
extension NATSBus: TestedBus {}

extension LiveBus {
  func publish(_ text: String, to channel: LiveChannel) { publish(Array(text.utf8), to: channel) }

  /// A subscription that has begun.
  func listener(to channel: LiveChannel) async -> Listener {
    var listener = Listener(subscribe(to: channel))
    await listener.skipGap()
    return listener
  }
}

/// Reads a subscription as texts.
struct Listener {
  private var iterator: LiveSubscription.Iterator

  init(_ subscription: LiveSubscription) { iterator = subscription.makeAsyncIterator() }

  mutating func next() async -> LiveMessage? { await iterator.next() }

  mutating func skipGap() async { _ = await iterator.next() }

  /// The next payload; gaps are passed over.
  mutating func nextPayload() async -> [UInt8]? {
    while let message = await iterator.next() {
      if case .payload(let payload) = message { return payload }
    }
    return nil
  }

  mutating func nextText() async -> String? { await nextPayload().map { String(decoding: $0, as: UTF8.self) } }

  /// Reads until `isLast` holds for a payload.
  mutating func read(until isLast: ([UInt8]) -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    while !isLast(try #require(await nextPayload(), "the subscription ended", sourceLocation: sourceLocation)) {}
  }

  /// Reads until `text` comes.
  mutating func read(until text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await read(until: { $0 == Array(text.utf8) }, sourceLocation: sourceLocation)
  }

  /// The next `count` texts.
  mutating func texts(_ count: Int) async -> [String] {
    var texts: [String] = []
    while texts.count < count, let text = await nextText() { texts.append(text) }
    return texts
  }
}

extension Stage {
  /// Runs `body` with buses on `database`.
  static func with(on database: TestDatabase, _ body: (Stage) async throws -> Void) async throws {
    try await body(Stage(server: .database(url: database.url)))
  }
}

/// Runs `bus` until `body` returns, then has it stop as a service does.
func runUntilStopped(_ bus: any TestedBus, _ body: () async throws -> Void) async throws {
  let group = ServiceGroup(configuration: .init(services: [.init(service: bus)], logger: silent))
  try await withThrowingTaskGroup { tasks in
    tasks.addTask { try await group.run() }
    try await body()
    await group.triggerGracefulShutdown()
    try await tasks.waitForAll()
  }
}
