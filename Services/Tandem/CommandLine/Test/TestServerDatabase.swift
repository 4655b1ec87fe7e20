import Glibc
import Postgres

/// The database and the roles of a suite on a server that others use too: both have the suite's name.
struct TestServerDatabase: Sendable {
  private let url: DatabaseURL
  private let adminURL: String
  private let suite: String

  /// - Parameter url: a superuser's, of any database of the server.
  init(url: String, suite: String) throws(Complaint) {
    self.url = try DatabaseURL(url, source: "--database-url")
    adminURL = url
    self.suite = suite
  }

  /// The suite's database, with the superuser.
  var databaseURL: String { url.url(database: name) }

  private var name: String { "\(Self.prefix)\(suite)" }
  private static let prefix = "tandem_test_"
  /// What people do who have no such server.
  private static let instead = "or leave out --database-url, for a server of the suite's own"

  /// Makes it, by a connection that stays open as long as this process runs and bears the name of the database: what no connection
  /// bears is abandoned.
  ///
  /// - Throws: where the server is too old, the role has too few rights or there is no room, with what to do.
  func make() async throws {
    let database = self
    do {
      try await withUnsafeThrowingContinuation { (made: UnsafeContinuation<Void, any Error>) in
        let hasThread = BackgroundThread.start { database.makeAndStay(made) }
        if !hasThread { made.resume(throwing: Complaint("the system grants no more threads")) }
      }
    } catch let error as PostgresError {
      let advice =
        switch error.sqlState {
        case .diskFull: "make room there"
        default: "name one that is up and lets this URL in"
        }
      throw Complaint("no database can be made at \(url.shown): \(error); \(advice), \(Self.instead)")
    }
  }

  private func makeAndStay(_ made: UnsafeContinuation<Void, any Error>) {
    do {
      try Administration.blockingSession(adminURL) { session in
        let facts = try session.run(
          "select current_setting('server_version_num'), rolsuper::text from pg_roles where rolname = current_user")
        if let refusal = Self.refusal(
          version: facts.first?[0].flatMap { Int($0) } ?? 0, isSuperuser: facts.first?[1] == "true")
        {
          throw refusal
        }
        try session.run("set idle_session_timeout = 0; set application_name to '\(name)'")
        try Self.removeAbandoned(session)
        try session.run("create database \(name)")
        made.resume()
        while true { pause() }
      }
    } catch {
      made.resume(throwing: error)
    }
  }

  /// Why a server cannot have suites, and what to do; `nil` where it can.
  ///
  /// - Parameter version: `server_version_num`, such as 150004.
  static func refusal(version: Int, isSuperuser: Bool) -> Complaint? {
    guard version >= PrivateDatabase.oldestVersion * 10_000 else {
      return Complaint(
        "the server of --database-url is PostgreSQL \(version / 10_000): "
          + "name one of version \(PrivateDatabase.oldestVersion) or newer, \(instead)")
    }
    guard isSuperuser else {
      return Complaint(
        "the role of --database-url is no superuser, and a suite for tests makes roles and puts its tables back as they were: "
          + "name a superuser, \(instead)")
    }
    return nil
  }

  /// Drops both, where they are. What the suite's process was about to make there is not made any more.
  func drop() async throws {
    let (name, suite) = (name, suite)
    try await Administration.session(adminURL) { session in
      // A server learns of the end of a process when it next reads from it, which is once the database is made.
      try session.run(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = $1", [name])
      try session.run("drop database if exists \(name) with (force)")
      for service in SuiteService.allCases {
        try session.run("drop role if exists \(ServiceRole.name(of: service.rawValue, in: suite))")
      }
    }
  }

  /// Drops what suites left whose processes were killed, together with those that remove their remnants. Other suites begin and end
  /// meanwhile, and may do the same.
  private static func removeAbandoned(_ session: borrowing AdministrationSession) throws {
    try session.run("select pg_advisory_lock(hashtextextended('tandem test', 0))")
    for row in try session.run(abandoned) {
      guard let kind = row[0], let name = row[1] else { continue }
      do { try session.run("drop \(kind) if exists \(name)") } catch { tell("tandem: \(name) is left there: \(error)") }
    }
    try session.run("select pg_advisory_unlock(hashtextextended('tandem test', 0))")
  }

  /// Databases that no one is connected to, and then roles that have none. A role is made after its database, and dropped after it.
  private static let abandoned = """
    with used as (select application_name as name from pg_stat_activity union select datname from pg_stat_activity),
      databases as (select datname::text as name from pg_database where datname ~ '^\(prefix)[0-9a-f]{12}$'),
      left_over as (select name from databases except select name from used),
      roles as (
        select rolname::text as name, '\(prefix)' || substr(rolname, 8, 12) as owner from pg_roles
        where rolname ~ '^tandem_[0-9a-f]{12}_(\(SuiteService.allCases.map(\.rawValue).joined(separator: "|")))$')
    select kind, name from (
      select 1 as step, 'database' as kind, name from left_over
      union all
      select 2, 'role', name from roles where owner not in (
        select name from used where name is not null union select name from databases except select name from left_over)
    ) as remnants order by step, name
    """
}
