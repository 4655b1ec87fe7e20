import TTRPC
import TandemEvents
import TandemImporter
import TestServices
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
      let failed = try await importer.activities.listFileImports(ListFileImportsRequest(), TestUser.ada.options).imports
      #expect(failed.map(\.state) == [.failed] && failed.map(\.reason) == ["DATABASE_FULL"])
      try await importer.sql("drop trigger disk_is_full on activity_sources")
      #expect(try await importer.importFile(MadeFile.triathlon()).newActivities == 3)
    }
  }

  @Test("[IM-10] imports until a real disk is full: what was acknowledged is there, the last one not in part")
  func filled() async throws {
    let cluster = try PrivateCluster.start(room: .smallDisk(mebibytes: 5))
    try await TestDatabase.with([RunningImporter.schema], at: cluster.url) { database in
      try await RunningImporter.with(on: database) { importer in
        for statement in [
          "create tablespace small location '\(cluster.smallDisk)'",
          "alter table importer.activity_sources set tablespace small",
          "create table public.ballast (bytes text) tablespace small",
          "alter table public.ballast alter column bytes set storage plain",
          "insert into public.ballast select repeat('x', 7000) from generate_series(1, 250)",
        ] { try await database.sql(statement) }
        func file(_ number: Int) -> [UInt8] {
          MadeFile.fit(points: 20_000, start: 1_119_000_000 + UInt32(number) * 100_000)
        }
        var (done, full): (Int, Status?) = (0, nil)
        while full == nil, done < 100 {
          do {
            #expect(try await importer.importFile(file(done)).newActivities == 1)
            done += 1
          } catch let status as Status { full = status }
        }
        #expect(full?.code == .resourceExhausted && full?.reason == "DATABASE_FULL", "\(String(describing: full))")
        #expect(done > 0)
        for table in ["activities", "activity_sources", "file_imports where state = 'DONE'"] {
          #expect(try await importer.value("select count(*) from \(table)") == "\(done)", "\(table)")
        }
        #expect(try await importer.told(TrackerImported.self).count == done)
        let ended = try await importer.sql("select state, failure from file_imports where state <> 'DONE'")
        #expect(ended == [["FAILED", "DATABASE_FULL"]])
        try await database.sql("drop table public.ballast")
        #expect(try await importer.importFile(file(done)).newActivities == 1)
      }
    }
    try cluster.stopServer(mode: "immediate")
  }
}
