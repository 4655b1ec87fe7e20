/// Migrates a service's schema to the version of its program.
public enum Migrator {
  /// The result of a migration.
  public struct Outcome: Sendable, Equatable {
    /// The versions that were run by this call, in order.
    public let applied: [Int]
    /// The schema's version afterwards; 0 when no migration was ever run.
    public let version: Int
    /// Whether the database is at a later version than the program knows.
    public let isNewerThanProgram: Bool
  }

  /// Runs the missing steps of `migrations`, each in a transaction, while no other program does so on the same schema.
  ///
  /// The role of `url` must own `schema`, or be allowed to create it. A database that is newer than the program is
  /// accepted and left unchanged: while a release is rolled out, or rolled back, old programs run beside new ones, so
  /// migrations must suit the previous release.
  /// - Throws: ``MigrationError``; ``PostgresError`` when the database cannot be reached.
  public static func migrate(url: String, schema: String, migrations: [Migration]) async throws -> Outcome {
    try await BackgroundThread.run { try blockingMigrate(url: url, schema: schema, migrations: migrations) }
  }

  /// ``migrate(url:schema:migrations:)`` on the calling thread, which must not be a loop's.
  @discardableResult
  package static func blockingMigrate(url: String, schema: String, migrations: [Migration]) throws -> Outcome {
    for (place, migration) in migrations.enumerated() where migration.version != place + 1 {
      throw MigrationError.gap(migration: migration.title)
    }
    return try Administration.blockingSession(url) { session in
      try migrate(session, schema, migrations)
    }
  }

  /// The version of `schema`; 0 when no migration was run.
  public static func version(url: String, schema: String) async throws -> Int {
    try await Administration.session(url) { session in
      guard try isPrepared(session, schema) else { return 0 }
      return try recorded(session, schema).last?.version ?? 0
    }
  }

  /// Whether the schema has its table of migrations.
  private static func isPrepared(_ session: borrowing AdministrationSession, _ schema: String) throws -> Bool {
    let table = Administration.quoted(literal: "\(Administration.quoted(identifier: schema)).schema_migrations")
    return try session.run("select to_regclass(\(table))").first?.first != .some(nil)
  }

  private struct Record {
    let version: Int
    let name: String
    let checksum: String
  }

  private static func migrate(
    _ session: borrowing AdministrationSession, _ schema: String, _ migrations: [Migration]
  ) throws -> Outcome {
    let name = Administration.quoted(identifier: schema)
    try session.expectPrimary()
    // Held until the session ends, so a second program waits here and then finds the work done.
    try session.run("select pg_advisory_lock(hashtextextended($1, 0))", ["migrate \(schema)"])
    try session.run("set client_min_messages to warning")
    try prepare(session, schema)
    try session.run("set search_path to \(name)")
    let done = try recorded(session, schema)
    let run = done.filter { $0.version <= migrations.count }.map { ($0, migrations[$0.version - 1]) }
    for ((record, migration), checksum) in zip(run, try checksums(session, of: run.map(\.1)))
    where record.checksum != checksum {
      throw MigrationError.edited(schema: schema, migration: migration.title)
    }
    let known = Set(done.map(\.version))
    for version in 1...max(1, done.last?.version ?? 1) where !known.contains(version) && done.count > 0 {
      throw MigrationError.missing(schema: schema, version: version, name: "its record is gone")
    }
    let missing = migrations.filter { !known.contains($0.version) }
    for migration in missing { try apply(migration, to: schema, session) }
    let version = max(done.last?.version ?? 0, migrations.count)
    return Outcome(applied: missing.map(\.version), version: version, isNewerThanProgram: version > migrations.count)
  }

  /// Creates the schema and its table of migrations, where they do not exist.
  private static func prepare(_ session: borrowing AdministrationSession, _ schema: String) throws {
    let name = Administration.quoted(identifier: schema)
    // A role that owns its schema usually may not create another, not even with "if not exists".
    if try session.run("select 1 from pg_namespace where nspname = $1", [schema]).isEmpty {
      try session.run("create schema \(name)")
    }
    // To make it again "if not exists", with its comments, would change the system catalog at each start.
    guard try !isPrepared(session, schema) else { return }
    try session.run(
      """
      create table \(name).schema_migrations (
        version integer constraint schema_migrations_pkey primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      );
      comment on table \(name).schema_migrations is 'What the service has run to make this schema.';
      comment on column \(name).schema_migrations.version is 'The number in the name of the file.';
      comment on column \(name).schema_migrations.name is 'The words in the name of the file.';
      comment on column \(name).schema_migrations.checksum is 'SHA-256 of the file in hexadecimal digits.';
      comment on column \(name).schema_migrations.applied_at is 'When it was run.';
      """)
  }

  private static func recorded(_ session: borrowing AdministrationSession, _ schema: String) throws -> [Record] {
    let name = Administration.quoted(identifier: schema)
    let rows = try session.run("select version, name, checksum from \(name).schema_migrations order by version")
    return rows.compactMap { row in
      guard let version = row[0].flatMap({ Int($0) }), let name = row[1], let checksum = row[2] else { return nil }
      return Record(version: version, name: name, checksum: checksum)
    }
  }

  private static func checksums(
    _ session: borrowing AdministrationSession, of migrations: [Migration]
  ) throws -> [String] {
    let texts = migrations.indices.map { "$\($0 + 1)::text" }.joined(separator: ", ")
    let rows = try session.run(
      """
      select encode(sha256(convert_to(text, 'UTF8')), 'hex')
      from unnest(array[\(texts)]::text[]) with ordinality as migrations (text, place)
      order by place
      """, migrations.map(\.sql))
    return rows.map { $0.first?.flatMap { $0 } ?? "" }
  }

  private static func apply(
    _ migration: Migration, to schema: String, _ session: borrowing AdministrationSession
  ) throws {
    let checksum = try checksums(session, of: [migration]).first ?? ""
    let name = Administration.quoted(identifier: schema)
    do {
      try session.run("begin")
      try session.run(migration.sql)
      try session.run(
        "insert into \(name).schema_migrations (version, name, checksum) values ($1::integer, $2, $3)",
        ["\(migration.version)", migration.name, checksum])
      try session.run("commit")
    } catch {
      if error.isUnavailable { throw error }
      try session.run("rollback")
      throw MigrationError.failed(migration: migration.title, reason: error.description)
    }
  }
}
