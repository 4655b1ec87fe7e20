import Identifiers
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("daily reminders", .timeLimit(.minutes(5)))
struct ReminderTests {
  /// A moment in UTC.
  private static func instant(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> Instant {
    let days = try #require(CivilDate(year: year, month: month, day: day)).daysSince1970
    return Instant(microseconds: (Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60)) * 1_000_000)
  }

  /// A user in a time zone who is logged in at a moment.
  private static func living(
    in zone: String, at start: Instant,
    _ body: @escaping @Sendable (RunningIdentity, LoginResponse) async throws -> Void
  ) async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(start)) { identity in
        let ada = try await identity.loggedIn()
        var profile = Profile.complete
        profile.timeZone = zone
        _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: profile), .user(ada))
        try await body(identity, ada)
      }
    }
  }

  private static func daily(_ hour: Int, _ minute: Int = 0) -> Reminder {
    Reminder(
      enabled: true, localTime: .init(hours: Int32(hour), minutes: Int32(minute)),
      weekdays: [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday])
  }

  /// The time of the next reminder, as `MM-DD HH:MM` in UTC.
  private static func next(_ identity: RunningIdentity) async throws -> String? {
    try await identity.value("select to_char(due_at at time zone 'UTC', 'MM-DD HH24:MI') from jobs")
  }

  /// Moves the clock to each of the moments when it reminds, and returns them, the last one unreached.
  private static func moments(_ identity: RunningIdentity, reminders count: Int) async throws -> [String?] {
    var moments = [try await next(identity)]
    for number in 1...count {
      let due = try await identity.value("select (extract(epoch from due_at) * 1000000)::bigint from jobs")
      let moment = Instant(microseconds: try #require(due.flatMap { Int64($0) }))
      // A second before it is not due, and nothing that looks meanwhile may think so.
      identity.clock.set(moment - .seconds(1))
      #expect(try await identity.value("select count(*) from notifications") == "\(number - 1)")
      identity.clock.set(moment)
      _ = try await eventually("reminder \(number) has come") {
        try await identity.value("select 1 from inboxes where last_sequence = \(number)")
      }
      moments.append(try await next(identity))
    }
    return moments
  }

  @Test("[ID-63] the reminder keeps its local time when the clocks go forward")
  func forward() async throws {
    try await Self.living(in: "Europe/Berlin", at: Self.instant(2026, 3, 28, 12)) { identity, ada in
      let reminder = try await identity.notifications.setReminder(
        SetReminderRequest(reminder: Self.daily(18)), .user(ada))

      #expect(reminder.nextTime?.seconds == (try Self.instant(2026, 3, 28, 17)).wholeSeconds)
      #expect(reminder.timeZone == "Europe/Berlin")
      #expect(try await Self.moments(identity, reminders: 2) == ["03-28 17:00", "03-29 16:00", "03-30 16:00"])
      #expect(
        try await identity.sql("select body from notifications order by sequence").first == [
          "It is 18:00, the time at which you want to be reminded of your training."
        ])
    }
  }

  @Test("[ID-63] the reminder keeps its local time when the clocks go back")
  func back() async throws {
    try await Self.living(in: "Europe/Berlin", at: Self.instant(2026, 10, 24, 12)) { identity, ada in
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(18)), .user(ada))

      #expect(try await Self.moments(identity, reminders: 2) == ["10-24 16:00", "10-25 17:00", "10-26 17:00"])
    }
  }

  @Test("[ID-63] a time that the clocks leave out comes as soon as they were set forward, on that day")
  func leftOut() async throws {
    try await Self.living(in: "Europe/Berlin", at: Self.instant(2026, 3, 28, 12)) { identity, ada in
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(2, 30)), .user(ada))

      #expect(try await Self.moments(identity, reminders: 1) == ["03-29 01:00", "03-30 00:30"])
    }
  }

  @Test("[ID-63] a time that the clocks repeat comes once on that day, on either side of the ocean")
  func repeated() async throws {
    try await Self.living(in: "America/New_York", at: Self.instant(2026, 10, 31, 12)) { identity, ada in
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(1, 30)), .user(ada))

      #expect(try await Self.moments(identity, reminders: 1) == ["11-01 05:30", "11-02 06:30"])
    }
  }

  @Test("[ID-63] the reminder comes on the chosen weekdays only")
  func weekdays() async throws {
    // A Thursday.
    try await Self.living(in: "Asia/Singapore", at: Self.instant(2026, 1, 15, 12)) { identity, ada in
      var reminder = Self.daily(7)
      reminder.weekdays = [.monday, .thursday]
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: reminder), .user(ada))

      // 7:00 in Singapore is 23:00 of the day before.
      #expect(try await Self.moments(identity, reminders: 2) == ["01-18 23:00", "01-21 23:00", "01-25 23:00"])
    }
  }

  @Test("[ID-63] the reminder comes once a day, whatever its owner changes: the time, the zone, on and off")
  func oncePerDay() async throws {
    try await Self.living(in: "Europe/Berlin", at: Self.instant(2026, 1, 15, 7, 55)) { identity, ada in
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(9)), .user(ada))
      let first = try await Self.moments(identity, reminders: 1)
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(20)), .user(ada))
      let later = try await Self.next(identity)
      var off = Self.daily(21)
      off.enabled = false
      let switchedOff = try await identity.notifications.setReminder(SetReminderRequest(reminder: off), .user(ada))
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(21)), .user(ada))
      let on = try await Self.next(identity)
      let move = UpdateProfileRequest(profile: Profile(timeZone: "America/New_York"))
      _ = try await identity.profiles.updateProfile(move, .user(ada))
      let moved = try await Self.next(identity)

      #expect(first == ["01-15 08:00", "01-16 08:00"])
      #expect(later == "01-16 19:00" && on == "01-16 20:00")
      #expect(!switchedOff.enabled && switchedOff.nextTime == nil)
      #expect(moved == "01-17 02:00")
      #expect(
        try await identity.notifications.getReminder(GetReminderRequest(), .user(ada)).timeZone == "America/New_York")
    }
  }

  @Test("[ID-63] of several replicas one reminds")
  func replicas() async throws {
    try await Self.living(in: "Europe/Berlin", at: Self.instant(2026, 1, 15, 7, 55)) { identity, ada in
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(9)), .user(ada))
      try await RunningIdentity.with(on: identity.database, clock: identity.clock) { _ in
        let moments = try await Self.moments(identity, reminders: 2)
        #expect(moments == ["01-15 08:00", "01-16 08:00", "01-17 08:00"])
      }
      #expect(try await identity.value("select count(*) from notifications") == "2")
    }
  }

  @Test("[ID-63] a reminder that the service was away for comes late on the same day, and not on another")
  func late() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock(try Self.instant(2026, 1, 15, 7, 55))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        let ada = try await identity.loggedIn()
        _ = try await identity.profiles.createProfile(
          CreateProfileRequest(
            profile: {
              var profile = Profile.complete
              profile.timeZone = "Europe/Berlin"
              return profile
            }()), .user(ada))
        _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(9)), .user(ada))
      }
      clock.set(try Self.instant(2026, 1, 15, 20))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("it came late") {
          try await identity.value("select 1 from inboxes where last_sequence = 1")
        }
      }
      clock.set(try Self.instant(2026, 1, 18, 20))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("those that were missed are passed over") {
          try await Self.next(identity) == "01-19 08:00" ? true : nil
        }
        #expect(try await identity.value("select count(*) from notifications") == "1")
      }
    }
  }

  @Test("[ID-63] however many change a reminder while it is given, one comes that day and one is left to come")
  func raced() async throws {
    try await Self.living(in: "Europe/Berlin", at: Self.instant(2026, 1, 15, 7, 55)) { identity, ada in
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(9)), .user(ada))
      // From now on it is sent, while its owner keeps changing it.
      identity.clock.set(try Self.instant(2026, 1, 15, 8))
      let results = await identity.race(32) { client, caller in
        if caller % 8 == 7 {
          let zone = caller % 16 == 7 ? "Europe/Paris" : "Europe/Berlin"
          let move = UpdateProfileRequest(profile: Profile(timeZone: zone))
          _ = try await ProfilesClient(client).updateProfile(move, .user(ada))
        } else {
          let later = SetReminderRequest(reminder: Self.daily(9, caller + 1))
          _ = try await NotificationsClient(client).setReminder(later, .user(ada))
        }
      }
      identity.clock.set(try Self.instant(2026, 1, 15, 20))

      #expect(results.successes().count == 32, "\(results.refusals())")
      _ = try await eventually("today's has come") {
        try await identity.value("select 1 from jobs where due_at > '2026-01-16T00:00Z' having count(*) = 1")
      }
      #expect(try await identity.value("select count(*) from jobs") == "1")
      #expect(
        try await identity.value("select string_agg(source_key, ' ') from notifications") == "reminders/2026-01-15")
    }
  }

  @Test("[ID-63] a reminder from before reminders were jobs comes at its time, or late where it was due")
  func upgraded() async throws {
    let before = TestSchema(IdentitySchema.name, Array(IdentitySchema.migrations.prefix(4)))
    try await TestDatabase.with([before]) { database in
      // One day for all, also when the test runs through midnight.
      let today = try await Administration.session(database.url) { session in
        let today = try #require(
          try session.run("select (now() at time zone 'Europe/Berlin')::date").first?.first ?? nil)
        try session.run("set search_path to identity")
        try session.run(
          """
          insert into accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
          select gen_random_uuid(), name || '@example.com', name || '@example.com', name, '$scrypt$', now(), now()
          from unnest(array['ada', 'grace', 'joan']) as people (name);
          insert into profiles (account_id, gender, date_of_birth, level, interests, strengths, time_zone, phone, created_at,
            updated_at)
          select id, 'FEMALE', '1990-01-01', 'NOVICE', '{}', '{}', 'Europe/Berlin', '', now(), now() from accounts;
          insert into reminders (account_id, minute_of_day, weekdays, state, due_at, last_day)
          select id, 540, array[1, 2, 3, 4, 5, 6, 7]::smallint[],
            case username when 'joan' then 'OFF' else 'ON' end,
            case username
              when 'ada' then (('\(today)'::date + 3) + time '9:00') at time zone 'Europe/Berlin'
              when 'grace' then (('\(today)'::date - 1) + time '9:00') at time zone 'Europe/Berlin'
            end,
            case username when 'ada' then '\(today)'::date + 2 end
          from accounts
          """)
        return today
      }
      try await RunningIdentity.with(on: database, clock: ManualClock(Instant(microseconds: 0))) { identity in
        let days = try await identity.sql(
          """
          select username, (due_at at time zone 'Europe/Berlin')::date - '\(today)'::date,
            to_char(due_at at time zone 'Europe/Berlin', 'HH24:MI'), repeat_weekdays
          from jobs join accounts on accounts.id::text = jobs.key and jobs.kind = 'gym_reminder' order by username
          """)
        #expect(days == [["ada", "3", "09:00", "127"], ["grace", "-1", "09:00", "127"]])
      }
    }
  }

  @Test("[C-2] [ID-20] a bad reminder is refused with all that is wrong; a good one needs no gym part")
  func refuses() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let bad = Reminder(localTime: .init(hours: 24), weekdays: [.monday, .monday])

      let status = try await refusal {
        try await identity.notifications.setReminder(SetReminderRequest(reminder: bad), .user(ada))
      }
      let empty = try await refusal { try await identity.notifications.setReminder(SetReminderRequest(), .user(ada)) }
      let unset = try await identity.notifications.getReminder(GetReminderRequest(), .user(ada))
      let set = try await identity.notifications.setReminder(SetReminderRequest(reminder: Self.daily(9)), .user(ada))

      #expect(status.fieldReasons == ["LOCAL_TIME_INVALID", "WEEKDAY_INVALID"])
      #expect(empty.fieldReasons == ["LOCAL_TIME_INVALID", "WEEKDAYS_REQUIRED"])
      #expect(!unset.enabled && set.timeZone == "UTC")
    }
  }
}
