import LendingDomain
import Postgres
import TTRPC
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("changes of loans since a token")
struct LoanChangesTests {
  /// What is listed now: nothing of who wrote after a transaction that is still open, be it of another database of the server.
  private func listed(
    _ user: TestUser, since token: String = "", size: Int32 = 0, _ lending: RunningLending
  ) async throws -> ListLoanChangesResponse {
    try await lending.loans.listLoanChanges(ListLoanChangesRequest(since: token, pageSize: size), user.options)
  }

  /// What is listed once all transactions of before have ended, of other tests too.
  private func changes(
    _ user: TestUser, since token: String = "", size: Int32 = 0, _ lending: RunningLending
  ) async throws -> ListLoanChangesResponse {
    let now = try #require(try await lending.value("select pg_snapshot_xmax(pg_current_snapshot())"))
    try await until("the transactions of before \(now) have ended") {
      try await lending.value("select pg_snapshot_xmin(pg_current_snapshot()) >= '\(now)'::xid8") == "t"
    }
    return try await listed(user, since: token, size: size, lending)
  }

  @Test("[C-11] both parties read what changed since their token, as it is now, and others nothing")
  func parties() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      let ada = try await changes(.ada, lending)
      let grace = try await changes(.grace, lending)
      #expect(ada.changed.map(\.state) == [.pending] && grace.changed.map(\.loanID) == [loan.loanID] && !ada.hasMore)
      #expect(try await changes(.alan, lending).changed.isEmpty)
      _ = try await lending.accept(loan)
      _ = try await lending.confirmHandover(loan, as: .ada)
      let next = try await changes(.grace, since: grace.nextChangeToken, lending)
      #expect(next.changed.map(\.state) == [.accepted] && next.changed.first?.handover?.ownerTime != nil)
      let quiet = try await changes(.grace, since: next.nextChangeToken, lending)
      #expect(quiet.changed.isEmpty && quiet.nextChangeToken.isEmpty == false)
      #expect(try await changes(.ada, since: ada.nextChangeToken, lending).changed.map(\.loanID) == [loan.loanID])
    }
  }

  @Test("[C-11] requests that are declined together are all among the changes, in pages that skip none")
  func together() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      var made: [Loan] = []
      for number in 0..<7 { made.append(try await lending.request(book, as: .one(number))) }
      let before = try await changes(.ada, size: 200, lending).nextChangeToken
      _ = try await lending.accept(made[3])
      var (seen, token, more) = ([Loan](), before, true)
      while more {
        let page = try await changes(.ada, since: token, size: 2, lending)
        (seen, token, more) = (seen + page.changed, page.nextChangeToken, page.hasMore)
      }
      #expect(Set(seen.map(\.loanID)) == Set(made.map(\.loanID)) && seen.count == 7)
      #expect(seen.filter { $0.state == .declined }.count == 6)
    }
  }

  @Test("[C-11] what a transaction that is still open changes is not skipped")
  func openTransaction() async throws {
    try await RunningLending.with { lending in
      let early = try await lending.request(try await lending.list())
      let late = try await lending.request(try await lending.list())
      let start = try await changes(.grace, lending).nextChangeToken
      try await lending.inTransaction { tx in
        try await tx.execute(Touch(id: try #require(LoanID(early.loanID))))
        _ = try await lending.accept(late)
        // The later change waits for the one that may still come before it.
        #expect(try await listed(.grace, since: start, lending).changed.isEmpty)
      }
      let seen = try await changes(.grace, since: start, lending)
      #expect(Set(seen.changed.map(\.loanID)) == [early.loanID, late.loanID])
    }
  }

  @Test(
    "[C-11] B8: a token of a database that was restored to an earlier moment is refused, and changes go on above it")
  func restored() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      let old = try await changes(.grace, lending).nextChangeToken
      // As `EventEpochs` does on another server: the last change of the old one is not in the dump.
      try await lending.sql(
        """
        with begun as (
          select changed_in::text::bigint as last, ((changed_in::text::bigint >> 44) + 1) << 44 as next from loans
        ), noted as (
          insert into event_epochs (next_transaction_id, ended_transaction_id, ended_id)
          select next::text::xid8, (last - 1)::text::xid8, 0 from begun
        )
        update event_log set transaction_offset = next from begun
        """)
      let refused = try await refusal { try await changes(.grace, since: old, lending) }
      #expect(refused.code == .invalidArgument && refused.fieldReasons == ["CHANGE_TOKEN_INVALID"])
      let anew = try await changes(.grace, lending)
      #expect(anew.changed.map(\.loanID) == [loan.loanID])
      _ = try await lending.accept(loan)
      #expect(try await changes(.grace, lending).changed.map(\.state) == [.accepted])
    }
  }

  @Test(
    "[C-11] B8: a token from before a restore is refused although its number is known, and pages of what is older go on"
  )
  func restoredWhole() async throws {
    try await RunningLending.with { lending in
      for _ in 0..<3 { _ = try await lending.request(try await lending.list()) }
      let old = try await changes(.grace, lending).nextChangeToken
      try await lending.sql(
        """
        with begun as (
          select max(changed_in::text::bigint) as last, ((max(changed_in::text::bigint) >> 44) + 1) << 44 as next from loans
        ), noted as (
          insert into event_epochs (next_transaction_id, ended_transaction_id, ended_id)
          select next::text::xid8, last::text::xid8, 0 from begun
        )
        update event_log set transaction_offset = next from begun
        """)
      // Below the numbers that were dumped there may have been changes that were still open then.
      let refused = try await refusal { try await changes(.grace, since: old, lending) }
      #expect(refused.fieldReasons == ["CHANGE_TOKEN_INVALID"])
      var (seen, token, more) = (0, "", true)
      while more {
        let page = try await changes(.grace, since: token, size: 1, lending)
        (seen, token, more) = (seen + page.changed.count, page.nextChangeToken, page.hasMore)
      }
      #expect(seen == 3)
      #expect(try await changes(.grace, since: token, lending).changed.isEmpty)
    }
  }

  @Test("[C-11] a token of another user or method, or none, is refused with every other bad field")
  func badTokens() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.request(try await lending.list())
      let own = try await listed(.grace, lending).nextChangeToken
      for token in ["x", own + "A", String(repeating: "A", count: 500)] {
        let refused = try await refusal { try await listed(.grace, since: token, size: -1, lending) }
        #expect(Set(refused.fieldReasons) == ["CHANGE_TOKEN_INVALID", "PAGE_SIZE_INVALID"])
      }
      let foreign = try await refusal { try await listed(.ada, since: own, lending) }
      #expect(foreign.fieldReasons == ["CHANGE_TOKEN_INVALID"])
    }
  }
}

/// Changes a loan in an open transaction.
private struct Touch: Statement {
  typealias Row = Void
  static let sql = "update loans set updated_at = updated_at where id = $1"
  let id: LoanID

  func bind(_ p: inout Parameters) { p.append(id) }
}
