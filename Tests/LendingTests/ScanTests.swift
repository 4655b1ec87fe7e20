import TTRPC
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("a scan without a loan id")
struct ScanTests {
  private func scan(_ user: TestUser, _ lending: RunningLending, isbn: String = "0-441-17271-7") async throws
    -> FindScannedResponse
  {
    try await lending.loans.findScanned(FindScannedRequest(isbn: isbn), user.options)
  }

  private func meanings(_ user: TestUser, _ lending: RunningLending) async throws -> [ScanMeaning] {
    try await scan(user, lending).options.map(\.meaning)
  }

  @Test("[LE-16] by an ISBN alone each party is told what it can mean now, and does it in one further call")
  func wholeWay() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      #expect(try await meanings(.ada, lending) == [.add])
      let loan = try await lending.accept(try await lending.request(book))
      #expect(try await meanings(.ada, lending) == [.handOver, .add])
      let received = try await scan(.grace, lending)
      #expect(received.isbn == ListedBook.isbn && received.options.map(\.meaning) == [.receive, .add])
      #expect(received.options.first?.loan?.loanID == loan.loanID && received.options.last?.loan == nil)
      #expect(try await meanings(.alan, lending) == [.add])

      _ = try await lending.confirmHandover(try #require(received.options.first?.loan), as: .grace)
      let waiting = try await scan(.grace, lending)
      #expect(waiting.options.map(\.meaning) == [.add] && waiting.waiting.map(\.loanID) == [loan.loanID])
      _ = try await lending.confirmHandover(loan, as: .ada)
      #expect(try await meanings(.ada, lending) == [.takeBack, .add])
      #expect(try await meanings(.grace, lending) == [.return, .add])
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmReturn(loan, as: user) }
      #expect(try await meanings(.ada, lending) == [.add])
    }
  }

  @Test("[LE-16] a user with several loans of the same ISBN is told of each")
  func several() async throws {
    try await RunningLending.with { lending in
      let lent = try await lending.lend(try await lending.list(of: .ada))
      let promised = try await lending.accept(try await lending.request(try await lending.list(of: .ada), as: .alan))
      let borrowed = try await lending.request(try await lending.list(of: .grace), as: .ada)
      _ = try await lending.accept(borrowed, as: .grace)
      let options = try await scan(.ada, lending).options
      #expect(options.map(\.meaning) == [.takeBack, .handOver, .receive, .add])
      #expect(options.compactMap(\.loan?.loanID) == [lent.loanID, promised.loanID, borrowed.loanID])
    }
  }

  @Test("[LE-16] a text that is no ISBN is refused, and another book's means nothing but to add it")
  func bad() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.lend(try await lending.list())
      for text in ["", "978-0-441-17271-8", "dune"] {
        let refused = try await refusal { try await scan(.ada, lending, isbn: text) }
        #expect(refused.fieldReasons == ["INVALID_ISBN"], "\(text)")
      }
      #expect(try await scan(.ada, lending, isbn: "9780439023481").options.map(\.meaning) == [.add])
    }
  }
}
