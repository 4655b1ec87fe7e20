import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("leaving, with a reminder", .timeLimit(.minutes(5)))
struct DepartureReminderTests {
  @Test("[C-9] with an account goes the time of its reminder")
  func reminder() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(login))
      let reminder = Reminder(enabled: true, localTime: .init(hours: 18), weekdays: [.monday])
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: reminder), .user(login))
      #expect(try await identity.value("select count(*) from jobs") == "1")

      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.ada.password), .user(login))

      #expect(try await identity.value("select count(*) from jobs") == "0")
    }
  }

  @Test("[C-9] a reminder that is set while the account goes leaves no job behind")
  func reminderMeanwhile() async throws {
    try await RunningIdentity.with { identity in
      let login = try await Self.reminded(identity, enabled: false)
      // What switching it on does; between its first step and the others the deletion does all that it can meanwhile.
      async let change = identity.sql(
        """
        select 1 from profiles for update;
        do $$ begin
          for attempt in 1..6000 loop
            if exists (select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid) then
              return;
            end if;
            -- Nobody tells a transaction that it is waited for.
            perform pg_sleep(0.01);
          end loop;
          raise 'the deletion never waited for this change';
        end $$;
        update reminders set state = 'ON';
        insert into jobs (id, kind, key, payload, due_at, ready_at, created_at)
        select gen_random_uuid(), 'gym_reminder', account_id::text, '', now() + interval '1 day',
          now() + interval '1 day', now()
        from profiles
        """)
      _ = try await eventually("the change has begun") {
        try await identity.value(
          "select 1 from pg_stat_activity where datname = current_database() and query like '%for attempt in 1..6000%'"
            + " and wait_event = 'PgSleep'")
      }
      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.ada.password), .user(login))
      _ = try await change

      #expect(try await identity.value("select count(*) from jobs") == "0")
    }
  }

  @Test("[C-9] however many change a reminder while the account goes, nobody waits for ever and no job is left")
  func reminderRace() async throws {
    try await RunningIdentity.with { identity in
      let login = try await Self.reminded(identity)
      let results = await identity.race(32) { client, caller in
        switch caller % 4 {
        case 0:
          _ = try await AccountsClient(client).deleteAccount(
            DeleteAccountRequest(password: User.ada.password), .user(login))
        case 1:
          let zone = caller % 8 == 1 ? "Europe/Paris" : "Asia/Kolkata"
          let move = UpdateProfileRequest(profile: Profile(timeZone: zone))
          _ = try await ProfilesClient(client).updateProfile(move, .user(login))
        default:
          let reminder = Reminder(
            enabled: true, localTime: .init(hours: 18, minutes: Int32(caller)), weekdays: [.monday])
          _ = try await NotificationsClient(client).setReminder(SetReminderRequest(reminder: reminder), .user(login))
        }
      }

      let codes = Set(results.refusals().map(\.code))
      #expect(codes.isSubset(of: [.unauthenticated, .notFound]), "\(results.refusals())")
      #expect(
        try await identity.sql("select (select count(*) from accounts), (select count(*) from jobs)") == [["0", "0"]])
    }
  }

  /// A user with a reminder.
  private static func reminded(_ identity: RunningIdentity, enabled: Bool = true) async throws -> LoginResponse {
    let login = try await identity.loggedIn()
    _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(login))
    let reminder = Reminder(enabled: enabled, localTime: .init(hours: 18), weekdays: [.monday])
    _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: reminder), .user(login))
    return login
  }
}
