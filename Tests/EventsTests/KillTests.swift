import ChaosTables
import Foundation
import Postgres
import TestSupport
import Testing

/// Events between two processes that are killed again and again.
///
/// `make chaos` runs the same with more events and kills; `CHAOS_SEED` repeats a run's choices.
@Suite("events between processes that are killed", .ownThreads, .serialized)
struct KillTests {
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  private let events = number("CHAOS_EVENTS", 400)
  private let kills = number("CHAOS_KILLS", 5)
  private let seed = UInt64(number("CHAOS_SEED", 1))
  private let timeout = Duration.seconds(number("CHAOS_MINUTES", 2) * 60)

  @Test("every event takes effect exactly once, and in order for each key")
  func killed() async throws {
    try await TestDatabase.with([producers, consumers]) { database in
      let pair = try KillablePair(database, ["--events", "\(events)"])
      defer { pair.end() }
      let chance = SeededRandomness(seed: seed)
      print("chaos: \(events) events, \(kills) kills, seed \(seed)")
      var begun = 0
      for kill in 0..<kills {
        // The kills are spread over the events: each comes once enough has taken effect since the one before.
        let due = events * kill / kills
        begun = try await pair.handlers(atLeast: due, timeout)
        // And then after a random delay, so that each kill hits another step.
        try await Task.sleep(for: .milliseconds(Int(chance.uint64() % 120)))
        try pair.kill(chance.uint64() % 2 == 0 ? .producer : .consumer)
      }
      #expect(begun <= events * 2)
      _ = try await pair.handlers(atLeast: events, timeout)
      let complaints = try await pair.complaints()
      #expect(complaints.isEmpty, "seed \(seed): \(complaints)")
    }
  }

  @Test("events that come evenly take effect once and in order too, and it is said how long they take")
  func lag() async throws {
    let rate = Self.number("CHAOS_RATE", 400)
    let count = rate * Self.number("CHAOS_SECONDS", 1)
    try await TestDatabase.with([producers, consumers]) { database in
      let pair = try KillablePair(database, ["--events", "\(count)", "--rate", "\(rate)", "--keys", "1000"])
      defer { pair.end() }
      _ = try await pair.handlers(atLeast: count, timeout)
      print("chaos: at \(rate) events/s, \(try await pair.lag())")
      #expect(try await pair.complaints().isEmpty)
    }
  }
}

/// A producer and a consumer as processes of their own, which are started again as soon as they are killed.
final class KillablePair {
  enum Part: String {
    case producer = "chaos-producer"
    case consumer = "chaos-consumer"
  }

  private let database: TestDatabase
  private let certificates = try? SuiteCertificates(lifetime: .seconds(60 * 86_400))
  private let port: Int
  private let telling: [String]
  private let environment: [String: String]
  private var processes: [Part: Process] = [:]

  /// - Parameters:
  ///   - telling: settings of the producer.
  ///   - environment: what both find in their environment beside this process's.
  init(_ database: TestDatabase, _ telling: [String], environment: [String: String] = [:]) throws {
    self.environment = environment
    self.database = database
    self.telling = telling
    port = try FreePort.take()
    try start(.producer)
    try start(.consumer)
  }

  /// Kills one of them as by `kill -9` and starts it again.
  func kill(_ part: Part) throws {
    stop(part)
    try start(part)
  }

  func end() {
    for part in processes.keys { stop(part) }
  }

  func stop(_ part: Part) {
    guard let process = processes.removeValue(forKey: part) else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func start(_ part: Part) throws {
    let name = part == .producer ? "catalog" : "lending"
    let certificates = try #require(certificates)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(part.rawValue)
    let settings =
      try certificates.settings(of: name) + [
        "--database-url", database.url(of: name), "--log-level",
        ProcessInfo.processInfo.environment["CHAOS_LOG"] ?? "critical",
      ]
      + (part == .producer ? ["--listen", "127.0.0.1:\(port)"] + telling : ["--catalog-address", "127.0.0.1:\(port)"])
    // No arguments: Swift does not find them once a library that was preloaded has changed the environment.
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      .merging(Self.variables(settings)) { $1 }
    try Children.start { try process.run() }
    processes[part] = process
  }

  /// Options and their values as environment variables.
  private static func variables(_ settings: [String]) -> [String: String] {
    var variables: [String: String] = [:]
    for place in stride(from: 0, to: settings.count - 1, by: 2) {
      let key = settings[place].dropFirst(2).uppercased().replacingOccurrences(of: "-", with: "_")
      variables["TANDEM_\(key)"] = settings[place + 1]
    }
    return variables
  }

  /// Waits until so many events have taken effect; returns how many have.
  func handlers(atLeast count: Int, _ timeout: Duration) async throws -> Int {
    let end = ContinuousClock.now + timeout
    while ContinuousClock.now < end {
      let text = try await sql("select count(*) from lending.effects").first?.first ?? nil
      if let seen = text.flatMap({ Int($0) }), seen >= count { return seen }
      // Each query counts rows in the database under test: seldom enough not to slow the events down.
      try await Task.sleep(for: .milliseconds(10))
    }
    let complaints = try await complaints()
    return try #require(nil as Int?, "\(count) events did not take effect in \(timeout); \(complaints)")
  }

  /// Missing, duplicate and reordered events, by key.
  func complaints() async throws -> [String] {
    try await sql(ChaosTables.complaints(producers: "catalog", consumers: "lending")).compactMap { $0.first ?? nil }
  }

  /// The time from publication to effect, as text.
  func lag() async throws -> String {
    let row =
      try await sql(
        """
        select round(percentile_cont(0.5) within group (order by lag_ms)::numeric, 1),
          round(percentile_cont(0.99) within group (order by lag_ms)::numeric, 1), round(max(lag_ms)::numeric, 1),
          count(*)
        from (select lag_ms from lending.effects order by place offset (select count(*) / 10 from lending.effects)) as steady
        """
      ).first?.map { $0 ?? "-" } ?? []
    return "lag in ms: p50 \(row[0]), p99 \(row[1]), longest \(row[2]), of \(row[3]) events"
  }

  private func sql(_ text: String) async throws -> [[String?]] {
    try await Administration.session(database.url) { try $0.run(text) }
  }
}
