import Ambient
import Identifiers
import Jobs
import Logging
import LoopExecutor
import Postgres

/// A service's database, asked about its jobs.
struct JobDatabase: Sendable {
  let service: SuiteService
  let url: DatabaseURL
  let text: String

  /// What became of a job that was to be retried.
  enum Outcome: Sendable {
    case retried(JobRecord)
    case isLiving
    case hasSuccessor
    case isMissing
  }

  /// The rows of a statement that changes nothing.
  func rows<S: Statement>(_ statement: S) async throws -> [S.Row] {
    try await asked { try await $0.rows(statement) }
  }

  /// The ids of the jobs that were given up, all of them or those of a kind.
  func dead(_ kind: String?) async throws -> [UUID7] {
    try await rows(ListJobs(.dead, kind: kind, limit: Self.most)).map(\.id)
  }

  /// More than anybody looks through; who has more says --all again.
  private static let most = 10_000

  /// Has a job tried again.
  func retry(_ id: UUID7) async throws -> Outcome {
    try await asked { database in
      do {
        if let job = try await database.write(RetryDeadJob(id, now: SystemClock().now)).first { return .retried(job) }
      } catch let error as PostgresError where error.constraint == RetryDeadJob.livingConstraint {
        return .hasSuccessor
      }
      return try await database.first(FindJob(id)) == nil ? .isMissing : .isLiving
    }
  }

  /// Asks by a connection that is there for this alone.
  func asked<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    let loops = LoopGroup(threads: 1)
    let result: Result<R, any Error>
    do {
      let database = try Database(
        DatabaseConfiguration(url: text, applicationName: "tandem", schema: service.rawValue),
        loops: loops.executors, logger: Logger(label: "tandem") { _ in SwiftLogNoOpLogHandler() })
      do { result = .success(try await body(database)) } catch { result = .failure(error) }
      await database.close()
    } catch {
      result = .failure(error)
    }
    try await loops.shutdown()
    do { return try result.get() } catch let error as PostgresError { throw complaint(error) }
  }

  private func complaint(_ error: PostgresError) -> Complaint {
    let place = "the database of \(service.rawValue) (\(url.shown))"
    switch error.sqlState {
    // No such table.
    case "42P01": return Complaint("\(place) lacks the table: `tandem migrate` makes it")
    case .insufficientPrivilege: return Complaint("\(place) does not let this role see the table")
    default: return Complaint("\(place): \(error)")
    }
  }
}

/// Where services' jobs are.
enum JobDatabases {
  /// The database of the service that is named, or of every service that has one.
  static func named(_ options: JobsPlaceOptions) throws(Complaint) -> [JobDatabase] {
    let services = options.service.map { [$0] } ?? SuiteService.allCases
    let workspace = suiteWorkspace(options.place)
    var databases: [JobDatabase] = []
    for service in services {
      guard let (text, source) = try url(of: service, workspace) else { continue }
      databases.append(JobDatabase(service: service, url: try DatabaseURL(text, source: source), text: text))
    }
    guard databases.isEmpty else { return databases }
    let name = "TANDEM_\((options.service?.rawValue ?? "<SERVICE>").uppercased())_DATABASE_URL"
    throw Complaint(usage: "no database: set \(name) or TANDEM_DATABASE_URL, or start a suite by `tandem up`")
  }

  private static func url(
    of service: SuiteService, _ workspace: Workspace?
  ) throws(Complaint) -> (text: String, source: String)? {
    for name in ["TANDEM_\(service.rawValue.uppercased())_DATABASE_URL", "TANDEM_DATABASE_URL"] {
      if let text = try AdminDatabase.variable(name) { return (text, name) }
    }
    guard let path = workspace?.databaseURLFile(of: service), let text = Files.text(path) else { return nil }
    return (String(text.prefix { $0 != "\n" }), path)
  }

  /// The folder of a suite that runs; `nil` when none does.
  private static func suiteWorkspace(_ place: HomeOption) -> Workspace? {
    let workspace = Workspace(home: Workspace.nearestHome(named: place.home))
    return RunningSuite.find(in: workspace).map { Workspace(home: workspace.home, data: $0.data) }
  }
}
