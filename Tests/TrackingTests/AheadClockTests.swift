import Environment
import Identifiers
import TTRPC
import TandemEvents
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps

/// A replica's clock that is ahead of the database's, which shows the real time.
@Suite("a clock that is ahead", .timeLimit(.minutes(5)))
struct AheadClockTests {
  @Test("[TR-8] [TR-10] 29 B1: a replica whose clock is a day ahead takes no journey for late, and no user for silent")
  func looks() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock(SystemClock().now)
      try await RunningTracking.with(on: database, clock) { tracking in
        let (group, began) = (try await tracking.group(of: [.ada, .grace]), clock.now)
        try await tracking.depart(seenBy: [group])
        for user in [TestUser.ada, .grace] { try await tracking.report(52.4, 13.4, as: user) }
        clock.advance(by: .seconds(86_400))
        // Each look takes all that is due; hers is, by any clock.
        let grace = "from trackers where user_id = '\(TestUser.grace.id)'"
        try await tracking.sql("update trackers set check_at = '2000-01-01' where user_id = '\(TestUser.grace.id)'")
        try await until("there was a look") {
          try await tracking.value("select check_at is distinct from '2000-01-01' \(grace)") == "t"
        }
        let shown = try await tracking.sql(
          "select state, warnings::text from memberships where user_id = '\(TestUser.ada.id)'")
        // On a slow machine she may have fallen silent by any clock meanwhile.
        if SystemClock().now - began < .seconds(50) { #expect(shown == [["ROUTING", "0"]]) }
        #expect(try await tracking.news().allSatisfy { !$0.hasPrefix("notArrived") })
      }
    }
  }

  @Test("[TR-13] 29 B1: a sweep of a replica whose clock is a year ahead deletes no position before its time")
  func sweep() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock(SystemClock().now)
      try await RunningTracking.with(on: database, clock) { tracking in
        let group = try await tracking.group(of: [.ada, .grace])
        try await tracking.depart(seenBy: [group])
        for user in [TestUser.ada, .grace] { try await tracking.report(52.4, 13.4, as: user) }
        try await tracking.sql("update trackers set check_at = null")
        try await tracking.addOldPoint(of: .grace)
      }
      clock.advance(by: .seconds(366 * 86_400))
      try await RunningTracking.with(on: database, clock) { tracking in
        try await until("what is old by any clock is deleted") {
          try await tracking.value("select count(*) from path_points where user_id = '\(TestUser.grace.id)'") == "0"
        }
        #expect(
          try await tracking.sql(
            """
            select (select count(*) from path_points), (select count(*) from journeys),
              (select count(latitude) from trackers)
            """) == [["1", "1", "1"]])
      }
    }
  }
}

@Suite("sweeps of which a part fails", .timeLimit(.minutes(5)))
struct FailingSweepTests {
  @Test("[TR-13] S-8, 29 B5: where one part of a sweep fails, the others delete what is theirs nevertheless")
  func parts() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      // Partitions of paths are dropped after a year.
      let clock = ManualClock(ManualClock().now - .seconds(365 * 86_400))
      try await RunningTracking.with(on: database, clock) { tracking in
        let group = try await tracking.group(of: [.ada])
        try await tracking.depart(seenBy: [group])
        try await tracking.report(52.4, 13.4)
        _ = try await tracking.journeys.stopJourney(StopJourneyRequest(), TestUser.ada.options)
        // A user's journeys cannot be deleted, and the partition of the day, on which a view depends, cannot be dropped.
        try await tracking.sql(
          """
          update trackers set check_at = null;
          create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
          create trigger refused before delete on journeys for each row execute function refuse();
          do $$
          begin
            execute format(
              'create view needed as select * from %I',
              (select inhrelid::regclass::text from pg_inherits
                where inhparent = 'path_points'::regclass order by 1 limit 1)
            );
          end
          $$
          """)
      }
      clock.advance(by: .seconds(400 * 86_400))
      try await RunningTracking.with(on: database, clock) { tracking in
        try await until("positions are deleted") {
          try await tracking.sql(
            "select (select count(latitude) from trackers)::text, (select count(*) from path_points)::text")
            == [["0", "0"]]
        }
        try await until("partitions of changes are dropped") {
          try await tracking.value(
            """
            select count(*) from pg_inherits
            where inhparent = 'group_changes'::regclass and inhrelid::regclass::text like '%202501%'
            """) == "0"
        }
        #expect(try await tracking.value("select count(*) from journeys") == "1")
      }
    }
  }
}

extension RunningTracking {
  /// Stores a point of a user that is older than the default retention time by any clock.
  fileprivate func addOldPoint(of user: TestUser) async throws {
    try await sql(
      """
      select make_partition('path_points', (now() at time zone 'UTC')::date - 40);
      insert into path_points (user_id, recorded_at, latitude, longitude)
      values ('\(user.id)', (((now() at time zone 'UTC')::date - 40)::timestamp + interval '1 hour') at time zone 'UTC', 52, 13)
      """)
  }
}
