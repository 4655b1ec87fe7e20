import Foundation
import IdentityStore
import TestSupport
import Testing

@Suite("first start", .timeLimit(.minutes(2)))
struct FirstStartTests {
  @Test("a new database is migrated before anything looks for its tables: nothing is logged of missing ones")
  func logs() async throws {
    try await TestDatabase.with([TestSchema(IdentitySchema.name, [])]) { database in
      let folder = NSTemporaryDirectory() + "tandem-first-start-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try Data().write(to: URL(fileURLWithPath: "\(folder)/log"))
      let log = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/log"))
      // Another process that migrates: the one of the test waits for it, and has time to do what it should not.
      async let migration = database.sql(
        """
        select pg_advisory_lock(hashtextextended('migrate identity', 0));
        do $$ begin
          for attempt in 1..6000 loop
            if exists (select from pg_locks where locktype = 'advisory' and not granted) then
              perform pg_sleep(0.3);
              return;
            end if;
            perform pg_sleep(0.01);
          end loop;
          raise 'nothing waited for this migration';
        end $$;
        """)
      _ = try await eventually("the other migration has begun") {
        try await database.sql("select 1 from pg_locks where locktype = 'advisory' and granted").first
      }
      let identity = try await IdentityProcess.start(on: database, in: folder, log: log)
      identity.kill()
      _ = try await migration

      let lines = try String(contentsOfFile: "\(folder)/log", encoding: .utf8).split(separator: "\n")
      #expect(lines.contains { $0.contains("schema migrated") })
      #expect(lines.filter { $0.contains("does not exist") } == [])
    }
  }
}
