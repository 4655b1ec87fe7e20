import ChaosTables
import Foundation
import Postgres
import TestSupport
import Testing

/// Clocks that are set forward by more than the retention of events and the time that consumers are waited for.
@Suite("events while clocks are set", .ownThreads, .serialized, .timeLimit(.minutes(5)))
struct ClockTests {
  private static let events = 400

  @Test("40 days forward, of the database and of the services, take no event from a consumer that is away")
  func forward() async throws {
    let stage = try FakedServer()
    try await TestDatabase.with([producers, consumers], at: stage.cluster.url) { database in
      let telling = ["--events", "\(Self.events)", "--rate", "200"]
      let pair = try KillablePair(database, telling, environment: stage.time.environment)
      defer { pair.end() }
      _ = try await pair.handlers(atLeast: 20, .seconds(120))
      pair.stop(.consumer)
      try await until("all events are told") {
        try await database.value("select sum(value) from catalog.counters") == "\(Self.events)"
      }
      let applied = try await pair.handlers(atLeast: 20, .seconds(120))
      #expect(applied < Self.events)
      pair.stop(.producer)

      try stage.time.set(offset: "+40d")
      // It sweeps as it starts.
      try pair.start(.producer)
      try await until("the producer has swept") {
        try await database.value(
          "select swept_at > '\(Date.now.ISO8601Format())'::timestamptz + interval '39 days' from catalog.event_log")
          == "t"
      }
      #expect(try await database.value("select consumer from catalog.event_consumers") == "lending")
      try pair.start(.consumer)
      _ = try await pair.handlers(atLeast: Self.events, .seconds(120))
      #expect(try await pair.complaints().isEmpty)
    }
  }

  @Test("a jump while both run takes no event either, and time goes on afterwards")
  func jump() async throws {
    let stage = try FakedServer()
    try await TestDatabase.with([producers, consumers], at: stage.cluster.url) { database in
      let pair = Pair(database: database, certificates: try SuiteCertificates())
      try await pair.telling { log in
        try await log.tell("a", 1...3)
        // Reads the first response and acknowledges nothing.
        _ = try await log.follow(Log.subscription(.beginning(.oldest))) { _ in true }
        let retention = log.retention(kept: .seconds(7 * 86_400), timeout: .seconds(30 * 86_400))
        try await retention.sweep()
        try stage.time.set(offset: "+40d")
        let isAhead = "select now() > '\(Date.now.ISO8601Format())'::timestamptz + interval '39 days'"
        #expect(try await database.value(isAhead) == "t")
        try await retention.sweep()
        #expect(try await pair.sql("select count(*) from catalog.events") == [["3"]])
        #expect(try await pair.sql("select consumer from catalog.event_consumers") == [["lending"]])
        let before = try await database.value("select retention_time from catalog.event_log")
        // Elapsed time counts: the two sweeps are some of it apart.
        try await retention.sweep()
        #expect(try await database.value("select retention_time from catalog.event_log") != before)
      }
    }
  }

  /// A database server with a faked clock.
  private struct FakedServer: Sendable {
    let cluster: PrivateCluster
    let time: FakeTime

    init() throws {
      let made = Gathered<FakeTime>()
      cluster = try PrivateCluster.start { folder in
        let time = try FakeTime(in: folder)
        made.add(time)
        return time.environment
      }
      time = try #require(made.all.first)
    }
  }
}
