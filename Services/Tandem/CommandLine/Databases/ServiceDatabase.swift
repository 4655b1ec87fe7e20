import ArgumentParser
import Logging
import LoopExecutor
import Postgres

/// A service's database, queried with the service's own role.
struct ServiceDatabase: Sendable {
  let service: SuiteService
  let url: DatabaseURL
  let text: String

  /// The rows of a read-only statement.
  func rows<S: Statement>(_ statement: S) async throws -> [S.Row] {
    try await asked { try await $0.rows(statement) }
  }

  /// Runs `body` with a connection that is opened for it.
  func asked<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    let loops = LoopGroup(threads: 1)
    let result: Result<R, any Error>
    do {
      var configuration = DatabaseConfiguration(url: text, applicationName: "tandem", schema: service.rawValue)
      // A machine that is busy takes seconds to connect, and an operator waits rather than repeat the command.
      configuration.timeout = .seconds(15)
      let database = try Database(
        configuration, loops: loops.executors, logger: Logger(label: "tandem") { _ in SwiftLogNoOpLogHandler() })
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
    // undefined_table.
    case "42P01": return Complaint("\(place) lacks the table: `tandem migrate` makes it")
    case .insufficientPrivilege: return Complaint("\(place) does not let this role see the table")
    default: return Complaint("\(place): \(error)")
    }
  }
}

/// Which service's database is queried, and its URL.
struct DatabaseOptions: ParsableArguments {
  @Option(help: ArgumentHelp("One service (default: all that have a database).", valueName: "name"))
  var service: SuiteService?

  @OptionGroup var place: HomeOption
}

/// The services' databases.
enum ServiceDatabases {
  /// The database of the named service, or of every service that has one.
  static func named(_ options: DatabaseOptions) throws(Complaint) -> [ServiceDatabase] {
    try named(options.service, options.place)
  }

  /// The database of a service, or of every service that has one.
  static func named(_ service: SuiteService?, _ place: HomeOption) throws(Complaint) -> [ServiceDatabase] {
    let services = service.map { [$0] } ?? SuiteService.allCases
    let workspace = suiteWorkspace(place)
    var databases: [ServiceDatabase] = []
    for service in services {
      guard let (text, source) = try url(of: service, workspace) else { continue }
      databases.append(ServiceDatabase(service: service, url: try DatabaseURL(text, source: source), text: text))
    }
    guard databases.isEmpty else { return databases }
    let name = "TANDEM_\((service?.rawValue ?? "<SERVICE>").uppercased())_DATABASE_URL"
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

  /// The folder of a running suite; `nil` if none is running.
  private static func suiteWorkspace(_ place: HomeOption) -> Workspace? {
    let workspace = Workspace(home: Workspace.nearestHome(named: place.home))
    return RunningSuite.find(in: workspace).map { Workspace(home: workspace.home, data: $0.data) }
  }
}
