import Identifiers
import ImporterDomain
import ImporterStore
import TTRPC
import TandemEvents
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

@Suite("what users deleted, and later imports", .ownThreads, .timeLimit(.minutes(5)))
struct DeletedDataTests {
  @Test("[IM-11] what is deleted while an import runs is not brought back by its further pages")
  func whileImporting() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 2)
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.answer("/athlete/activities") { request in
        guard request.query["page"] == "2" else { return nil }
        var answer = TrackerSimulator.Answer.json("[\(TrackerSimulator.ride(77))]")
        answer.gate = gate
        return answer
      }
      let begun = try #require(try await importer.connect(simulator).lastImport)
      #expect(try await eventually { simulator.stravaPages.contains("2") })
      let deleted = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(all: true), TestUser.ada.options)
      gate.open()
      let ended = try await importer.ended(begun.importID)
      #expect(deleted.deletedActivities == 2 && ended.state == .succeeded)
      #expect(try await importer.listed().isEmpty)
      _ = try await importer.importAgain()
      #expect(try await importer.listed().isEmpty)
    }
  }

  @Test("[IM-11] a provider that always reports its last month does not bring back days and nights that were deleted")
  func lastMonth() async throws {
    try await RunningImporter.withTrackers(["polar"]) { importer, simulator in
      let day = { (days: Int) in String("\(importer.clock.now + .seconds(days * 86_400))".prefix(10)) }
      let reported = { (days: [String]) in
        simulator.answer("/v3/users") { _ in .json(#"{"polar-user-id":7001}"#) }
        simulator.answer("/v3/exercises") { _ in .json("[]") }
        simulator.answer("/users/activities") { _ in
          .json("[\(days.map { #"{"date":"\#($0)","steps":4000}"# }.joined(separator: ","))]")
        }
        simulator.answer("/users/sleep") { _ in
          let nights = days.map {
            #"{"date":"\#($0)","sleep_start_time":"\#($0)T00:30:00Z","sleep_end_time":"\#($0)T07:30:00Z"}"#
          }
          return .json(#"{"nights":[\#(nights.joined(separator: ","))]}"#)
        }
      }
      reported([day(-2), day(-1)])
      let first = try await importer.imported(simulator, "polar")
      #expect(first.stepDayCount == 2 && first.sleepCount == 2)
      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "polar"), TestUser.ada.options)
      reported([day(-2), day(-1), day(1)])
      importer.clock.advance(by: .seconds(2 * 86_400))
      // By then the next import has come by itself.
      #expect(
        try await eventually {
          try await importer.value("select count(*) from tracker_imports where state = 'SUCCEEDED'") == "2"
        })
      let days = try await importer.sql("select day::text from daily_steps")
      let nights = try await importer.sql("select external_id from sleeps")
      #expect(days == [[day(-1)]] && nights == days, "the day after the deletion")
    }
  }

  @Test("[IM-11] an archive of a connected provider brings back what was deleted, because the user uploads it")
  func uploaded() async throws {
    try await RunningImporter.withTrackers(["fitbit"]) { importer, simulator in
      simulator.setEmptyFitbit()
      try await importer.imported(simulator, "fitbit")
      let archive = MadeFile.zip([("exercise-0.json", Array("[\(MadeFile.exercise(1, at: "01/10/26 07:30:00"))]".utf8))]
      )
      let first = try await importer.importFile(archive)
      _ = try await importer.activities.deleteActivity(
        DeleteActivityRequest(activityID: try #require(first.activityIds.first)), TestUser.ada.options)
      #expect(try await importer.importFile(archive).newActivities == 1)
      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "fitbit"), TestUser.ada.options)
      #expect(try await importer.importFile(archive).newActivities == 1)
      #expect(try await importer.listed().count == 1)
    }
  }

  @Test(
    "[IM-11] 29 B2: 450 activities are deleted in parts, and are counted together; a repeated call does nothing more")
  func inParts() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(MadeFile.gpx())
      try await importer.multiply(by: 450)
      try await importer.noteParts("activity_sources")
      let call = DeleteImportedDataRequest(all: true, requestID: "0190a1b2-0000-7000-8000-0000000000ab")
      let answer = try await importer.activities.deleteImportedData(call, TestUser.ada.options)
      #expect(answer.deletedActivities == 451 && answer.changedActivities == 0)
      #expect(try await importer.parts == [["51"], ["200"], ["200"]])
      #expect(try await importer.told(ActivityRemoved.self).count == 451)
      _ = try await importer.importFile(MadeFile.gpx())
      let again = try await importer.activities.deleteImportedData(call, TestUser.ada.options)
      #expect(again.deletedActivities == 451)
      #expect(try await importer.listed().count == 1, "what came since stays")
    }
  }

  @Test(
    "[C-9] 29 B2: what a user brought in is seen by no user from then on and goes in parts, and a user whose removal fails holds up no other"
  )
  func erasure() async throws {
    try await RunningImporter.with { importer in
      for user in [TestUser.ada, .grace] { _ = try await importer.importFile(MadeFile.gpx(), as: user) }
      try await importer.multiply(by: 450)
      try await importer.sql(
        """
        insert into weights (user_id, measured_at, provider, weight_kg, stored_at)
        select '\(TestUser.ada.id)', now() - number * interval '1 minute', 'file', 80, now()
        from generate_series(1, 5500) as number
        """)
      try await importer.noteParts("activity_sources")
      try await importer.sql(
        """
        create function refuse_removal() returns trigger language plpgsql as $$
        begin
          if old.user_id = '\(TestUser.ada.id)' then raise exception 'not this one'; end if;
          return old;
        end
        $$;
        create trigger refused before delete on activity_sources for each row execute function refuse_removal()
        """)
      for user in [TestUser.ada, .grace] {
        for removal in ImporterSchema.removals { try await importer.remove(by: removal, user) }
      }
      #expect(try await importer.value("select count(*) from activities where user_id = '\(TestUser.ada.id)'") == "451")
      #expect(try await importer.listed().isEmpty)
      #expect(
        try await eventually {
          try await importer.value("select count(*) from erasures where user_id = '\(TestUser.grace.id)'") == "0"
        })
      #expect(try await importer.value("select count(*) from activities where user_id = '\(TestUser.grace.id)'") == "0")
      try await importer.sql("drop trigger refused on activity_sources; delete from parts")
      #expect(try await eventually { try await importer.value("select count(*) from erasures") == "0" })
      #expect(try await importer.parts == [["51"], ["200"], ["200"]])
      for table in ["activities", "activity_sources", "best_efforts", "weights"] {
        #expect(try await importer.value("select count(*) from \(table)") == "0", "\(table)")
      }
    }
  }

  @Test("[C-9] 29 B2: reports with long tracks go one by one, as their bytes are counted")
  func longTracks() async throws {
    try await RunningImporter.with { importer in
      _ = try await importer.importFile(MadeFile.gpx())
      try await importer.multiply(by: 3)
      // Beside the rows, and not compressed: 24 MB each.
      try await importer.sql("update activity_sources set track = convert_to(repeat(md5(id::text), 750000), 'UTF8')")
      try await importer.noteParts("activity_sources")
      for removal in ImporterSchema.removals { try await importer.remove(by: removal, .ada) }
      #expect(try await eventually { try await importer.value("select count(*) from erasures") == "0" })
      #expect(try await importer.parts == [["1"], ["3"]])
    }
  }
}

extension RunningImporter {
  /// Stores copies of Ada's only activity.
  fileprivate func multiply(by count: Int) async throws {
    try await sql(
      """
      create temporary table copies as
      select activity.id as activity_id, source.id as source_id, number, gen_random_uuid() as new_activity,
        gen_random_uuid() as new_source
      from activities as activity join activity_sources as source on source.activity_id = activity.id
      cross join generate_series(1, \(count)) as number
      where activity.user_id = '\(TestUser.ada.id)';
      insert into activities
      select (jsonb_populate_record(activity, jsonb_build_object('id', new_activity))).*
      from copies join activities as activity on activity.id = activity_id;
      insert into activity_sources
      select (jsonb_populate_record(
        source, jsonb_build_object('id', new_source, 'activity_id', new_activity, 'external_id', number::text)
      )).*
      from copies join activity_sources as source on source.id = source_id;
      drop table copies
      """)
  }

  /// Notes how many rows each statement deletes from a table.
  fileprivate func noteParts(_ table: String) async throws {
    try await sql(
      """
      create table parts (rows bigint not null);
      create function note_part() returns trigger language plpgsql security definer set search_path from current as $$
      begin
        insert into parts select count(*) from gone having count(*) > 0;
        return null;
      end
      $$;
      create trigger noted after delete on \(table) referencing old table as gone for each statement
      execute function note_part()
      """)
  }

  /// How many rows were deleted at a time, the fewest first.
  fileprivate var parts: [[String?]] { get async throws { try await sql("select rows from parts order by rows") } }
}

extension TrackerSimulator {
  /// Has Fitbit know the user, and nothing else.
  func setEmptyFitbit() {
    answer("/identity") { _ in .json(#"{"healthUserId":"9"}"#) }
    answer("/dataPoints") { _ in .json("{}") }
    answer("/dataPoints:dailyRollUp") { _ in .json("{}") }
  }
}
