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

  private var name: String { "tandem_test_\(suite)" }

  /// - Throws: where the server is too old or the role has too few rights, with what to do.
  func make() async throws {
    let name = name
    do {
      try await Administration.session(adminURL) { session in
        let facts = try session.run(
          "select current_setting('server_version_num'), rolsuper::text from pg_roles where rolname = current_user")
        let version = facts.first?[0].flatMap { Int($0) } ?? 0
        guard version >= PrivateDatabase.oldestVersion * 10_000 else {
          throw Complaint(
            "the server is PostgreSQL \(version / 10_000): a suite needs \(PrivateDatabase.oldestVersion) or newer")
        }
        guard facts.first?[1] == "true" else {
          throw Complaint(
            "the role of --database-url is no superuser: a suite for tests makes roles, and puts its tables back as they were"
          )
        }
        try session.run("create database \(name)")
      }
    } catch let error as PostgresError {
      throw Complaint("no database can be made at \(url.shown): \(error)")
    }
  }

  /// Drops both, where they are.
  func drop() async throws {
    let (name, suite) = (name, suite)
    try await Administration.session(adminURL) { session in
      try session.run("drop database if exists \(name) with (force)")
      for service in SuiteService.allCases {
        try session.run("drop role if exists \(ServiceRole.name(of: service.rawValue, in: suite))")
      }
    }
  }
}
