import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

@Suite("calls that wait for a lock", .timeLimit(.minutes(5)))
struct LockWaitTests {
  @Test("[MA-1] S-2 A2: 16 posts of one user that wait for that user's row leave others' posts and lists quick")
  func posts() async throws {
    try await RunningMatching.with { matching in
      let (ada, grace) = (TestUser.ada, TestUser.grace)
      let slowest = try await slowestCall(
        over: (0..<4).map { _ in matching.service.connected() }, in: matching.own,
        holding: { tx in _ = try await tx.first(LockUser(userID: ada.id)) },
        waiting: { client, number in
          _ = try await SessionsClient(client).postSession(
            RunningMatching.request(in: 120 + 100 * number), ada.options)
        },
        other: { client, number in
          guard number.isMultiple(of: 3) else {
            _ = try await SessionsClient(client).listMySessions(ListMySessionsRequest(), grace.options)
            return
          }
          _ = try await SessionsClient(client).postSession(
            RunningMatching.request(in: 120 + 100 * number), grace.options)
        })
      #expect(slowest < .seconds(6), "\(slowest)")
      #expect(try await matching.value("select count(*) from sessions where owner_id = '\(grace.id)'") == "10")
    }
  }
}
