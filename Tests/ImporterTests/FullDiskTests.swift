import TTRPC
import TandemImporter
import TestSupport
import Testing

@Suite("disks that are full", .ownThreads, .timeLimit(.minutes(5)))
struct FullDiskTests {
  /// Makes the database refuse the second source of an import, as it does where its disk is full.
  private static let full = [
    """
    create function disk_is_full() returns trigger language plpgsql as $$
    begin
      if exists (select from activity_sources) then
        raise exception 'could not extend file "base/5/16397": No space left on device' using errcode = '53100';
      end if;
      return new;
    end $$
    """,
    "create trigger disk_is_full before insert on activity_sources for each row execute function disk_is_full()",
  ]

  @Test("[IM-10] where the database's disk fills up during an import, it says so, and nothing of the file is stored")
  func database() async throws {
    try await RunningImporter.with { importer in
      for statement in Self.full { try await importer.sql(statement) }
      let refused = try await refusal { try await importer.importFile(MadeFile.triathlon()) }
      #expect(refused.code == .resourceExhausted && refused.reason == "DATABASE_FULL", "\(refused)")
      #expect(refused.retryAfter != nil)
      for table in ["activities", "activity_sources", "best_efforts", "events"] {
        #expect(try await importer.value("select count(*) from \(table)") == "0", "\(table)")
      }
      let failed = try await importer.activities.listFileImports(ListFileImportsRequest(), Someone.ada.options).imports
      #expect(failed.map(\.state) == [.failed] && failed.map(\.reason) == ["DATABASE_FULL"])
      try await importer.sql("drop trigger disk_is_full on activity_sources")
      #expect(try await importer.importFile(MadeFile.triathlon()).newActivities == 3)
    }
  }
}
