import Invariants
import TestSupport
import Testing

/// The invariants of all services on their schemas as they are migrated now.
@Suite("invariants on the schemas")
struct InvariantQueryTests {
  private static let user = "0197a5a0-0000-7000-8000-000000000001"
  private static let other = "0197a5a0-0000-7000-8000-000000000002"

  @Test(
    "29 C3: every invariant suits the schema of its service, and holds where nothing is stored",
    arguments: Invariant.services)
  func suits(_ service: String) async throws {
    try await TestDatabase.with(LongSuite.schemas) { database in
      let findings = try await InvariantCheck.run(service, at: database.url(of: service))

      #expect(findings.count == Invariant.all(of: service).count)
      #expect(findings.flatMap(\.violations).isEmpty)
    }
  }

  /// A rule that is broken, by rows that refer to nothing.
  struct Break: Sendable, CustomTestStringConvertible {
    let service: String
    let title: String
    let violation: String
    let rows: String

    var testDescription: String { "\(service): \(title)" }
  }

  private static let breaks = [
    Break(
      service: "identity", title: "[ID-63] A reminder is scheduled exactly while it is on.",
      violation: "account \(user)",
      rows: "insert into reminders (account_id, minute_of_day, weekdays, state) values ('\(user)', 480, '{1}', 'ON')"),
    Break(
      service: "catalog", title: "[CA-28] A user's count of ratings is that of their ratings.",
      violation: "user \(user)",
      rows: "insert into users (id, ratings) values ('\(user)', 1)"),
    Break(
      service: "lending", title: "[LE-13] The last step of a book says the status that it has.",
      violation: "book \(user)",
      rows: """
        insert into books (id, owner_id, isbn, title, description, status, waiting, steps) values
          ('\(user)', '\(other)', 9780441172719, 'Dune', 'Sand.', 'AVAILABLE', 0, 1);
        insert into history (book_id, number, loan_id, party, step, state, previous_status, status, happened_at) values
          ('\(user)', 1, '\(other)', 'BORROWER', 'REQUEST', 'PENDING', 'AVAILABLE', 'REQUESTED', now())
        """),
    Break(
      service: "matching",
      title:
        "[MA-11] A user's ratings count the last feedback that is kept of each author, and one at least of those who left.",
      violation: "user \(user)",
      rows: """
        insert into users (id, rating_count, rating_sum) values ('\(user)', 1, 4);
        insert into feedback (id, session_id, recipient_id, rating, adjectives, remarks, given_at) values
          (gen_random_uuid(), '\(other)', '\(user)', 5, '{}', '', now())
        """),
    Break(
      service: "tracking",
      title:
        "[TR-4] The changes of a group have no gap: behind one of the last day comes the next one, up to the last.",
      violation: "group \(user), change 1",
      rows: """
        select make_partition('group_changes', (now() at time zone 'UTC')::date);
        insert into groups (id, sequence) values ('\(user)', 3);
        insert into group_changes (group_id, sequence, changed_at, user_id, kind, state) values
          ('\(user)', 1, now(), '\(other)', 'JOINED', 'INACTIVE'), ('\(user)', 3, now(), '\(other)', 'STATE', 'ACTIVE')
        """),
    Break(
      service: "importer", title: "[IM-4] An import that has not ended is being worked on, or is scheduled.",
      violation: "import \(user)",
      rows: """
        insert into tracker_imports (
          id, user_id, provider, connection_id, cause, state, streams, missing_kinds, since, until, created_at, changed_at
        ) values (
          '\(user)', '\(other)', 'strava', '\(other)', 'USER', 'IMPORTING', '{}', '{}', now(), now(), now(),
          now() - interval '2 hours'
        )
        """),
  ]

  @Test("29 C3: a broken rule is named with the rows that break it, and no other rule", arguments: breaks)
  func broken(_ one: Break) async throws {
    try await TestDatabase.with(LongSuite.schemas) { database in
      // What the rows refer to does not matter here.
      try await database.sql(
        "begin; set local session_replication_role to replica; \(one.rows); commit", in: one.service)

      let findings = try await InvariantCheck.run(one.service, at: database.url(of: one.service))

      #expect(
        findings.filter { !$0.violations.isEmpty }.map { [$0.invariant.title] + $0.violations } == [
          [one.title, one.violation]
        ])
    }
  }
}
