import Identifiers
import LendingStore
import Postgres
import TTRPC
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("calls that wait for a lock", .timeLimit(.minutes(5)))
struct LockWaitTests {
  @Test("[LE-1] S-2 A2: 16 requests of one user that wait for a book leave others' requests and lists quick")
  func requests() async throws {
    try await RunningLending.with { lending in
      let (grace, alan) = (TestUser.grace, TestUser.alan)
      let held = try await lending.list()
      var others: [ListedBook] = []
      for number in 0..<5 { others.append(try await lending.list("Emma \(number)")) }
      let free = others
      let slowest = try await slowestCall(
        over: (0..<4).map { _ in lending.service.connected() }, in: lending.own,
        holding: { tx in _ = try await tx.first(LockedBook(bookID: held.id)) },
        waiting: { client, _ in
          _ = try await LoansClient(client).requestBook(RequestBookRequest(bookID: held.text), grace.options)
        },
        other: { client, number in
          guard number < free.count else {
            _ = try await LoansClient(client).listMyRequests(ListMyRequestsRequest(), alan.options)
            return
          }
          _ = try await LoansClient(client).requestBook(RequestBookRequest(bookID: free[number].text), alan.options)
        })
      #expect(slowest < .seconds(6), "\(slowest)")
      #expect(try await lending.value("select count(*) from loans where borrower_id = '\(alan.id)'") == "5")
    }
  }
}
