import AccountDeletions
import Events
import IdentityStore
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import TestServices
import TestSupport
import Testing

@testable import identity
@testable import matching

@Suite("leaving, at other services", .timeLimit(.minutes(5)))
struct AccountDeletionElsewhereTests {
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
            DeleteAccountRequest(password: User.ada.password), .user(ada))
          _ = try await eventually("Ada's note is gone") {
            try await identity.value("select string_agg(person::text, ' ') from lending.notes") == grace.userID
              ? true : nil
          }
        }
        _ = try await identity.accounts.deleteAccount(
          DeleteAccountRequest(password: User.grace.password), .user(grace))
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
        // Users who deleted their accounts, and one who is unknown.
        try await identity.sql(
          "insert into departures (account_id, deleted_at) select person, now() from lending.notes")
        let unknown = "019bc186-de00-7000-8080-000000000000"
        try await identity.sql("insert into lending.notes (person, text) values ('\(unknown)', 'a stranger''s')")
        for login in [ada, grace] {
          try await identity.sql("insert into lending.notes (person, text) values ('\(login.userID)', 'mine')")
        }
        _ = try await identity.accounts.deleteAccount(
          DeleteAccountRequest(password: User.ada.password), .user(ada))
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
            DeleteAccountRequest(password: User.grace.password), .user(grace))
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
      let users = try await Self.keepNotes(database, certificates, clock)
      try await TestDatabase.with([RunningIdentity.schema]) { foreign in
        try await RunningIdentity.with(on: foreign, clock: clock, certificates: certificates) { identity in
          // It refuses the position of the other identity: its own log has no events from before now.
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
      #expect(try await Self.value(database, "select count(*) from lending.notes") == "\(users)")
      #expect(try await Self.value(database, "select count(*) from lending.departures") == "0")
    }
  }

  /// Stores data of each of some users in a service that follows the identity that knows them. Returns how many.
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
          DeleteAccountRequest(password: User.grace.password), .user(grace))
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

  @Test("[C-9] every statement by which a service forgets people can be prepared")
  func removalsPrepare() async throws {
    let schema = TestSchema("matching", Matching.service.migrations)
    try await TestDatabase.with([schema]) { (database) async throws in
      let statements = AccountDeletionsSchema.statements(for: MatchingSchema.removals)
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
            DeleteAccountRequest(password: User.ada.password), .user(login))
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
