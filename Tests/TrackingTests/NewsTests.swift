import Blocks
import Foundation
import Identifiers
import Postgres
import TandemEvents
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingStore

@Suite("news of many users", .timeLimit(.minutes(5)))
struct NewsTests {
  @Test(
    "[TR-10] [C-10] whom to tell of the silence of 100 users at once is looked up once, and each group is told once")
  func together() async throws {
    let cluster = try PrivateCluster.start()
    try await TestDatabase.with([RunningTracking.schema], at: cluster.url) { database in
      let clock = ManualClock()
      try await RunningTracking.with(on: database, clock, ["--look-interval", "1s"]) { tracking in
        let groups = try await tracking.manyOnJourneys(100)
        _ = try await tracking.group(7, of: [.alan])
        try await tracking.own.write(AddBlocks([Block(of: TestUser.one(3).id, by: TestUser.grace.id)]))
        try await database.sql("alter system set log_statement = 'all'")
        try await database.sql("select pg_reload_conf()")
        try await until("statements are logged") {
          try await tracking.sql("select 'logged'")
          return try Self.log(of: cluster).contains("select 'logged'")
        }
        let before = try Self.log(of: cluster).utf8.count
        clock.advance(by: .seconds(61))
        try await until("all are offline") {
          try await tracking.value("select count(*) from memberships where warnings = 1") == "\(groups.count)"
        }

        let offline = try await tracking.told(NotificationRequested.self).filter { $0.word == "wentOffline" }
        let recipients = Dictionary(
          offline.map { ($0.subject, $0.recipientIds) }, uniquingKeysWith: { $0 + $1 })
        #expect(offline.count == 99 && recipients.count == 99, "the blocked user's news reach no user")
        #expect(
          Set(recipients.values) == [
            [TestUser.grace.id.description], [TestUser.grace.id.description, TestUser.alan.id.description],
          ])
        let lookups = try Self.log(of: cluster).utf8.dropFirst(before)
        let count =
          String(decoding: Array(lookups), as: UTF8.self).components(separatedBy: "from blocks where").count - 1
        #expect(count <= 10, "each lookup names the blocks twice")
      }
    }
  }

  private static func log(of cluster: PrivateCluster) throws -> String {
    try String(contentsOfFile: "\(cluster.folder)/data/log", encoding: .utf8)
  }
}
