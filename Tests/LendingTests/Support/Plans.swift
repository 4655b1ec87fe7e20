import LendingDomain
import LendingStore
import Postgres
import TestServices
import TestSupport

extension RunningLending {
  /// The database's generic plan for a user's loans.
  func plan(ofLoansOf user: TestUser) async throws -> String {
    try await Administration.session(database.url) { session in
      try session.run("set search_path to lending; set plan_cache_mode to force_generic_plan")
      try session.run("prepare look (uuid, uuid, bigint) as \(LoansOfBorrower.sql)")
      return try session.run(
        "explain execute look ('\(user.id)', '88888888-8888-8888-8888-888888888888', 51)"
      ).compactMap { $0.first ?? nil }.joined(separator: "\n")
    }
  }
}
