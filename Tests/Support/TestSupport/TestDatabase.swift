import Foundation
import Glibc
public import Postgres

/// A schema that a test's database has: its service's migrations, run as its service's role.
public struct TestSchema: Sendable, Hashable {
  /// The schema, which is the service's name.
  public let name: String
  /// Its migrations.
  public let migrations: [Migration]

  /// A schema of `migrations`.
  public init(_ name: String, _ migrations: [Migration] = []) {
    self.name = name
    self.migrations = migrations
  }
}

/// A database that one test has to itself, migrated already.
public struct TestDatabase: Sendable {
  /// A superuser's URL.
  public let url: String
  private let cluster: TestCluster
  private let name: String
  /// `nil` on a server of a test's own, which may be stopped and replaced: there each statement has a session of its own.
  private let sessions: TestSessions?

  /// Whether other tests have databases on its server, which no test stops.
  public var hasSharedServer: Bool { sessions != nil }

  /// The password of every service's role.
  public static let password = "tandem"

  init(cluster: TestCluster, name: String, keepsSessions: Bool = false) {
    self.cluster = cluster
    self.name = name
    url = cluster.url(database: name)
    sessions = keepsSessions ? TestSessions(url: url) : nil
  }

  /// The URL that `service` would use: its own role, `tandem_<service>`.
  public func url(of service: String) -> String {
    let url = cluster.url(database: name, role: ServiceRole.name(of: service), password: Self.password)
    // The server that tests share is there; with much to do it answers later than a service waits for one that may be away.
    return sessions == nil ? url : url + (url.contains("?") ? "&" : "?") + "connect_timeout=30"
  }

  /// Runs statements as a superuser; returns the last one's rows as texts.
  ///
  /// - Parameter schema: where names without a schema are looked for; `nil` where each has one.
  @discardableResult
  public func sql(_ text: String, in schema: String? = nil) async throws -> [[String?]] {
    if let sessions { return try await sessions.run(text, in: schema) }
    return try await Administration.session(url) { session in
      if let schema { try session.run("set search_path to \(schema)") }
      return try session.run(text)
    }
  }

  /// The first column of the first row.
  public func value(_ text: String, in schema: String? = nil) async throws -> String? {
    try await sql(text, in: schema).first?.first ?? nil
  }

  /// What the server has logged of deadlocks in this database: who waited for whom, with their statements. `nil` where the server is not a
  /// private one, whose log lies beside its data.
  public func loggedDeadlocks() async throws -> [String]? {
    guard let folder = try await value("show data_directory") else { return nil }
    guard FileManager.default.fileExists(atPath: "\(folder)/log") else { return nil }
    let lines = try String(contentsOfFile: "\(folder)/log", encoding: .utf8).components(separatedBy: "\n")
    // The prefix of a line names its database: those of other tests are on the server too.
    return lines.indices.filter { lines[$0].contains("/\(name):ERROR:  deadlock detected") }
      .map { lines[$0..<min($0 + 30, lines.count)].joined(separator: "\n") }
  }

  /// Runs `body` with a new database that has `schemas`.
  ///
  /// When `body` throws, or an expectation fails in it, the database and its server stay, and its URL is printed.
  @discardableResult
  public static func with<R: Sendable>(
    _ schemas: [TestSchema], _ body: @escaping @Sendable (TestDatabase) async throws -> R
  ) async throws -> R {
    let cluster = try TestCluster.shared()
    let pool = TestDatabasePool.of(schemas, on: cluster)
    let name = try await pool.take()
    let database = TestDatabase(cluster: cluster, name: name, keepsSessions: true)
    let observer = FailureObserver()
    do {
      let result = try await observer.observe { try await body(database) }
      database.sessions?.end()
      if observer.hasSeenFailure { database.keep() } else { pool.giveBack(name) }
      return result
    } catch {
      database.sessions?.end()
      database.keep()
      throw error
    }
  }

  /// Runs `body` with a database that has `schemas` on a server of its own, of which nothing is kept.
  ///
  /// - Parameter url: a superuser's URL, which may name several servers of which one takes writes.
  public static func with<R: Sendable>(
    _ schemas: [TestSchema], at url: String, _ body: @escaping @Sendable (TestDatabase) async throws -> R
  ) async throws -> R {
    let cluster = TestCluster(url: url)
    try await BackgroundThread.run {
      _ = try Administration.blockingSession(url) { try $0.run("create database \(ownServersName)") }
      try TestTemplate.fill(ownServersName, with: schemas, on: cluster)
    }
    return try await body(TestDatabase(at: url))
  }

  private static let ownServersName = "faults"

  /// The database that ``with(_:at:_:)`` creates, on a server where it was restored from a dump.
  ///
  /// - Parameter url: a superuser's URL.
  public init(at url: String) {
    self.init(cluster: TestCluster(url: url), name: Self.ownServersName)
  }

  private func keep() {
    let stop = PrivateCluster.keepShared().map { "; its server runs until you type: sh \($0)" } ?? ""
    let line = Array("The failed test's database was kept: psql '\(url)'\(stop)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
