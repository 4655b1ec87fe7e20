import Foundation
import GRPCHealth
import IdentityStore
import LoopExecutor
import TTRPCClient
import TestSupport
import Testing

@Suite("first start", .timeLimit(.minutes(5)))
struct FirstStartTests {
  private static let loops = LoopGroup(threads: 1)

  /// Takes the lock of migrations until a process waits for it and the test has made the table `looked`.
  private static let migrationOfAnother = """
    select pg_advisory_lock(hashtextextended('migrate identity', 0));
    do $$ begin
      for attempt in 1..6000 loop
        if exists (select from pg_class where relname = 'looked')
          and exists (
            select from pg_locks join pg_database on pg_database.oid = database
            where locktype = 'advisory' and not granted and datname = current_database())
        then
          return;
        end if;
        perform pg_sleep(0.01);
      end loop;
      raise 'nothing waited for this migration';
    end $$;
    """

  /// The port for calls in the log's line about it; `nil` as long as there is none.
  private static func port(in log: String) throws -> Int? {
    let text = try String(contentsOfFile: log, encoding: .utf8)
    guard let range = text.range(of: "\"rpc\":\"127.0.0.1:") else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isNumber })
  }

  @Test("a new database is migrated before anything looks for its tables: nothing is logged of missing ones")
  func logs() async throws {
    try await TestDatabase.with([TestSchema(IdentitySchema.name, [])]) { database in
      let folder = NSTemporaryDirectory() + "tandem-first-start-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try Data().write(to: URL(fileURLWithPath: "\(folder)/log"))
      let log = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/log"))
      // Another process that migrates: the one of the test waits for it.
      async let migration = database.sql(Self.migrationOfAnother)
      _ = try await eventually("the other migration has begun") {
        try await database.sql("select 1 from pg_locks where locktype = 'advisory' and granted").first
      }
      async let started = IdentityProcess.start(on: database, in: folder, log: log)
      // Its answer comes after it has asked the database, by the same pool as all of its parts.
      let port = try await eventually("the process listens") { try Self.port(in: "\(folder)/log") }
      let client = RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: Self.loops.executors[0])
      let health = try await HealthClient(client).check(HealthCheckRequest())
      await client.close()
      try await database.sql("create table public.looked ()")
      _ = try await migration
      let identity = try await started
      identity.kill()

      let lines = try String(contentsOfFile: "\(folder)/log", encoding: .utf8).split(separator: "\n")
      #expect(health.status == .notServing)
      #expect(lines.contains { $0.contains("schema migrated") })
      #expect(lines.filter { $0.contains("does not exist") } == [])
    }
  }
}
