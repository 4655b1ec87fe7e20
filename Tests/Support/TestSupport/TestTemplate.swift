import Postgres

/// The migrated database that tests' databases are copied from.
enum TestTemplate {
  /// The template of `schemas`, made unless an earlier process left it on the server. Blocks.
  ///
  /// Its name holds a hash of the migrations, so an edited migration makes another.
  static func name(of schemas: [TestSchema], on cluster: TestCluster) throws -> String {
    try Administration.blockingSession(cluster.url) { session in
      let name = "template_\(try hash(of: schemas, session))"
      // One process at a time: roles belong to the whole server.
      try session.run("select pg_advisory_lock(hashtextextended('tandem test template', 0))")
      guard try session.run("select 1 from pg_database where datname = $1", [name]).isEmpty else { return name }
      let draft = "\(name)_draft"
      try session.run("drop database if exists \(draft) with (force)")
      try session.run("create database \(draft)")
      try fill(draft, with: schemas, on: cluster)
      try session.run("alter database \(draft) rename to \(name)")
      return name
    }
  }

  private static func hash(of schemas: [TestSchema], _ session: borrowing AdministrationSession) throws -> String {
    let text = schemas.map { schema in
      ([schema.name] + schema.migrations.map { "\($0.title)\n\($0.sql)" }).joined(separator: "\u{1}")
    }.joined(separator: "\u{2}")
    let rows = try session.run("select left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 32)", [text])
    return rows.first?.first?.flatMap { $0 } ?? ""
  }

  static func fill(_ database: String, with schemas: [TestSchema], on cluster: TestCluster) throws {
    let roles = schemas.map { ServiceRole(service: $0.name, password: TestDatabase.password) }
    try Migrator.blockingProvision(adminURL: cluster.url(database: database), services: roles)
    for (schema, role) in zip(schemas, roles) {
      let url = cluster.url(database: database, role: role.name, password: role.password)
      try Migrator.blockingMigrate(url: url, schema: schema.name, migrations: schema.migrations)
    }
    try Administration.blockingSession(cluster.url(database: database)) { session in
      try TestReset.install(for: schemas, session)
    }
  }
}
