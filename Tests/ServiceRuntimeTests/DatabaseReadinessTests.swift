import Logging
import LoopExecutor
import Postgres
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("readiness with a database that takes no changes", .ownThreads, .timeLimit(.minutes(5)))
struct DatabaseReadinessTests {
  private func with(_ url: String, _ body: (Database) async throws -> Void) async throws {
    let loops = LoopGroup(threads: 1)
    var configuration = DatabaseConfiguration(url: url, applicationName: "readiness")
    configuration.timeout = .seconds(30)
    let database = try Database(
      configuration, loops: loops.executors, logger: Logger(label: "readiness") { _ in SwiftLogNoOpLogHandler() })
    let result: Result<Void, any Error>
    do { result = .success(try await body(database)) } catch { result = .failure(error) }
    await database.close()
    try await loops.shutdown()
    try result.get()
  }

  @Test("[O-6] a standby is not ready until it is promoted")
  func standby() async throws {
    let primary = try PrivateCluster.start()
    let standby = try primary.startStandby()
    try await with(primary.url) { #expect(await $0.unhealthyReason == nil) }
    try await with(standby.url) { database in
      #expect(await database.unhealthyReason?.contains("standby") == true)
      try standby.promote()
      try await until("it is ready") { await database.unhealthyReason == nil }
    }
    try primary.stopServer(mode: "immediate")
    try standby.stopServer(mode: "immediate")
  }

  private struct Fill: Statement {
    typealias Row = Void
    static let sql = "insert into filler select repeat(md5(random()::text), 250) from generate_series(1, 100)"
  }

  @Test("[S-8] a database whose disk is full is not ready")
  func fullDisk() async throws {
    let cluster = try PrivateCluster.start(room: .smallDisk(mebibytes: 4))
    try await Administration.session(cluster.url) { session in
      _ = try session.run("create tablespace small location '\(cluster.smallDisk)'")
      _ = try session.run("create table filler (text text) tablespace small")
      _ = try session.run("alter table filler alter text set storage external")
    }
    try await with(cluster.url) { database in
      #expect(await database.unhealthyReason == nil)
      var failure: PostgresError?
      while failure == nil {
        do { try await database.write(Fill()) } catch let error as PostgresError { failure = error }
      }
      #expect(failure?.sqlState == .diskFull)
      #expect(await database.unhealthyReason?.contains("disk is full") == true)
    }
    try cluster.stopServer(mode: "immediate")
  }
}
