import Batches
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingOperations
import TrackingStore

@Suite("reports that wait", .timeLimit(.minutes(5)))
struct ReportLimitTests {
  /// What a call is told whose statement waited for ten seconds: on a busy machine it may. Nothing was done, and it is made again.
  private static let tooSlow = "DATABASE_SLOW"

  /// Why a report of a user is refused; `nil` if it is stored.
  private static func refusal(of user: TestUser, _ tracking: RunningTracking) async -> String? {
    while true {
      let found = await reason { try await tracking.report(52.5, 13.4, as: user) }
      if found != tooSlow { return found }
    }
  }

  @Test(
    "[TR-2] a user who reports more than is stored does not have other users refused, and is heard again afterwards")
  func oneOfMany() async throws {
    try await RunningTracking.with { tracking in
      let members = [TestUser.ada, .alan, TestUser(5, "eve")]
      let group = try await tracking.group(of: members)
      for member in members { try await tracking.share(with: [group], as: member) }
      let points = (1...500).map { second in
        Position(latitude: 52.5, longitude: 13.4, time: (tracking.clock.now + .seconds(-second)).timestamp)
      }
      let batch = ReportBatchRequest(points: points)
      let (refused, othersRefused) = (Gathered<String?>(), Gathered<String>())

      try await withThrowingTaskGroup { others in
        try await tracking.own.transaction { tx in
          try await tx.execute(HoldTrackers())
          // All three have the same lane, which now waits.
          others.addTask { await Self.refusal(of: members[2], tracking) }
          try await until("a transaction waits") {
            try await tracking.database.value(
              "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
              == "1"
          }
          others.addTask {
            let outcomes = await tracking.service.race(130) { client, _ in
              do { return try await LocationsClient(client).reportBatch(batch, TestUser.ada.options) } catch {
                let reason = (error as? Status)?.reason
                if reason != Self.tooSlow { refused.add(reason) }
                throw error
              }
            }
            #expect(outcomes.successes().count == 4, "2,000 positions may wait")
            return nil
          }
          try await until("reports are refused") { refused.all.count >= 30 }
          others.addTask {
            let refusal = await Self.refusal(of: .alan, tracking)
            if let refusal { othersRefused.add(refusal) }
            return refusal
          }
          try await until("what is too much is refused") { refused.all.count >= 126 || !othersRefused.all.isEmpty }
        }
        for try await refusal in others { #expect(refusal == nil) }
      }
      #expect(Set(refused.all) == ["TOO_MANY_REPORTS"])
      #expect(try await tracking.locations.reportBatch(batch, TestUser.ada.options).duplicate == 500)
    }
  }
}

@Suite("turns of users whose reports wait")
struct ReportQueueTests {
  @Test("[TR-2] each user's reports are taken in order, one before another of the same user, and make room for as many")
  func turns() throws {
    var queue = BatchQueue<String>(ReportIngest.limits)
    for number in 1...4 { try queue.add("ada \(number)", weight: 500, of: TestUser.ada.id) }
    #expect(throws: BatchRefusal.tooManyOfUser) { try queue.add("ada 5", weight: 1, of: TestUser.ada.id) }
    try queue.add("alan 1", weight: 1, of: TestUser.alan.id)
    try queue.add("grace 1", weight: 1, of: TestUser.grace.id)
    #expect(queue.take(BatchSize(entries: 3)) == ["ada 1", "alan 1", "grace 1"])

    try queue.add("alan 2", weight: 1, of: TestUser.alan.id)
    try queue.add("ada 5", weight: 500, of: TestUser.ada.id)
    #expect(queue.take(BatchSize(entries: .max)) == ["ada 2", "alan 2", "ada 3", "ada 4", "ada 5"])
    #expect(queue.take(BatchSize(entries: 1)) == [])
  }

  @Test("[TR-2] all users together have 50,000 positions that wait")
  func full() throws {
    var queue = BatchQueue<Int>(ReportIngest.limits)
    for number in 0..<25 { try queue.add(number, weight: 2_000, of: TestUser.one(number).id) }
    #expect(throws: BatchRefusal.tooMany) { try queue.add(25, weight: 1, of: TestUser.ada.id) }
    #expect(queue.take(BatchSize(entries: 2)) == [0, 1])
    try queue.add(26, weight: 2_000, of: TestUser.ada.id)
  }

  @Test(
    "[TR-32] a user who sends a thousand messages at once holds up no other, and what may not be in one batch stays in order"
  )
  func messages() throws {
    var queue = BatchQueue<Int>(BatchLimits(ofUser: 1_000, inAll: 4_096))
    func add(_ number: Int, of user: TestUser) throws {
      try queue.add(number, weight: 1, keys: [UUID7(high: UInt64(number / 2), low: 0)], of: user.id)
    }
    for number in 0..<1_000 { try add(number, of: .ada) }
    #expect(throws: BatchRefusal.tooManyOfUser) { try add(1_000, of: .ada) }
    for number in [2_000, 2_002, 2_004] { try add(number, of: .grace) }
    #expect(queue.take(BatchSize(entries: 6)) == [0, 2_000, 2_002, 2_004])

    try add(2_006, of: .alan)
    #expect(queue.take(BatchSize(entries: 256)) == [1, 2_006, 2])
    #expect(queue.take(BatchSize(entries: 2)) == [3, 4])
    for number in [5, 7, 9] { #expect(queue.take(BatchSize(entries: 256)) == [number, number + 1]) }
    #expect(queue.removeAll() == Array(11..<1_000))
    #expect(queue.take(BatchSize(entries: 256)) == [])
  }
}

/// Has transactions wait that are to change a user's position. It takes no transaction number, so no event waits for it.
private struct HoldTrackers: Statement {
  typealias Row = Void
  static let sql = "lock table trackers in exclusive mode"
  func bind(_ p: inout Parameters) {}
}
