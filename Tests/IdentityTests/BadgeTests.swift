import GoogleProtobuf
import IdentityStore
import Identifiers
import Logging
import LoopExecutor
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

@Suite("badges", .timeLimit(.minutes(5)))
struct BadgeTests {
  /// The services whose events badges come from, and what identity runs on beside them.
  private struct Setting: Sendable {
    let matching: RunningService
    let lending: RunningService
    let importer: RunningService
    let database: TestDatabase
    let clock: ManualClock
    let certificates: SuiteCertificates

    static func with(_ body: @escaping @Sendable (Setting) async throws -> Void) async throws {
      let schemas = [
        RunningIdentity.schema, Producer<MatchingName>.schema, Producer<LendingName>.schema,
        Producer<ImporterName>.schema,
      ]
      try await TestDatabase.with(schemas) { database in
        let (certificates, clock) = (try SuiteCertificates(), ManualClock())
        @Sendable func run<N: ProducerName>(
          _ name: N.Type, _ body: @escaping @Sendable (RunningService) async throws -> Void
        ) async throws {
          try await RunningService.with(
            Producer<N>.self, on: database, clock: clock, certificates: certificates, as: "identity"
          ) {
            try await body($0)
          }
        }
        try await run(MatchingName.self) { matching in
          try await run(LendingName.self) { lending in
            try await run(ImporterName.self) { importer in
              try await body(
                Setting(
                  matching: matching, lending: lending, importer: importer, database: database, clock: clock,
                  certificates: certificates))
            }
          }
        }
      }
    }

    /// Runs `body` with a server of identity that follows the three; it ends with it.
    func withIdentity(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
      let peers = [("matching", matching), ("lending", lending), ("importer", importer)]
      try await RunningIdentity.with(
        on: database, clock: clock, certificates: certificates,
        peers.flatMap { ["--\($0.0)-address", "127.0.0.1:\($0.1.port)"] }
      ) { identity in
        try await body(Stage(setting: self, identity: identity))
      }
    }

    @discardableResult
    func sql(_ text: String) async throws -> [[String?]] {
      try await Administration.session(database.url) { try $0.run(text) }
    }
  }

  /// What runs together in these tests.
  private struct Stage: Sendable {
    let setting: Setting
    let identity: RunningIdentity

    static func with(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
      try await Setting.with { setting in try await setting.withIdentity(body) }
    }

    func badges(_ login: LoginResponse) async throws -> [BadgeKind] {
      try await BadgesClient(identity.client).listBadges(ListBadgesRequest(), .user(login)).badges.map(\.kind)
    }

    /// Waits until everything that a service has told has taken effect.
    func caughtUp(with producer: String) async throws {
      try await eventually("identity has caught up with \(producer)") {
        try await identity.value(
          """
          select 'done' from event_cursors where producer = '\(producer)' and consumer = 'identity.badges'
            and (transaction_id, id) >= (
              select transaction_id, id from \(producer).events order by transaction_id desc, id desc limit 1
            )
          """)
      }
    }

    /// Has matching tell of successful sessions, and waits until they have been counted.
    func trained(_ sessions: [SessionSucceeded]) async throws {
      try await setting.matching.tell(sessions)
      try await caughtUp(with: "matching")
    }

    func lent(_ changes: [BookStatusChanged]) async throws {
      try await setting.lending.tell(changes)
      try await caughtUp(with: "lending")
    }

    func moved(_ activities: [ActivityStored]) async throws {
      try await setting.importer.tell(activities)
      try await caughtUp(with: "importer")
    }

    /// The titles of what somebody was told, the oldest first.
    func told(_ login: LoginResponse) async throws -> [String] {
      let page = try await identity.notifications.listNotifications(
        ListNotificationsRequest(pageSize: 200), .user(login))
      return page.notifications.reversed().map(\.title)
    }
  }

  /// A session of some people, so many seconds after the beginning of 2026 in UTC.
  private static func session(
    _ number: Int, _ people: [LoginResponse], at second: Int64 = 0, in zone: String = "UTC"
  ) -> SessionSucceeded {
    SessionSucceeded(
      sessionID: someID(number), userIds: people.map(\.userID), startTime: .init(seconds: newYear + second),
      timeZone: zone)
  }

  private static let newYear: Int64 = 1_767_225_600
  private static let day: Int64 = 86_400

  private static func loan(
    _ book: Int, of owner: LoginResponse, to borrower: LoginResponse, _ status: LendingStatus = .borrowed
  ) -> BookStatusChanged {
    BookStatusChanged(
      bookID: someID(book), ownerID: owner.userID, previousStatus: .accepted, status: status, loanID: someID(book),
      borrowerID: borrower.userID, changeTime: .init(seconds: newYear))
  }

  private static func activity(
    _ number: Int, of person: LoginResponse, metres: Double, at second: Int64 = 0, in zone: String = "UTC"
  ) -> ActivityStored {
    ActivityStored(
      activityID: someID(number), userID: person.userID, startTime: .init(seconds: newYear + second), timeZone: zone,
      distanceM: metres)
  }

  // MARK: What is awarded

  @Test("[ID-64] the first, 10, 50 and 100 sessions are awarded to both partners, with a notification each")
  func sessions() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      #expect(try await stage.badges(ada) == [])

      // All on one day: no streak.
      try await stage.trained((1...9).map { Self.session($0, [ada, grace]) })
      #expect(try await stage.badges(ada) == [.firstSession])
      stage.identity.clock.advance(by: .seconds(1))
      try await stage.trained((10...49).map { Self.session($0, [grace, ada]) })
      #expect(try await stage.badges(ada) == [.tenSessions, .firstSession])
      stage.identity.clock.advance(by: .seconds(1))
      try await stage.trained((50...99).map { Self.session($0, [ada, grace]) })
      stage.identity.clock.advance(by: .seconds(1))
      try await stage.trained([Self.session(100, [ada])])

      #expect(try await stage.badges(ada) == [.hundredSessions, .fiftySessions, .tenSessions, .firstSession])
      #expect(try await stage.badges(grace) == [.fiftySessions, .tenSessions, .firstSession])
      let titles = ["First session", "10 sessions", "50 sessions", "100 sessions"].map { "New badge: \($0)" }
      #expect(try await stage.told(ada) == titles)
      #expect(try await stage.told(grace) == Array(titles.prefix(3)))
    }
  }

  @Test("[ID-64] a streak is seven days in a row where the gyms are, not in UTC, in whatever order they are told")
  func streak() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      let zone = "Asia/Tokyo"
      // At 14:00 UTC and at 16:00 UTC of one day it is two days in Tokyo: seven there, six in UTC.
      let hers =
        [14, 16].map { Self.session($0, [ada], at: Int64($0) * 3_600, in: zone) }
        + (1...5).map { Self.session(20 + $0, [ada], at: Int64($0) * Self.day + 16 * 3_600, in: zone) }
      // Six days in Tokyo, seven in UTC.
      let others =
        [Self.session(40, [grace], at: 16 * 3_600, in: zone)]
        + (1...6).map {
          Self.session(40 + $0, [grace], at: Int64($0) * Self.day + ($0 == 6 ? 4 : 16) * 3_600, in: zone)
        }

      try await stage.trained(Array(hers.reversed().dropLast()))
      #expect(try await stage.badges(ada) == [.firstSession])
      try await stage.trained(hers + others)

      #expect(Set(try await stage.badges(ada)) == [.firstSession, .sevenDayStreak])
      #expect(try await stage.badges(grace) == [.firstSession])
    }
  }

  @Test("[ID-64] the first book and the tenth different one that are handed over are awarded to their owner")
  func books() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))

      try await stage.lent([
        Self.loan(1, of: ada, to: grace, .requested), Self.loan(1, of: ada, to: grace, .accepted),
        Self.loan(1, of: ada, to: grace, .available),
      ])
      #expect(try await stage.badges(ada) == [])
      // One book again and again is one book.
      for _ in 0..<12 { try await stage.lent([Self.loan(1, of: ada, to: grace)]) }
      #expect(try await stage.badges(ada) == [.firstBookLent])
      try await stage.lent((2...9).map { Self.loan($0, of: ada, to: grace) })
      #expect(try await stage.badges(ada) == [.firstBookLent])
      try await stage.lent([Self.loan(10, of: ada, to: grace)])

      #expect(Set(try await stage.badges(ada)) == [.firstBookLent, .tenBooksLent])
      #expect(try await stage.badges(grace) == [])
      #expect(try await stage.told(ada) == ["New badge: First book lent", "New badge: 10 books lent"])
    }
  }

  @Test("[ID-64] the first import from a tracker is awarded, and no later one")
  func tracker() async throws {
    try await Stage.with { stage in
      let ada = try await stage.identity.loggedIn()
      try await stage.setting.importer.tell(
        (1...3).map { TrackerImported(importID: someID($0), userID: ada.userID, provider: "polar") })
      try await stage.caughtUp(with: "importer")

      let badges = try await BadgesClient(stage.identity.client).listBadges(ListBadgesRequest(), .user(ada)).badges
      #expect(
        badges == [
          TandemNotification.Badge(
            kind: .firstTracker, title: "First tracker", description: "Brought in what a tracker knew.",
            awardTime: .init(seconds: stage.identity.clock.now.wholeSeconds))
        ])
      #expect(try await stage.told(ada) == ["New badge: First tracker"])
    }
  }

  @Test("[ID-64] 100 km in one month are awarded, by the months where the activities start")
  func distance() async throws {
    try await Stage.with { stage in
      let ada = try await stage.identity.loggedIn()
      // In UTC all of it is in January; in New York the first is in December.
      try await stage.moved([
        Self.activity(1, of: ada, metres: 60_000, at: 3_600, in: "America/New_York"),
        Self.activity(2, of: ada, metres: 39_999.999, at: Self.day, in: "America/New_York"),
      ])
      #expect(try await stage.badges(ada) == [])
      try await stage.moved([Self.activity(3, of: ada, metres: 60_000, at: 2 * Self.day, in: "America/New_York")])
      #expect(try await stage.told(ada) == [])
      // What an activity is worth is what was said last.
      try await stage.moved([Self.activity(3, of: ada, metres: 60_000.001, at: 2 * Self.day, in: "America/New_York")])

      #expect(try await stage.badges(ada) == [.hundredKilometres])
      #expect(try await stage.told(ada) == ["New badge: 100 km in a month"])
    }
  }

  @Test("[ID-64] what was said last of an activity counts, and what was removed does not")
  func lastWord() async throws {
    try await Stage.with { stage in
      let ada = try await stage.identity.loggedIn()
      try await stage.moved([
        Self.activity(1, of: ada, metres: 99_000), Self.activity(1, of: ada, metres: 50_000),
        Self.activity(2, of: ada, metres: 40_000), Self.activity(3, of: ada, metres: 5_000),
      ])
      try await stage.setting.importer.tell([ActivityRemoved(activityID: someID(2), userID: ada.userID)])
      try await stage.moved([Self.activity(4, of: ada, metres: 40_000)])
      #expect(try await stage.badges(ada) == [])
      #expect(try await stage.identity.value("select sum(distance_mm) from badge_activities") == "95000000")
      // It moves to another month.
      try await stage.moved([Self.activity(1, of: ada, metres: 50_000, at: 40 * Self.day)])
      try await stage.moved([Self.activity(5, of: ada, metres: 50_000)])
      #expect(try await stage.badges(ada) == [])
      try await stage.moved([Self.activity(6, of: ada, metres: 5_000)])

      #expect(try await stage.badges(ada) == [.hundredKilometres])
    }
  }

  @Test("[ID-64] a badge stays when what it was awarded for is removed")
  func stays() async throws {
    try await Stage.with { stage in
      let ada = try await stage.identity.loggedIn()
      try await stage.moved([Self.activity(1, of: ada, metres: 100_000)])
      try await stage.setting.importer.tell([ActivityRemoved(activityID: someID(1), userID: ada.userID)])
      try await stage.moved([Self.activity(2, of: ada, metres: 100_000)])

      #expect(try await stage.badges(ada) == [.hundredKilometres])
      #expect(try await stage.told(ada).count == 1)
    }
  }

  // MARK: Once

  @Test("[ID-64] logs that are read again from the beginning award nothing twice, and nothing that was never earned")
  func again() async throws {
    try await Setting.with { setting in
      let logins = Gathered<LoginResponse>()
      try await setting.withIdentity { stage in
        let ada = try await stage.identity.loggedIn()
        logins.add(ada)
        try await stage.trained((1...11).map { Self.session($0, [ada], at: Int64($0) * Self.day) })
        try await stage.lent((1...10).map { Self.loan($0, of: ada, to: ada) })
        try await setting.importer.tell([TrackerImported(importID: someID(1), userID: ada.userID, provider: "polar")])
        // Never 100 km at a time, though the log holds more.
        try await stage.moved([Self.activity(1, of: ada, metres: 60_000)])
        try await setting.importer.tell([ActivityRemoved(activityID: someID(1), userID: ada.userID)])
        try await stage.moved([Self.activity(2, of: ada, metres: 60_000)])
        #expect(try await stage.badges(ada).count == 6)
      }
      let before = try await setting.sql(Self.everything)
      // A server that has forgotten how far it was, and is told at another time.
      try await setting.sql("delete from identity.event_cursors")
      setting.clock.advance(by: .seconds(60))
      try await setting.withIdentity { stage in
        for producer in ["matching", "lending", "importer"] { try await stage.caughtUp(with: producer) }
        let ada = try #require(logins.all.first)
        #expect(try await stage.badges(ada).count == 6)
      }

      #expect(try await setting.sql(Self.everything) == before)
    }
  }

  /// All that badges leave behind.
  private static let everything = """
    select 'badge', account_id::text, kind, awarded_at::text, '' from identity.badges
    union all select 'session', account_id::text, session_id::text, day::text, '' from identity.badge_sessions
    union all select 'book', account_id::text, book_id::text, '', '' from identity.badge_books
    union all select 'activity', account_id::text, activity_id::text, month::text, distance_mm::text
      from identity.badge_activities
    union all select 'notice', account_id::text, source_key, created_at::text, sequence::text from identity.notifications
    order by 1, 2, 3, 4, 5
    """

  @Test("[ID-64] two servers that follow while dozens tell at once award each badge once")
  func race() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      try await stage.setting.withIdentity { _ in
        try await withThrowingTaskGroup { group in
          for number in 0..<48 {
            group.addTask {
              // Half of it is told twice.
              let session = Self.session(number / 2 * 2, [ada, grace], at: Int64(number / 2) * Self.day)
              try await stage.setting.matching.tell([session])
              try await stage.setting.lending.tell([Self.loan(number / 2, of: ada, to: grace)])
              try await stage.setting.importer.tell([Self.activity(number, of: ada, metres: 10_000)])
            }
          }
          try await group.waitForAll()
        }
        for producer in ["matching", "lending", "importer"] { try await stage.caughtUp(with: producer) }
      }

      let (hers, news, graces) = (
        try await stage.badges(ada), try await stage.told(ada), try await stage.told(grace)
      )
      #expect(
        Set(hers) == [.firstSession, .tenSessions, .sevenDayStreak, .firstBookLent, .tenBooksLent, .hundredKilometres])
      #expect(hers.count == 6 && news.count == 6 && Set(news).count == 6 && graces.count == 3)
      #expect(try await stage.identity.value("select count(*) from badge_sessions") == "48")
      #expect(try await stage.identity.value("select count(*) from badge_books") == "24")
    }
  }

  @Test("[ID-64] of dozens of transactions that award one person the same badges each is awarded by one")
  func raceOfAwards() async throws {
    try await RunningIdentity.with { identity in
      let ada = try #require(AccountID(try await identity.loggedIn().userID))
      let loops = LoopGroup(threads: 1)
      let database = try Database(
        DatabaseConfiguration(
          url: identity.database.url(of: "identity"), applicationName: "tests", schema: "identity"),
        loops: loops.executors, logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() })
      let awarded = try await withThrowingTaskGroup(of: [String].self) { group in
        for caller in 0..<36 {
          group.addTask {
            try await database.repeatableTransaction { tx in
              try await tx.rows(
                AwardBadges(
                  caller % 2 == 0 ? [.firstSession, .firstBookLent] : [.firstBookLent, .firstSession], to: ada,
                  now: identity.clock.now))
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      await database.close()
      try await loops.shutdown()

      #expect(awarded.sorted() == ["FIRST_BOOK_LENT", "FIRST_SESSION"])
      #expect(try await identity.value("select count(*) from badges") == "2")
    }
  }

  // MARK: What does not count

  @Test("[ID-64] what names nobody or nothing is left out, and holds up nothing; an unknown zone is UTC")
  func leftOut() async throws {
    try await Stage.with { stage in
      let ada = try await stage.identity.loggedIn()
      let nobody = LoginResponse(userID: someID(7))
      try await stage.trained([
        SessionSucceeded(sessionID: someID(1)), SessionSucceeded(sessionID: "one", userIds: [ada.userID]),
        SessionSucceeded(sessionID: someID(2), userIds: [ada.userID, "ada"]), Self.session(3, [nobody]),
      ])
      try await stage.lent([
        BookStatusChanged(bookID: someID(1), status: .borrowed),
        BookStatusChanged(bookID: "one", ownerID: ada.userID, status: .borrowed),
        BookStatusChanged(bookID: someID(1), ownerID: nobody.userID, status: .borrowed),
      ])
      try await stage.setting.importer.tell([TrackerImported(importID: someID(1), userID: nobody.userID)])
      try await stage.setting.importer.tell([TrackerImported(importID: someID(2), userID: "ada")])
      try await stage.setting.importer.tell([ActivityRemoved(activityID: someID(1), userID: nobody.userID)])
      try await stage.moved([
        Self.activity(1, of: ada, metres: -1), Self.activity(2, of: ada, metres: .infinity),
        Self.activity(3, of: nobody, metres: 200_000), ActivityStored(activityID: someID(4), distanceM: 200_000),
        ActivityStored(activityID: someID(5), userID: ada.userID, distanceM: .nan),
      ])
      #expect(try await stage.setting.sql(Self.everything) == [])

      try await stage.trained([Self.session(9, [ada], at: 23 * 3_600, in: "Mars/Olympus_Mons")])
      try await stage.moved([Self.activity(9, of: ada, metres: 1, in: "")])
      #expect(try await stage.identity.value("select day from badge_sessions") == "2026-01-01")
      #expect(try await stage.identity.value("select month from badge_activities") == "2026-01-01")
      #expect(try await stage.badges(ada) == [.firstSession])
    }
  }

  @Test("[ID-64] where an importer's log begins anew, its next word on an activity counts")
  func logBeginsAnew() async throws {
    try await Setting.with { setting in
      let logins = Gathered<LoginResponse>()
      try await setting.withIdentity { stage in
        let ada = try await stage.identity.loggedIn()
        logins.add(ada)
        try await stage.moved([Self.activity(1, of: ada, metres: 90_000)])
      }
      let ada = try #require(logins.all.first)
      try await setting.sql(
        """
        update identity.badge_activities set transaction_id = '18000000000000000000';
        delete from importer.events;
        update importer.event_removals set transaction_id = pg_current_xact_id(), id = 1
        """)
      try await setting.withIdentity { stage in
        _ = try await eventually("it goes on behind what was removed") {
          try await stage.identity.value(
            """
            select 1 from event_cursors c, importer.event_removals r
            where c.producer = 'importer' and c.consumer = 'identity.badges' and c.transaction_id >= r.transaction_id
            """)
        }
        try await stage.moved([Self.activity(1, of: ada, metres: 100_000)])
        #expect(try await stage.badges(ada) == [.hundredKilometres])
      }
    }
  }

  // MARK: Who sees them

  @Test("[ID-64] badges are listed in the profile, for whoever may see that")
  func inProfile() async throws {
    try await Stage.with { stage in
      let (identity, profiles) = (stage.identity, stage.identity.profiles)
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await stage.trained([Self.session(1, [ada, grace])])
      identity.clock.advance(by: .seconds(1))
      try await stage.lent([Self.loan(1, of: ada, to: grace)])
      let created = try await profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))
      let seen = try await profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace))
      let found = try await profiles.searchProfiles(SearchProfilesRequest(prefix: "ada"), .user(grace))
      let own = try await BadgesClient(identity.client).listBadges(ListBadgesRequest(), .user(ada)).badges

      #expect(own.map(\.kind) == [.firstBookLent, .firstSession])
      #expect(created.badges == own && seen.badges == own && found.profiles.map(\.badges) == [own])
      // Nobody awards themselves anything.
      var wish = Profile(level: .expert, badges: [.init(kind: .hundredSessions)])
      let changed = try await profiles.updateProfile(UpdateProfileRequest(profile: wish), .user(ada))
      wish.etag = changed.etag
      let refused = try await refusal {
        try await profiles.updateProfile(
          UpdateProfileRequest(profile: wish, updateMask: .init(paths: ["badges"])), .user(ada))
      }
      #expect(changed.badges == own && refused.fieldReasons == ["FIELD_IMMUTABLE"])

      _ = try await SafetyClient(identity.client).blockUser(BlockUserRequest(userID: grace.userID), .user(ada))
      let hidden = try await refusal { try await profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace)) }
      #expect(hidden.reason == "PERSON_NOT_FOUND")
    }
  }

  @Test("[C-9] with an account go its badges and all that they were counted from, and what is told of it later")
  func departure() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      func tellAll(_ first: Int) async throws {
        try await stage.trained([Self.session(first, [ada, grace])])
        try await stage.lent([Self.loan(first, of: ada, to: grace)])
        try await stage.moved([Self.activity(first, of: ada, metres: 100_000)])
      }
      try await tellAll(1)
      #expect(try await stage.badges(ada).count == 3)

      _ = try await stage.identity.accounts.deleteAccount(
        DeleteAccountRequest(password: Person.ada.password), .user(ada))
      try await tellAll(2)

      let owners = try await stage.setting.sql(
        "select distinct account_id from (\(Self.everything)) as t (w, account_id)")
      #expect(owners == [[grace.userID]])
      #expect(try await stage.badges(grace) == [.firstSession])
    }
  }
}
