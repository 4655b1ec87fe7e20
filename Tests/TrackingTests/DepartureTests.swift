import AccountDeletions
import Environment
import Identifiers
import Live
import Postgres
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingOperations
import TrackingStore

@Suite("users who leave")
struct DepartureTests {
  @Test("[TR-2] [TR-12] a report for a group that was just left is not seen by it, and its numbers have no gap")
  func left() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let changes = GroupChanges(
        signals: ChangeSignals(live: tracking.runtime.live), partitions: Partitions(database: tracking.own),
        clock: tracking.clock)
      // What a report prepared before its transaction had the group's lock.
      let prepared = [TestUser.alan, .ada, .alan, .grace].map {
        GroupChange(.position, of: $0.id, in: group, state: .active)
      }
      try await tracking.own.repeatableTransaction { tx in try await changes.store(prepared, tx) }
      #expect(
        try await tracking.sql("select sequence, user_id from group_changes order by sequence")
          == [["1", "\(TestUser.ada.id)"], ["2", "\(TestUser.grace.id)"]])
      #expect(try await tracking.value("select sequence from groups") == "2")
    }
  }

  @Test("[TR-12] who leaves a group is no longer seen by it, nor sees it, in the middle of a journey")
  func leaveOnJourney() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      try await tracking.sql("delete from memberships where user_id = '\(TestUser.ada.id)'")
      #expect(try await tracking.report(52.4, 13.4).groups == 0)
      let call = GetJourneyRequest(journeyID: journey.journeyID)
      #expect(
        await reason { _ = try await tracking.journeys.getJourney(call, TestUser.grace.options) }
          == "JOURNEY_NOT_FOUND")
      #expect(await reason { _ = try await tracking.member(.grace, in: group, seenBy: .ada) } == "GROUP_NOT_FOUND")
      _ = try await tracking.journeys.stopJourney(StopJourneyRequest(), TestUser.ada.options)
    }
  }

  @Test("[C-9] nothing of a deleted account is kept, and nothing is stored of it afterwards")
  func deletion() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.depart(seenBy: [group])
      try await tracking.report(52.4, 13.4)
      try await tracking.own.transaction { tx in
        try await tx.execute(MarkAccountDeleted(userID: TestUser.ada.id))
        try await tx.execute(DeleteTrackerOfUser(userID: TestUser.ada.id))
        try await tx.execute(DeleteMembershipsOfUser(userID: TestUser.ada.id))
        try await tx.execute(BeginErasure(userID: TestUser.ada.id))
      }
      #expect(await reason { try await tracking.report(52.4, 13.4) } == "TOKEN_INVALID")
      // What no user sees any more is removed in parts, within seconds.
      try await until("nothing is left") { try await tracking.value("select count(*) from erasures") == "0" }
      #expect(
        try await tracking.sql(
          """
          select (select count(*) from trackers), (select count(*) from path_points), (select count(*) from journeys),
            (select count(latitude) from group_changes)
          """) == [["0", "0", "0", "0"]])
    }
  }

  @Test(
    "[C-9] 29 B2: 12,000 positions in a group's log, as many points and 6,000 journeys go in parts, and no user sees them meanwhile"
  )
  func removalInParts() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      try await tracking.report(52.4, 13.4)
      let shares = JourneySharesClient(tracking.client)
      let share = try await shares.createShare(CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      try await tracking.seedHistory()
      try await tracking.sql(
        "create trigger refused before delete on path_points for each row execute function refuse()")
      try await tracking.own.repeatableTransaction { tx in
        for removal in TrackingSchema.removals { try await tx.remove(TestUser.ada.id, by: removal) }
      }
      #expect(try await tracking.value("select count(*) from journeys") == "6001", "no part can be removed")
      let call = GetJourneyRequest(journeyID: journey.journeyID)
      for user in [TestUser.ada, .grace] {
        let seen = await reason { _ = try await tracking.journeys.getJourney(call, user.options) }
        #expect(seen == "JOURNEY_NOT_FOUND")
      }
      let link = await reason {
        _ = try await shares.getSharedJourney(GetSharedJourneyRequest(token: share.token))
      }
      #expect(link == "SHARE_NOT_FOUND")
      try await tracking.sql("drop trigger refused on path_points")
      try await until("nothing is left") { try await tracking.value("select count(*) from erasures") == "0" }
      #expect(
        try await tracking.sql(
          """
          select (select count(*) from path_points), (select count(*) from journeys),
            (select count(latitude) from group_changes)
          """) == [["0", "0", "0"]])
      let parts = try await tracking.sql(
        "select kind, max(rows)::text, (count(distinct transaction) > 1)::text from parts group by kind order by kind")
      #expect(parts == [["changes", "5000", "true"], ["journeys", "5000", "true"], ["points", "5000", "true"]])
    }
  }

  @Test("[C-9] 29 B10: a user whose removal fails keeps no other user's from being done")
  func failingRemovals() async throws {
    try await RunningTracking.with { tracking in
      try await tracking.sql(
        """
        create function refuse_removal() returns trigger language plpgsql as $$
        begin
          if old.user_id <> '\(TestUser.ada.id)' then raise exception 'not this one'; end if;
          return null;
        end
        $$;
        create trigger refuse_removal after delete on erasures for each row execute function refuse_removal();
        insert into erasures (user_id)
        values ('00000000-0000-7000-8000-000000000001'), ('\(TestUser.ada.id)')
        """)
      try await until("the other is removed") {
        try await tracking.value("select count(*) from erasures where user_id = '\(TestUser.ada.id)'") == "0"
      }
      #expect(try await tracking.value("select count(*) from erasures") == "1")
    }
  }

  @Test("[C-9] the deletion of an account waits for what stores the first row of its user, and removes it")
  func deletionBesideFirstUse() async throws {
    let id = TestUser.ada.id
    try await RunningTracking.with { tracking in
      try await withThrowingTaskGroup(of: Void.self) { deletion in
        try await tracking.own.transaction { tx in
          tx.queue(EnterUsers(userIDs: [id]))
          try await tx.execute(EnterTrackers(userIDs: [id]))
          deletion.addTask {
            try await tracking.own.repeatableTransaction { tx in
              for removal in TrackingSchema.removals { try await tx.remove(id, by: removal) }
            }
          }
          try await tracking.untilWaiting(1)
        }
        try await deletion.waitForAll()
      }
      #expect(try await tracking.sql("select user_id from trackers") == [])
    }
  }

  @Test(
    "[TR-2] two devices of one user, 64 reports at once: the newest position stays, and the path has each point once")
  func devices() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      try await tracking.depart(seenBy: [group])
      let time = tracking.clock.now
      tracking.clock.advance(by: .seconds(60))
      // Both devices report each moment, so each position comes twice.
      let outcomes = await tracking.service.race(64) { client, caller in
        try await LocationsClient(client).reportBatch(
          ReportBatchRequest(points: [
            Position(
              latitude: 52.4 + Double(caller / 2) / 10_000, longitude: 13.4,
              time: (time + .seconds(caller / 2 + 1)).timestamp)
          ]), TestUser.ada.options)
      }
      #expect(outcomes.compactMap { try? $0.get() }.count == 64)
      #expect(try await tracking.value("select count(*) from path_points") == "32")
      let ada = try await tracking.member(.ada, in: group, seenBy: .ada)
      #expect(ada.position?.time == (time + .seconds(32)).timestamp)
    }
  }
}

extension RunningTracking {
  /// Gives Ada, who has one of each, much of it, and notes how many rows of it each statement removes.
  fileprivate func seedHistory() async throws {
    try await sql(
      """
      insert into path_points (user_id, recorded_at, latitude, longitude)
      select user_id, recorded_at + number * interval '1 millisecond', latitude, longitude
      from path_points cross join generate_series(1, 12000) as number;
      insert into group_changes (group_id, sequence, changed_at, user_id, kind, state, latitude, longitude, recorded_at)
      select group_id, sequence + 1000 + number, changed_at, user_id, kind, state, latitude, longitude, recorded_at
      from group_changes cross join generate_series(1, 12000) as number
      where kind = 'POSITION' and latitude is not null;
      update groups set sequence = sequence + 20000;
      insert into journeys (
        id, user_id, kind, started_at, ended_at, outcome, latitude, longitude, arrival_at, mode
      )
      select gen_random_uuid(), user_id, kind, started_at, started_at, 'STOPPED', latitude, longitude, arrival_at, mode
      from journeys cross join generate_series(1, 6000) as number;
      create table parts (transaction xid8 not null, kind text not null, rows bigint not null);
      create function note_part() returns trigger language plpgsql security definer set search_path from current as $$
      begin
        insert into parts select pg_current_xact_id(), tg_argv[0], count(*) from gone having count(*) > 0;
        return null;
      end
      $$;
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger noted after delete on path_points referencing old table as gone for each statement
      execute function note_part('points');
      create trigger noted after delete on journeys referencing old table as gone for each statement
      execute function note_part('journeys');
      create trigger noted after update on group_changes referencing old table as gone for each statement
      execute function note_part('changes')
      """)
  }
}
