import Events
import IdentityStore
import Identifiers
import MatchingStore
import Postgres
import Synchronization
import TTRPC
import TandemEvents
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

@testable import identity
@testable import matching

@Suite("leaving", .timeLimit(.minutes(5)))
struct DepartureTests {
  @Test("[ID-13] deletes the account for the right password, with all that is the person's")
  func deletes() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      try await identity.verified(.grace)
      _ = try await identity.accounts.login(Person.grace.login)

      let answer = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: Person.ada.password), .user(login))

      #expect(answer.deleteTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(try await identity.value("select string_agg(username, ' ') from accounts") == "grace.h")
      for table in ["sessions", "email_verifications", "verification_requests"] {
        #expect(try await identity.value("select count(*) from \(table)") == "1", "\(table)")
      }
      let refused = try await refusal { try await identity.accounts.login(Person.ada.login) }
      #expect(refused.reason == "CREDENTIALS_INCORRECT")
      let revoked = try await refusal { try await identity.accounts.logout(LogoutRequest(), .user(login)) }
      #expect(revoked.reason == "TOKEN_REVOKED")
      _ = try await identity.accounts.register(Person.ada.registration)
    }
  }

  @Test("[ID-13] asks for the password again, and deletes nothing for a wrong one")
  func wrongPassword() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()

      let missing = try await refusal {
        try await identity.accounts.deleteAccount(DeleteAccountRequest(requestID: "x"), .user(login))
      }
      let wrong = try await refusal {
        try await identity.accounts.deleteAccount(DeleteAccountRequest(password: "wrong"), .user(login))
      }

      #expect(missing.code == .invalidArgument && missing.fields == ["request_id", "password"])
      #expect(wrong.code == .permissionDenied && wrong.reason == "PASSWORD_INCORRECT")
      #expect(try await identity.value("select count(*) from accounts") == "1")
      #expect(
        try await identity.value("select count(*) from events where type = 'tandem.events.v1.AccountDeleted'") == "0")
    }
  }

  @Test("[ID-13] of 32 calls at once one deletes, and the event is told once")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let call = DeleteAccountRequest(password: Person.ada.password)

      let results = await identity.race(32) { client, _ in
        try await AccountsClient(client).deleteAccount(call, .user(login))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().allSatisfy { $0.code == .unauthenticated })
      let told = try await identity.sql("select type, count(*) from events group by type order by type")
      #expect(
        told == [
          ["tandem.events.v1.AccountDeleted", "1"], ["tandem.events.v1.AccountNamed", "1"],
          ["tandem.events.v1.SessionRevoked", "1"],
        ])
    }
  }

  @Test("[ID-7] the sessions of a deleted account end at every replica")
  func otherReplicas() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { one in
        try await RunningIdentity.with(on: database, clock: clock) { other in
          let login = try await one.loggedIn()
          _ = try await one.accounts.deleteAccount(
            DeleteAccountRequest(password: Person.ada.password), .user(login))
          let refused = try await eventually("the other replica refuses the token") {
            let call = GetProfileRequest(username: "ada")
            let status = try await refusal { try await other.profiles.getProfile(call, .user(login)) }
            return status.code == .unauthenticated ? status : nil
          }
          #expect(refused.reason == "TOKEN_REVOKED")
        }
      }
    }
  }

  @Test("[C-9] a deleted account's data go from another service once, also when that was down meanwhile")
  func elsewhere() async throws {
    try await TestDatabase.with([RunningIdentity.schema, Keeper.schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
        for login in [ada, grace] {
          try await identity.sql("insert into lending.notes (person, text) values ('\(login.userID)', 'mine')")
        }
        try await RunningService.with(Keeper.self, database, certificates, identity: identity) { _ in
          _ = try await identity.accounts.deleteAccount(
            DeleteAccountRequest(password: Person.ada.password), .user(ada))
          _ = try await eventually("Ada's note is gone") {
            try await identity.value("select string_agg(person::text, ' ') from lending.notes") == grace.userID
              ? true : nil
          }
        }
        _ = try await identity.accounts.deleteAccount(
          DeleteAccountRequest(password: Person.grace.password), .user(grace))
        #expect(try await identity.value("select count(*) from lending.notes") == "1")
        try await RunningService.with(Keeper.self, database, certificates, identity: identity) { _ in
          _ = try await eventually("Grace's note is gone") {
            try await identity.value("select count(*) from lending.notes") == "0" ? true : nil
          }
        }
        let removals = try await identity.sql("select person::text, count(*) from lending.departures group by person")
        #expect(Set(removals) == [[ada.userID, "1"], [grace.userID, "1"]])
      }
    }
  }

  @Test("[C-9] a service that was away for longer than the news is kept asks who has left, and removes their data")
  func rebuilt() async throws {
    try await TestDatabase.with([RunningIdentity.schema, Keeper.schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
        try await RunningService.with(Keeper.self, database, certificates, identity: identity) { _ in
          _ = try await eventually("the service has a position") {
            try await identity.value("select 1 from lending.event_cursors where (transaction_id, id) > ('0', 0)")
          }
        }
        try await identity.sql(
          """
          insert into lending.notes (person, text)
          select gen_random_uuid(), 'somebody' || number from generate_series(1, 1500) as number
          """)
        // They have left; and of one more nobody knows.
        try await identity.sql(
          "insert into departures (account_id, deleted_at) select person, now() from lending.notes")
        let unknown = "019bc186-de00-7000-8080-000000000000"
        try await identity.sql("insert into lending.notes (person, text) values ('\(unknown)', 'a stranger''s')")
        for login in [ada, grace] {
          try await identity.sql("insert into lending.notes (person, text) values ('\(login.userID)', 'mine')")
        }
        _ = try await identity.accounts.deleteAccount(
          DeleteAccountRequest(password: Person.ada.password), .user(ada))
        try await identity.sql(
          """
          update event_removals set (transaction_id, id) = (
            select transaction_id, id from events order by transaction_id desc, id desc limit 1
          )
          """)
        try await identity.sql("delete from events")

        try await RunningService.with(Keeper.self, database, certificates, identity: identity) { _ in
          _ = try await eventually("the notes of all who have left are gone") {
            let left = try await identity.sql("select person::text from lending.notes")
            return Set(left) == [[grace.userID], [unknown]] ? true : nil
          }
          _ = try await identity.accounts.deleteAccount(
            DeleteAccountRequest(password: Person.grace.password), .user(grace))
          _ = try await eventually("it follows again") {
            try await identity.value("select string_agg(person::text, ' ') from lending.notes") == unknown ? true : nil
          }
        }
        let removals = try await identity.sql(
          "select person::text from lending.departures where person in ('\(ada.userID)', '\(grace.userID)') order by 1")
        #expect(removals == [[ada.userID], [grace.userID]].sorted { $0[0] ?? "" < $1[0] ?? "" })
      }
    }
  }

  @Test("[C-9] an identity that was emptied, restored or put in another's place has nobody's data removed")
  func foreignIdentity() async throws {
    try await TestDatabase.with([RunningIdentity.schema, Keeper.schema]) { database in
      let (certificates, clock) = (try SuiteCertificates(), ManualClock())
      let people = try await Self.keepNotes(database, certificates, clock)
      try await TestDatabase.with([RunningIdentity.schema]) { foreign in
        try await RunningIdentity.with(on: foreign, clock: clock, certificates: certificates) { identity in
          // It refuses the position that the other identity gave: its own log has no events from before now.
          try await identity.sql("update event_removals set transaction_id = pg_current_xact_id(), id = 1")
          let removed = try #require(try await identity.value("select transaction_id from event_removals"))
          try await RunningService.with(Keeper.self, database, certificates, identity: identity) { keeper in
            _ = try await eventually("the service follows the foreign identity") {
              try await Self.value(
                database, "select 1 from lending.event_cursors where transaction_id >= '\(removed)'::xid8")
            }
          }
        }
      }
      #expect(try await Self.value(database, "select count(*) from lending.notes") == "\(people)")
      #expect(try await Self.value(database, "select count(*) from lending.departures") == "0")
    }
  }

  /// Has a service keep something of each of some people, and follow the identity that knows them. Returns how many.
  private static func keepNotes(
    _ database: TestDatabase, _ certificates: SuiteCertificates, _ clock: ManualClock
  ) async throws -> Int {
    try await RunningIdentity.with(on: database, clock: clock, certificates: certificates) { identity in
      for login in [try await identity.loggedIn(), try await identity.loggedIn(.grace)] {
        try await identity.sql("insert into lending.notes (person, text) values ('\(login.userID)', 'mine')")
      }
      try await RunningService.with(Keeper.self, database, certificates, identity: identity) { _ in
        _ = try await eventually("the service has a position") {
          try await identity.value("select 1 from lending.event_cursors where (transaction_id, id) > ('0', 0)")
        }
      }
    }
    return 2
  }

  private static func value(_ database: TestDatabase, _ query: String) async throws -> String? {
    try await Administration.session(database.url) { try $0.run(query).first?.first ?? nil }
  }

  @Test("[C-9] of those who left before departures were noted, the ones whose news is still kept are noted")
  func upgraded() async throws {
    let before = TestSchema(IdentitySchema.name, Array(IdentitySchema.migrations.prefix(6)))
    try await TestDatabase.with([before]) { database in
      _ = try await Administration.session(database.url) { session in
        try session.run(
          """
          insert into identity.events (topic, key, type, payload, occurred_at) values
            ('identity.accounts', '019bc186-de00-7000-8080-000000000000', 'tandem.events.v1.AccountDeleted', '',
              '2026-01-15T12:00Z'),
            ('identity.sessions', '019bc186-de00-7000-8080-000000000001', 'tandem.events.v1.SessionRevoked', '', '2026-01-15T12:00Z')
          """)
      }
      try await RunningIdentity.with(on: database, clock: ManualClock()) { identity in
        let noted = try await identity.sql("select account_id, deleted_at = '2026-01-15T12:00Z' from departures")
        #expect(noted == [["019bc186-de00-7000-8080-000000000000", "t"]])
      }
    }
  }

  @Test("[C-9] services alone ask who has left, about 1,000 people at a time")
  func directory() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let ada = try await identity.loggedIn()
        let nobody = "019bc186-de00-7000-8080-000000000000"
        let grace = try await identity.loggedIn(.grace)
        _ = try await identity.accounts.deleteAccount(
          DeleteAccountRequest(password: Person.grace.password), .user(grace))
        let (gone, stored) = (grace.userID, try await identity.sql("select account_id from departures"))
        // A row that came back from a copy is an account like any other.
        try await identity.sql("insert into departures (account_id, deleted_at) values ('\(ada.userID)', now())")
        let (answer, bad, empty) = try await identity.with(client: "lending", certificates) { client in
          let directory = DirectoryClient(client)
          let tooMany = FindDeletedAccountsRequest(userIds: ["x"] + Array(repeating: nobody, count: 1_000))
          return (
            try await directory.findDeletedAccounts(
              FindDeletedAccountsRequest(userIds: [gone, nobody, ada.userID, gone])),
            try await refusal { try await directory.findDeletedAccounts(tooMany) },
            try await refusal { try await directory.findDeletedAccounts(FindDeletedAccountsRequest()) }
          )
        }
        let notAService = try await refusal {
          try await DirectoryClient(identity.client).findDeletedAccounts(
            FindDeletedAccountsRequest(userIds: [nobody]), .user(ada))
        }

        #expect(answer.deletedUserIds == [gone, gone] && stored == [[gone]])
        #expect(bad.fieldReasons == ["TOO_MANY_USER_IDS", "USER_ID_INVALID"])
        #expect(empty.fieldReasons == ["USER_IDS_REQUIRED"])
        #expect(notAService.code == .permissionDenied)
      }
    }
  }

  @Test("[C-9] with an account goes the time of its reminder")
  func reminder() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(login))
      let reminder = Reminder(enabled: true, localTime: .init(hours: 18), weekdays: [.monday])
      _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: reminder), .user(login))
      #expect(try await identity.value("select count(*) from jobs") == "1")

      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: Person.ada.password), .user(login))

      #expect(try await identity.value("select count(*) from jobs") == "0")
    }
  }

  @Test("[C-9] a reminder that is set while the account goes leaves no job behind")
  func reminderMeanwhile() async throws {
    try await RunningIdentity.with { identity in
      let login = try await Self.reminded(identity, enabled: false)
      // What switching it on does; between its first step and the others the deletion does all that it can meanwhile. A transaction is
      // not told that somebody waits for it, so it looks, a hundred times a second.
      async let change = identity.sql(
        """
        select 1 from profiles for update;
        do $$ begin
          for attempt in 1..6000 loop
            if exists (select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid) then
              return;
            end if;
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
        DeleteAccountRequest(password: Person.ada.password), .user(login))
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
            DeleteAccountRequest(password: Person.ada.password), .user(login))
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

  /// Somebody with a reminder.
  private static func reminded(_ identity: RunningIdentity, enabled: Bool = true) async throws -> LoginResponse {
    let login = try await identity.loggedIn()
    _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(login))
    let reminder = Reminder(enabled: enabled, localTime: .init(hours: 18), weekdays: [.monday])
    _ = try await identity.notifications.setReminder(SetReminderRequest(reminder: reminder), .user(login))
    return login
  }

  @Test("[C-9] every statement by which a service forgets people can be prepared")
  func removalsPrepare() async throws {
    let schema = TestSchema("matching", Matching.service.migrations)
    try await TestDatabase.with([schema]) { (database) async throws in
      let statements = EventsSchema.statements(for: MatchingSchema.removals)
      let problems = try await StatementCheck.problems(of: statements, url: database.url(of: "matching"))
      #expect(problems == [])
    }
  }

  @Test("[C-9] the real matching follows who leaves")
  func matching() async throws {
    let schema = TestSchema("matching", Matching.service.migrations)
    try await TestDatabase.with([RunningIdentity.schema, schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let login = try await identity.loggedIn()
        try await RunningService.with(Matching.self, database, certificates, identity: identity) { _ in
          _ = try await identity.accounts.deleteAccount(
            DeleteAccountRequest(password: Person.ada.password), .user(login))
          _ = try await eventually("matching has dealt with it") {
            try await identity.value(
              """
              select 'done' from matching.event_cursors c, events e where e.type = 'tandem.events.v1.AccountDeleted'
                and c.producer = 'identity' and (c.transaction_id, c.id) >= (e.transaction_id, e.id)
              """)
          }
        }
      }
    }
  }
}
