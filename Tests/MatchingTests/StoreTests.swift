import AccountDeletions
import Blocks
import Events
import Identifiers
import MatchingBackground
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemEvents
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("the schema of matching")
struct StoreTests {
  @Test("every statement can be prepared on the migrated schema, whose tables and columns all have comments")
  func schema() async throws {
    try await TestDatabase.with([RunningMatching.schema]) { database in
      let problems = try await SchemaCheck.problems(
        of: MatchingSchema.name, in: database,
        statements: MatchingSchema.statements + AccountDeletionsSchema.statements(for: MatchingSchema.removals))
      #expect(problems == [])
    }
  }

  @Test("[MA-3] the database numbers the kinds of sessions as the domain does")
  func kinds() async throws {
    try await RunningMatching.with { matching in
      try await matching.post()
      for focus in MatchingDomain.Focus.allCases {
        for (level, gender) in [(MatchingDomain.Level.novice, MatchingDomain.Gender.other), (.expert, .male)] {
          try await matching.sql(
            "update sessions set focus = '\(focus.rawValue)', level = '\(level.rawValue)', owner_gender = '\(gender.rawValue)'"
          )
          #expect(
            try await matching.value("select kind from sessions") == "\(SessionKind(focus, level, gender).number)")
        }
      }
    }
  }

  @Test(
    "[MA-2] the database refuses what no decision allows",
    arguments: [
      ("participations_no_overlap", "update participations set slot = (select slot from participations limit 1)"),
      ("sessions_participants", "update sessions set partner_id = null"),
      ("sessions_length", "update sessions set ends_at = starts_at + interval '14 minutes'"),
      ("sessions_finished_successful", "update sessions set finished_at = now()"),
    ])
  func constraints(name: String, change: String) async throws {
    try await RunningMatching.with { matching in
      try await matching.match()
      try await matching.match(RunningMatching.request(in: 300))

      let error = await #expect(throws: PostgresError.self) { try await matching.sql(change) }
      #expect(error?.constraint == name || error?.message.contains(name) == true, "\(String(describing: error))")
    }
  }
}
