import Identifiers
import ImporterDomain
import ImporterStore
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("links to activities", .timeLimit(.minutes(5)))
struct ActivityShareTests {
  /// Stores a run of Ada's and returns its id.
  private func run(_ importer: RunningImporter, zone: String = "Europe/Berlin") async throws -> String {
    var run = ImportedActivity.run(at: importer.clock.now)
    run.timeZone = zone
    try await importer.store(ImportedBatch(activities: [run]))
    let listed = try await importer.activities.listActivities(ListActivitiesRequest(), TestUser.ada.options)
    return try #require(listed.activities.first?.activityID)
  }

  private func share(
    _ activity: String, _ importer: RunningImporter, as user: TestUser = .ada
  ) async throws -> ShareActivityResponse {
    try await importer.activities.shareActivity(ShareActivityRequest(activityID: activity), user.options)
  }

  private func read(_ token: String, _ importer: RunningImporter) async throws -> SharedActivity {
    try await importer.activities.getSharedActivity(GetSharedActivityRequest(token: token))
  }

  @Test(
    "[CA-15] 31 item 10: a link reads without login: kind, day, distance and time, neither who nor where",
    arguments: [("Europe/Berlin", 1), ("+13:00", 1), ("-03:30", 0), ("Asia/Nowhere", 0)])
  func reads(zone: String, later: Int) async throws {
    try await RunningImporter.with { importer in
      let activity = try await run(importer, zone: zone)
      try await importer.sql("update activities set started_at = '2026-01-12 23:30+00', title = 'Round my house'")
      let link = try await share(activity, importer)

      let seen = try await read(link.token, importer)

      #expect(seen.sport == .run && seen.distanceM == 10_000 && seen.durationS == 3_600)
      #expect(seen.startDate?.year == 2026 && seen.startDate?.month == 1 && seen.startDate?.day == Int32(12 + later))
      #expect(seen.preview?.title == "Run, 10.0 km" && seen.preview?.picture == "activity")
      #expect(seen.preview?.text == "\(12 + later) January 2026, 1 h 0 min")
      let text = "\(seen)"
      #expect(!text.contains("house") && !text.contains("\(TestUser.ada.id)") && !text.contains(activity))
      let stored = try await importer.value("select activity_shares::text from activity_shares")
      #expect(stored?.contains(link.token) == false)
    }
  }

  @Test("[CA-15] 31 item 10: links are listed and revoked; one that is revoked, or of what is deleted, is unknown")
  func revokes() async throws {
    try await RunningImporter.with { importer in
      let activity = try await run(importer)
      let (first, second) = (try await share(activity, importer), try await share(activity, importer))
      let list = ListActivitySharesRequest(activityID: activity)
      let listed = try await importer.activities.listActivityShares(list, TestUser.ada.options)
      #expect(Set(listed.shares.map(\.shareID)) == Set([first, second].compactMap(\.share?.shareID)))
      let others = try await refusal { try await importer.activities.listActivityShares(list, TestUser.grace.options) }
      #expect(others.reason == "ACTIVITY_NOT_FOUND")

      let call = RevokeActivityShareRequest(shareID: first.share?.shareID ?? "")
      let foreign = try await refusal {
        try await importer.activities.revokeActivityShare(call, TestUser.grace.options)
      }
      _ = try await importer.activities.revokeActivityShare(call, TestUser.ada.options)
      let (revoked, unknown) = (
        try await refusal { try await read(first.token, importer) },
        try await refusal { try await read("x", importer) }
      )
      #expect(foreign.reason == "SHARE_NOT_FOUND" && revoked.reason == "SHARE_NOT_FOUND")
      #expect(revoked.code == unknown.code && revoked.message == unknown.message)
      #expect(try await read(second.token, importer).sport == .run)

      _ = try await importer.activities.deleteActivity(
        DeleteActivityRequest(activityID: activity), TestUser.ada.options)
      #expect(try await refusal { try await read(second.token, importer) }.reason == "SHARE_NOT_FOUND")
      #expect(try await importer.value("select count(*) from activity_shares") == "0")
    }
  }

  @Test("[CA-15] [C-9] 31 item 10: who deletes the account takes the links along")
  func departure() async throws {
    try await RunningImporter.with { importer in
      let token = try await share(try await run(importer), importer).token
      try await importer.own.transaction { tx in
        for statement in ImporterSchema.removals { try await tx.execute(statement.init(userID: TestUser.ada.id)) }
      }
      #expect(try await refusal { try await read(token, importer) }.reason == "SHARE_NOT_FOUND")
      #expect(try await importer.value("select count(*) from activity_shares") == "0")
    }
  }

  @Test("[CA-15] [C-2] 31 item 10: bad ids are named, a dry run stores nothing, and after 30 unknown links others work")
  func bad() async throws {
    try await RunningImporter.with { importer in
      let activity = try await run(importer)
      let malformed = try await refusal {
        try await importer.activities.shareActivity(
          ShareActivityRequest(activityID: "x", requestID: "y"), TestUser.ada.options)
      }
      #expect(Set(malformed.fieldReasons) == ["ACTIVITY_ID_INVALID", "REQUEST_ID_INVALID"])
      let revocation = try await refusal {
        try await importer.activities.revokeActivityShare(
          RevokeActivityShareRequest(shareID: "x"), TestUser.ada.options)
      }
      #expect(revocation.fieldReasons == ["SHARE_ID_INVALID"])
      #expect(try await refusal { try await share(activity, importer, as: .grace) }.reason == "ACTIVITY_NOT_FOUND")
      let tried = ShareActivityRequest(activityID: activity, validateOnly: true)
      _ = try await importer.activities.shareActivity(tried, TestUser.ada.options)
      #expect(try await importer.value("select count(*) from activity_shares") == "0")
      let token = try await share(activity, importer).token
      for _ in 0..<30 {
        #expect(try await refusal { try await read("x", importer) }.reason == "SHARE_NOT_FOUND")
      }
      #expect(try await refusal { try await read("x", importer) }.reason == "TOO_MANY_ATTEMPTS")
      #expect(try await read(token, importer).sport == .run)
    }
  }

  @Test("[CA-15] 31 item 10: an activity has at most 20 links, also of many made at once; [C-4] repeating makes none")
  func limit() async throws {
    try await RunningImporter.with { importer in
      let activity = try await run(importer)
      let call = ShareActivityRequest(activityID: activity, requestID: "0190f000-0000-7000-8000-00000000000c")
      let (first, second) = (
        try await importer.activities.shareActivity(call, TestUser.ada.options),
        try await importer.activities.shareActivity(call, TestUser.ada.options)
      )
      #expect(first == second)
      let results = await importer.service.race(28) { client, _ in
        try await ActivitiesClient(client).shareActivity(
          ShareActivityRequest(activityID: activity), TestUser.ada.options)
      }
      #expect(results.successes().count == 19)
      #expect(results.refusals().count == 9 && results.refusals().allSatisfy { $0.reason == "TOO_MANY_SHARES" })
    }
  }
}
