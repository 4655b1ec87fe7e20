import AccountDeletions
import CatalogDomain
import CatalogStore
import Events
import struct GoogleProtobuf.Timestamp
import Identifiers
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC
import TandemCatalog
import TandemEvents
import TestServices
import TestSupport
import Testing

@testable import catalog

@Suite("how full gyms are", .timeLimit(.minutes(5)))
struct GymUsageTests {
  private static let feed = CallOptions.token("usage-feed", timeout: .seconds(60))

  private func report(
    _ catalog: RunningCatalog, _ gym: String, _ people: Int32, of capacity: Int32 = 0, age: Duration = .zero,
    requestID: String = "", as options: CallOptions = feed
  ) async throws -> ReportUsageResponse {
    let report = UsageReport(
      gymID: gym, people: people, capacity: capacity, observeTime: Timestamp(catalog.clock.now - age))
    return try await catalog.gyms.reportUsage(ReportUsageRequest(reports: [report], requestID: requestID), options)
  }

  private static func gym(_ id: String, capacity: Int? = nil) -> GymFixture {
    GymFixture(id: id, latitude: 1, longitude: 1, tags: capacity.map { ["capacity": "\($0)"] } ?? [:])
  }

  @Test("[CA-4] [CA-1] what an operator reports is shown with its age for 90 minutes, and is absent then")
  func reported() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([Self.gym("a", capacity: 80), Self.gym("b")])
      let (a, b) = (try await catalog.gymID("a"), try await catalog.gymID("b"))
      #expect(try await catalog.gym("a").usage == nil)
      _ = try await report(catalog, a, 20)
      _ = try await report(catalog, b, 20)
      catalog.clock.advance(by: .seconds(90 * 60 - 1))

      let usage = try #require(
        try await catalog.nearest(1, 1).gyms.compactMap { $0.gym }.first { $0.gymID == a }?.usage)
      #expect(usage.percentage == 25 && usage.people == 20 && usage.capacity == 80 && usage.source == .reported)
      #expect(usage.ageS == 90 * 60 - 1)
      #expect(try await catalog.gym("b").usage == nil, "nobody knows how many fit")
      catalog.clock.advance(by: .seconds(1))
      #expect(try await catalog.gym("a").usage == nil)

      let again = try await report(catalog, b, 30, of: 40)
      #expect(again.stored == 1 && again.outdated == 0)
      #expect(try await catalog.gym("b").usage?.percentage == 75)
      _ = try await report(catalog, b, 10)
      #expect(try await catalog.gym("b").usage?.percentage == 25, "the capacity stays as it was reported")
    }
  }

  @Test("[CA-4] the newest report counts, in whatever order 40 of them come at once")
  func order() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([Self.gym("a", capacity: 100)])
      let a = try await catalog.gymID("a")
      let answers = await catalog.race(40) { _, number in
        try await report(catalog, a, Int32(number), age: .seconds(number))
      }.successes()
      #expect(answers.count == 40 && answers.allSatisfy { $0.stored + $0.outdated == 1 })
      #expect(try await catalog.gym("a").usage?.people == 0)
    }
  }

  @Test("[CA-4] [C-1] [C-2] only operators and the gyms' feed report, and every bad field is named with nothing stored")
  func refusals() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([Self.gym("a", capacity: 100)])
      let a = try await catalog.gymID("a")
      for caller in ["matching", TestUser.ada.id.description] {
        let status = try await refusal { try await report(catalog, a, 1, as: .token(caller, timeout: .seconds(60))) }
        #expect(status.code == .permissionDenied && status.reason == "CALLER_NOT_ALLOWED")
      }
      #expect(try await report(catalog, a, 1, as: .token("operator", timeout: .seconds(60))).stored == 1)

      let late = Timestamp(catalog.clock.now + .seconds(61))
      let reports = [
        UsageReport(gymID: a, people: 50), .init(gymID: "x", people: -1, capacity: 100_001),
        .init(gymID: a, people: 3, observeTime: late), .init(gymID: a, people: 100_001),
      ]
      let status = try await refusal {
        try await catalog.gyms.reportUsage(ReportUsageRequest(reports: reports), Self.feed)
      }
      #expect(
        status.fields == [
          "reports[1].gym_id", "reports[1].people", "reports[1].capacity", "reports[2].observe_time",
          "reports[3].people",
        ])
      let twice = try await refusal {
        try await catalog.gyms.reportUsage(ReportUsageRequest(reports: [reports[0], reports[0]]), Self.feed)
      }
      #expect(twice.fieldReasons == ["GYM_REPEATED"])
      #expect(try await catalog.gym("a").usage?.people == 1)
      let none = try await refusal { try await catalog.gyms.reportUsage(ReportUsageRequest(), Self.feed) }
      #expect(none.fieldReasons == ["REPORTS_REQUIRED"])
      let many = ReportUsageRequest(reports: Array(repeating: reports[0], count: 1_001))
      #expect(
        try await refusal { try await catalog.gyms.reportUsage(many, Self.feed) }.fieldReasons == ["TOO_MANY_REPORTS"])
    }
  }

  @Test(
    "[CA-4] [C-4] a batch tells what became of it, gyms that are not known are passed over, and a repetition does nothing"
  )
  func batch() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([Self.gym("a", capacity: 100), Self.gym("b", capacity: 100)])
      let (a, b, ghost) = (try await catalog.gymID("a"), try await catalog.gymID("b"), TestUser.ada.id.description)
      _ = try await report(catalog, b, 7)
      let old = Timestamp(catalog.clock.now - .seconds(60))
      let batch = ReportUsageRequest(
        reports: [
          .init(gymID: a, people: 1), .init(gymID: b, people: 2, observeTime: old), .init(gymID: ghost, people: 3),
        ], requestID: "0190a1b2-0000-7000-8000-000000000001")
      let first = try await catalog.gyms.reportUsage(batch, Self.feed)
      #expect(first == ReportUsageResponse(stored: 1, outdated: 1, unknownGymIds: [ghost]))
      catalog.clock.advance(by: .seconds(60))
      #expect(try await catalog.gyms.reportUsage(batch, Self.feed) == first)
      #expect(try await catalog.gym("a").usage?.ageS == 60)
    }
  }

  // MARK: Check-ins

  /// Matching and a catalog that follows it, with the same clock.
  private final class Stage: Sendable {
    let catalog: RunningCatalog
    private let matching: RunningService
    private let told = Mutex<Int64>(0)

    private init(_ catalog: RunningCatalog, _ matching: RunningService) {
      self.catalog = catalog
      self.matching = matching
    }

    static func with(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
      try await TestDatabase.with([RunningCatalog.schema, Producer<MatchingName>.schema]) { database in
        let (certificates, clock) = (try SuiteCertificates(), ManualClock())
        try await RunningService.with(
          Producer<MatchingName>.self, on: database, clock: clock, certificates: certificates, as: "lending"
        ) { matching in
          let follows = ["--matching-address", "127.0.0.1:\(matching.port)"]
          try await RunningService.with(
            FollowingCatalog.self, on: database, clock: clock, certificates: certificates, follows
          ) { catalog in
            try await RunningCatalog.beside(catalog, database, clock) { running in
              try await running.load([GymUsageTests.gym("marker")])
              try await body(Stage(running, matching))
            }
          }
        }
      }
    }

    /// Publishes a check-in as matching, and waits until the catalog has received it.
    func checkIn(
      _ user: UserID, at gym: String, ago: Duration = .zero, stays: Duration = .seconds(3_600)
    ) async throws {
      let begin = catalog.clock.now - ago
      try await tell(user, gym, from: begin, until: begin + stays)
      // Events of one key take effect in their order: once a later one is visible, this one has been handled.
      let number = told.withLock { told in
        told += 1
        return told
      }
      let (marker, mark) = (GymUsageTests.user(99), Instant(microseconds: number * 1_000_000))
      try await tell(marker, try await catalog.gymID("marker"), from: mark, until: mark)
      _ = try await eventually("the catalog hears of it") {
        let seen = try await catalog.value(
          "select extract(epoch from checked_in_at)::bigint from gym_presences where user_id = '\(marker)'")
        return seen == "\(number)" ? true : nil
      }
    }

    private func tell(_ user: UserID, _ gym: String, from begin: Instant, until end: Instant) async throws {
      try await matching.tell([
        CheckedIn(
          sessionID: "0190a1b2-0000-7000-8000-000000000007", userID: user.description, gymID: gym,
          checkInTime: Timestamp(begin), endTime: Timestamp(end))
      ])
    }

    /// Publishes a check-in of another session than the others'.
    func tell(_ user: UserID, _ gym: String, at time: Timestamp) async throws {
      try await matching.tell([
        CheckedIn(
          sessionID: "0190a1b2-0000-7000-8000-000000000008", userID: user.description, gymID: gym, checkInTime: time)
      ])
    }

    func people(_ gym: String) async throws -> Int32? { try await catalog.gym(gym).usage?.people }
  }

  private static func user(_ number: UInt64) -> UserID { TestUser(number, "").id }

  @Test(
    "[CA-4] a check-in at a time that is none counts for nobody, and holds up no other", arguments: [Int64.min, .max])
  func timeOutOfRange(seconds: Int64) async throws {
    try await Stage.with { stage in
      try await stage.catalog.load([Self.gym("a", capacity: 10)])
      let a = try await stage.catalog.gymID("a")
      try await stage.tell(Self.user(1), a, at: Timestamp(seconds: seconds))
      try await stage.checkIn(Self.user(2), at: a)
      #expect(try await stage.people("a") == 1)
    }
  }

  @Test(
    "[CA-4] who checked in during the last 90 minutes and stays is counted once, over capacity, until a report says more"
  )
  func checkIns() async throws {
    try await Stage.with { stage in
      let catalog = stage.catalog
      try await catalog.load([Self.gym("a", capacity: 10), Self.gym("b", capacity: 10)])
      let (a, b) = (try await catalog.gymID("a"), try await catalog.gymID("b"))
      #expect(try await stage.people("a") == nil)
      try await stage.checkIn(Self.user(1), at: a)
      try await stage.checkIn(Self.user(2), at: a, stays: .seconds(600))
      try await stage.checkIn(Self.user(1), at: a)
      try await stage.checkIn(Self.user(3), at: a, ago: .seconds(90 * 60), stays: .seconds(4 * 3_600))
      try await stage.checkIn(Self.user(4), at: TestUser.ada.id.description)
      let usage = try #require(try await catalog.gym("a").usage)
      #expect(usage.people == 2 && usage.percentage == 20 && usage.source == .checkIns && usage.ageS == 0)

      catalog.clock.advance(by: .seconds(600))
      #expect(try await stage.people("a") == 1, "the session of one is over")
      try await stage.checkIn(Self.user(1), at: b)
      #expect(try await stage.people("a") == nil, "a person is at one gym at a time")
      #expect(try await stage.people("b") == 1)
      try await stage.checkIn(Self.user(1), at: a, ago: .seconds(300))
      #expect(try await stage.people("b") == 1, "an older check-in comes late")
      _ = try await report(catalog, b, 9)
      #expect(try await stage.people("b") == 9)
      catalog.clock.advance(by: .seconds(90 * 60))
      #expect(try await stage.people("b") == nil)
    }
  }

  @Test("[C-9] who leaves is at no gym any more, and whatever is told later is not kept")
  func departure() async throws {
    try await Stage.with { stage in
      let catalog = stage.catalog
      try await catalog.load([Self.gym("a", capacity: 10)])
      let a = try await catalog.gymID("a")
      for number in 1...2 as ClosedRange<UInt64> { try await stage.checkIn(Self.user(number), at: a) }
      try await catalog.own.repeatableTransaction { tx in
        for removal in CatalogSchema.removals { try await Self.remove(Self.user(1), by: removal, tx) }
      }
      #expect(try await stage.people("a") == 1)
      try await stage.checkIn(Self.user(1), at: a)
      #expect(try await stage.people("a") == 1)
    }
  }

  private static func remove<R: AccountDeletionStatement>(_ user: UserID, by removal: R.Type, _ tx: Transaction)
    async throws
  {
    try await tx.execute(R(userID: user))
  }

  @Test("[C-9] a check-in that says nothing any more is removed")
  func sweep() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([Self.gym("a", capacity: 10)])
      let gym = try #require(GymID(try await catalog.gymID("a")))
      let now = catalog.clock.now
      for (someone, age) in [(TestUser.ada, 90 * 60), (.grace, 90 * 60 - 1)] {
        try await catalog.own.write(
          NotePresences(
            userIDs: [someone.id], gymIDs: [gym], checkInTimes: [now - .seconds(age)],
            endTimes: [now + .seconds(3_600)]))
      }
      try await catalog.own.write(DeleteOldPresences(expiredAt: now, limit: 10))
      let left = try await catalog.sql("select user_id from gym_presences")
      #expect(left == [[TestUser.grace.id.description]])
    }
  }
}

/// A catalog that follows matching; a token is the caller's id.
private struct FollowingCatalog: TandemService {
  static let service = Catalog.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    var served = try Catalog.build(runtime, authenticator: InsecureAuthenticator())
    served.follows = served.follows.filter { $0.producer == "matching" }
    return served
  }
}
