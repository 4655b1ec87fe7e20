import Postgres
import TestSupport
import Testing

@Suite("Migrations", .timeLimit(.minutes(5)))
struct MigratorTests {
  static let first = Migration(
    version: 1, name: "books", sql: "create table books (id bigint); create table loans (id bigint)")
  static let second = Migration(version: 2, name: "titles", sql: "alter table books add column title text")

  @Test("what is missing is run in order, once, as the service's own role")
  func runsOnce() async throws {
    try await TestDatabase.with([TestSchema("books")]) { (database) async throws in
      let url = database.url(of: "books")
      let fresh = try await Migrator.migrate(url: url, schema: "books", migrations: [Self.first])
      #expect(fresh.applied == [1])
      let later = try await Migrator.migrate(url: url, schema: "books", migrations: [Self.first, Self.second])
      #expect(later.applied == [2])
      let again = try await Migrator.migrate(url: url, schema: "books", migrations: [Self.first, Self.second])
      #expect(again.applied == [])
      #expect(again.version == 2)
      #expect(try await Migrator.version(url: url, schema: "books") == 2)
    }
  }

  @Test("a migration that was edited after it was run is refused by a line that names its file")
  func edited() async throws {
    try await TestDatabase.with([TestSchema("books", [Self.first])]) { (database) async throws in
      let edited = Migration(version: 1, name: "books", sql: Self.first.sql + " -- better")
      let error = await #expect(throws: MigrationError.self) {
        try await Migrator.migrate(url: database.url(of: "books"), schema: "books", migrations: [edited])
      }
      #expect(error == .edited(schema: "books", migration: "migration 1 (books)"))
      #expect(error?.description.contains("\n") == false)
    }
  }

  @Test("a migration that fails leaves nothing behind and is run again when it is right")
  func failing() async throws {
    try await TestDatabase.with([TestSchema("books")]) { (database) async throws in
      let url = database.url(of: "books")
      let wrong = Migration(version: 1, name: "books", sql: "create table books (id bigint); select 1 / 0")
      let error = await #expect(throws: MigrationError.self) {
        try await Migrator.migrate(url: url, schema: "books", migrations: [wrong])
      }
      #expect(error?.description.hasPrefix("migration 1 (books) failed and was undone: 22012") == true)
      let outcome = try await Migrator.migrate(url: url, schema: "books", migrations: [Self.first])
      #expect(outcome.applied == [1])
    }
  }

  @Test("a database that is newer than the program is left as it is")
  func newer() async throws {
    try await TestDatabase.with([TestSchema("books", [Self.first, Self.second])]) { (database) async throws in
      let outcome = try await Migrator.migrate(
        url: database.url(of: "books"), schema: "books", migrations: [Self.first])
      #expect(outcome.applied == [])
      #expect(outcome.version == 2)
      #expect(outcome.isNewerThanProgram)
    }
  }

  @Test("programs that migrate at the same time run each migration once")
  func racing() async throws {
    try await TestDatabase.with([TestSchema("books")]) { (database) async throws in
      let url = database.url(of: "books")
      let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await Migrator.migrate(url: url, schema: "books", migrations: [Self.first, Self.second]).applied
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(applied.sorted() == [1, 2])
    }
  }

  @Test("migrations without a gap in their numbers, or none are run")
  func gap() async throws {
    try await TestDatabase.with([TestSchema("books")]) { (database) async throws in
      let error = await #expect(throws: MigrationError.self) {
        try await Migrator.migrate(url: database.url(of: "books"), schema: "books", migrations: [Self.second])
      }
      #expect(error == .gap(migration: "migration 2 (titles)"))
    }
  }

  @Test("a service cannot read another's schema, nor make tables outside its own")
  func otherSchema() async throws {
    try await TestDatabase.with([notes, TestSchema("books", [Self.first])]) { (database) async throws in
      try await Database.with(database.url(of: "notes")) { (own) async throws in
        #expect(try await own.rows(NoteIDs()) == [])
        let read = await #expect(throws: PostgresError.self) { try await own.rows(ForeignBooks()) }
        #expect(read?.sqlState == .insufficientPrivilege)
        let write = await #expect(throws: PostgresError.self) { try await own.write(PublicTable()) }
        #expect(write?.sqlState == .insufficientPrivilege)
      }
    }
  }

  @Test("provisioning again changes the password and keeps the data")
  func provisionAgain() async throws {
    try await TestDatabase.with([notes]) { (database) async throws in
      try await Migrator.provision(
        adminURL: database.url, services: [ServiceRole(service: "notes", password: TestDatabase.password)])
      try await Database.with(database.url(of: "notes")) { (own) async throws in
        #expect(try await own.rows(NoteIDs()) == [])
      }
    }
  }

  @Test("databases of one cluster are provisioned at the same time, although their roles are the same")
  func provisionAtOnce() async throws {
    try await TestDatabase.with([notes]) { one in
      try await TestDatabase.with([notes]) { other in
        try await withThrowingTaskGroup { group in
          for url in [one.url, other.url] {
            group.addTask {
              for _ in 0..<40 {
                let role = ServiceRole(service: "notes", password: TestDatabase.password)
                try await Migrator.provision(adminURL: url, services: [role])
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }

  @Test("[O-6] a standby is neither prepared nor migrated, and the refusal says which URL to give")
  func standby() async throws {
    let primary = try PrivateCluster.start()
    let standby = try primary.startStandby()
    let roles = [ServiceRole(service: "books", password: "secret")]
    let unprepared = await #expect(throws: PostgresError.self) {
      try await Migrator.provision(adminURL: standby.url, services: roles)
    }
    let unmigrated = await #expect(throws: PostgresError.self) {
      _ = try await Migrator.migrate(url: standby.url, schema: "books", migrations: [Self.first])
    }
    for refusal in [unprepared, unmigrated] {
      #expect(refusal?.sqlState == .readOnlyTransaction && refusal?.isUnavailable == false)
      let message = refusal?.message ?? ""
      #expect(message.contains("name the primary") && message.contains("target_session_attrs=read-write"), "\(message)")
    }
    let both = "postgresql://postgres@\(standby.address),\(primary.address)/postgres?target_session_attrs=read-write"
    try await Migrator.provision(adminURL: both, services: roles)
    #expect(try await Migrator.migrate(url: both, schema: "books", migrations: [Self.first]).applied == [1])
    try primary.stopServer(mode: "immediate")
    try standby.stopServer(mode: "immediate")
  }
}

struct ForeignBooks: Statement {
  typealias Row = Int64
  static let sql = "select id from books.books"
}

struct PublicTable: Statement {
  typealias Row = Void
  static let sql = "create table public.mine (id bigint)"
}
