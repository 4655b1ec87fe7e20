import Glibc

/// A service's role in a database, which may log in, and the schema of the service's name, which the role owns.
public struct ServiceRole: Sendable {
  /// The service and its schema, for example `identity`.
  public let service: String
  /// The password of the role.
  public let password: String
  /// For example `tandem_identity`, or `tandem_a1b2_identity` of the suite `a1b2`.
  public let name: String

  /// - Parameter suite: distinguishes the roles of suites that share a server, to which roles belong; `nil` where it has one.
  public init(service: String, password: String, suite: String? = nil) {
    self.service = service
    self.password = password
    name = Self.name(of: service, in: suite)
  }

  /// The name of the role of `service`.
  public static func name(of service: String, in suite: String? = nil) -> String {
    suite.map { "tandem_\($0)_\(service)" } ?? "tandem_\(service)"
  }
}

extension Migrator {
  /// Creates the services' roles and schemas in the database of `adminURL`, or corrects existing ones.
  ///
  /// Each role owns its schema, finds its tables there without naming it, and has no right on another's. No other role
  /// may connect to the database. PostgreSQL's extensions that services use are created in a schema of their own.
  /// Running it again sets the passwords. Services migrate their schemas themselves, as their own role. A standby is refused.
  /// - Parameter adminURL: the URL of a role that may create roles and owns the database.
  public static func provision(adminURL: String, services: [ServiceRole]) async throws {
    try await BackgroundThread.run { try blockingProvision(adminURL: adminURL, services: services) }
  }

  /// ``provision(adminURL:services:)`` on the calling thread, which must not be a loop's.
  package static func blockingProvision(adminURL: String, services: [ServiceRole]) throws {
    try Administration.blockingSession(adminURL) { session in
      try session.expectPrimary()
      try session.run("select pg_advisory_lock(hashtextextended('provision', 0))")
      try session.run("set client_min_messages to warning")
      let database = try session.run("select quote_ident(current_database())").first?.first?.flatMap { $0 } ?? ""
      try session.run(
        """
        revoke all on database \(database) from public;
        revoke create on schema public from public;
        create schema if not exists \(extensionSchema)
        """)
      for name in extensions { try provide(name, session) }
      for role in services { try provision(role, in: database, session) }
    }
  }

  /// The schema of ``extensions``, which services name in their SQL: it is in no role's search path.
  private static let extensionSchema = "extensions"
  /// Extensions that services may use, all of them in PostgreSQL's own distribution.
  private static let extensions = ["pg_trgm", "fuzzystrmatch", "cube", "btree_gist"]

  /// Creates an extension if the server has it; a service that needs a missing one fails when it migrates.
  private static func provide(_ name: String, _ session: borrowing AdministrationSession) throws {
    guard try !session.run("select 1 from pg_available_extensions where name = $1", [name]).isEmpty else { return }
    try session.run(
      "create extension if not exists \(Administration.quoted(identifier: name)) with schema \(extensionSchema)")
  }

  private static func provision(
    _ role: ServiceRole, in database: String, _ session: borrowing AdministrationSession
  ) throws {
    let name = Administration.quoted(identifier: role.name)
    let schema = Administration.quoted(identifier: role.service)
    let secret = Administration.quoted(literal: try session.secret(of: role.password, role: role.name))
    if try session.run("select 1 from pg_roles where rolname = $1", [role.name]).isEmpty {
      try createRole(name, session)
    }
    try againWhileOvertaken {
      try session.run(
        """
        alter role \(name) login nosuperuser nocreatedb nocreaterole noreplication password\(secret);
        alter role \(name) set search_path to \(schema);
        grant connect, temporary on database \(database) to \(name);
        grant \(name) to current_user;
        create schema if not exists \(schema) authorization \(name);
        revoke all on schema \(schema) from public;
        grant usage on schema \(extensionSchema) to \(name)
        """)
    }
  }

  /// Runs `change` again while it conflicts with another change of the same role.
  ///
  /// Roles belong to the whole cluster, but an advisory lock to one database: the provisioning of another can alter the
  /// role at the same moment. PostgreSQL refuses the later one ("tuple concurrently updated") with no more specific
  /// code than that of an internal error.
  private static func againWhileOvertaken(_ change: () throws -> Void) throws {
    for _ in 1..<maxAttempts {
      do {
        return try change()
      } catch let error as PostgresError where error.sqlState == .internalError {
        // At random, so that conflicting commands do not conflict again. A command blocks its thread here; no loop
        // does.
        usleep(UInt32.random(in: 1_000...20_000))
      }
    }
    try change()
  }

  private static let maxAttempts = 50

  private static func createRole(_ name: String, _ session: borrowing AdministrationSession) throws {
    do {
      try session.run("create role \(name)")
    } catch {
      // Roles belong to the whole cluster: another database's provisioning may have created it first.
      guard [.uniqueViolation, "42710"].contains(error.sqlState) else { throw error }
    }
  }
}
