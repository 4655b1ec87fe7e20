import Identifiers
import TTRPC
import TandemEvents
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

@Suite("badges", .timeLimit(.minutes(5)))
struct BadgeTests {
  // MARK: What is awarded

  @Test("[ID-64] the first, 10, 50 and 100 sessions are awarded to both partners, with a notification each")
  func sessions() async throws {
    try await BadgeStage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      #expect(try await stage.badges(ada) == [])

      // All on one day: no streak.
      try await stage.trained((1...9).map { BadgeStage.session($0, [ada, grace]) })
      #expect(try await stage.badges(ada) == [.firstSession])
      stage.identity.clock.advance(by: .seconds(1))
      try await stage.trained((10...49).map { BadgeStage.session($0, [grace, ada]) })
      #expect(try await stage.badges(ada) == [.tenSessions, .firstSession])
      stage.identity.clock.advance(by: .seconds(1))
      try await stage.trained((50...99).map { BadgeStage.session($0, [ada, grace]) })
      stage.identity.clock.advance(by: .seconds(1))
      try await stage.trained([BadgeStage.session(100, [ada])])

      #expect(try await stage.badges(ada) == [.hundredSessions, .fiftySessions, .tenSessions, .firstSession])
      #expect(try await stage.badges(grace) == [.fiftySessions, .tenSessions, .firstSession])
      let titles = ["First session", "10 sessions", "50 sessions", "100 sessions"].map { "New badge: \($0)" }
      #expect(try await stage.told(ada) == titles)
      #expect(try await stage.told(grace) == Array(titles.prefix(3)))
    }
  }

  @Test("[ID-64] [MA-11] M-8: of sessions whose slots overlap one counts, for each user: 12 in six hours are six")
  func farm() async throws {
    try await BadgeStage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      // Each was finished after half of its hour, and the next one begun.
      let farmed = (1...12).map { BadgeStage.session($0, [ada, grace], at: Int64($0) * 1_800, lasting: 3_600) }
      try await stage.trained(farmed)
      #expect(try await stage.badges(ada) == [.firstSession])
      #expect(
        try await stage.identity.value("select count(*) from badge_sessions where account_id = '\(ada.userID)'") == "6")
      // What ends before it begins holds up nothing; a session that is told again does not count again.
      try await stage.trained([BadgeStage.session(13, [grace], at: 100_000, lasting: -60)] + farmed)
      // One behind the other they count.
      let honest = (20...22).map { BadgeStage.session($0, [ada], at: Int64($0) * 3_600, lasting: 3_600) }
      try await stage.trained(honest)
      #expect(try await stage.badges(ada) == [.firstSession])
      try await stage.trained([BadgeStage.session(23, [ada], at: 86_400, lasting: 900)])
      #expect(Set(try await stage.badges(ada)) == [.tenSessions, .firstSession])
      #expect(try await stage.badges(grace) == [.firstSession])
    }
  }

  @Test("[ID-64] a streak is seven days in a row where the gyms are, not in UTC, in whatever order they are told")
  func streak() async throws {
    try await BadgeStage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      let zone = "Asia/Tokyo"
      // At 14:00 UTC and at 16:00 UTC of one day it is two days in Tokyo: seven there, six in UTC.
      let hers =
        [14, 16].map { BadgeStage.session($0, [ada], at: Int64($0) * 3_600, in: zone) }
        + (1...5).map { BadgeStage.session(20 + $0, [ada], at: Int64($0) * BadgeStage.day + 16 * 3_600, in: zone) }
      // Six days in Tokyo, seven in UTC.
      let others =
        [BadgeStage.session(40, [grace], at: 16 * 3_600, in: zone)]
        + (1...6).map {
          BadgeStage.session(40 + $0, [grace], at: Int64($0) * BadgeStage.day + ($0 == 6 ? 4 : 16) * 3_600, in: zone)
        }

      try await stage.trained(Array(hers.reversed().dropLast()))
      #expect(try await stage.badges(ada) == [.firstSession])
      try await stage.trained(hers + others)

      #expect(Set(try await stage.badges(ada)) == [.firstSession, .sevenDayStreak])
      #expect(try await stage.badges(grace) == [.firstSession])
    }
  }

  @Test("[ID-64] a logged workout and an imported activity count for a streak like a session, each for its day")
  func mixedStreak() async throws {
    try await BadgeStage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      _ = try await stage.identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(timeZone: "Asia/Tokyo")), .user(ada))
      // At 16:00 UTC it is the next day in Tokyo, where ada lives; grace has chosen no zone. Days 1, 2 and 3 in Tokyo,
      // 0, 1 and 2 in UTC.
      for (number, user) in [ada, grace].enumerated() {
        try await stage.logged(
          (0...2).map { BadgeStage.workout(10 * number + $0, of: user, at: Int64($0) * BadgeStage.day + 16 * 3_600) })
        try await stage.moved([
          BadgeStage.activity(100 + number, of: user, metres: 0, at: 4 * BadgeStage.day),
          BadgeStage.activity(200 + number, of: user, metres: 0, at: 6 * BadgeStage.day),
          BadgeStage.activity(300 + number, of: user, metres: 0, at: 7 * BadgeStage.day),
        ])
      }
      let before = try await stage.badges(ada)
      try await stage.trained([BadgeStage.session(1, [ada, grace], at: 5 * BadgeStage.day)])

      #expect(before == [.firstWorkout])
      #expect(Set(try await stage.badges(ada)) == [.firstWorkout, .firstSession, .sevenDayStreak])
      #expect(Set(try await stage.badges(grace)) == [.firstWorkout, .firstSession])
    }
  }

  @Test("[ID-64] a streak is not missed where its last days come from three services at once")
  func streakOfThree() async throws {
    try await BadgeStage.with { stage in
      let ada = try await stage.identity.loggedIn()
      try await stage.trained((0...3).map { BadgeStage.session($0, [ada], at: Int64($0) * BadgeStage.day) })

      async let session: Void = stage.trained([BadgeStage.session(9, [ada], at: 4 * BadgeStage.day)])
      async let workout: Void = stage.logged([BadgeStage.workout(9, of: ada, at: 5 * BadgeStage.day)])
      async let activity: Void = stage.moved([BadgeStage.activity(9, of: ada, metres: 0, at: 6 * BadgeStage.day)])
      _ = try await (session, workout, activity)

      #expect(Set(try await stage.badges(ada)) == [.firstSession, .firstWorkout, .sevenDayStreak])
    }
  }

  @Test("[ID-64] the first workout and the 50th are awarded once; one that is told again or was deleted does not count")
  func workouts() async throws {
    try await BadgeStage.with { stage in
      let ada = try await stage.identity.loggedIn()
      let logs = (1...50).map { BadgeStage.workout($0, of: ada) }

      try await stage.logged(Array(logs.prefix(49)))
      try await stage.logged(Array(logs.prefix(3)))
      try await stage.services.catalog.tell([WorkoutLogDeleted(logID: someID(49), userID: ada.userID)])
      try await stage.logged([logs[48], logs[49]])
      let before = try await stage.badges(ada)
      stage.identity.clock.advance(by: .seconds(1))
      try await stage.logged([BadgeStage.workout(51, of: ada)])

      #expect(before == [.firstWorkout])
      #expect(try await stage.badges(ada) == [.fiftyWorkouts, .firstWorkout])
      #expect(try await stage.told(ada) == ["New badge: First workout", "New badge: 50 workouts"])
    }
  }

  @Test("[ID-64] the first book and the tenth different one that are handed over are awarded to their owner")
  func books() async throws {
    try await BadgeStage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))

      try await stage.lent([
        BadgeStage.loan(1, of: ada, to: grace, .requested), BadgeStage.loan(1, of: ada, to: grace, .accepted),
        BadgeStage.loan(1, of: ada, to: grace, .available),
      ])
      #expect(try await stage.badges(ada) == [])
      // The same book several times counts as one book.
      for _ in 0..<12 { try await stage.lent([BadgeStage.loan(1, of: ada, to: grace)]) }
      #expect(try await stage.badges(ada) == [.firstBookLent])
      try await stage.lent((2...9).map { BadgeStage.loan($0, of: ada, to: grace) })
      #expect(try await stage.badges(ada) == [.firstBookLent])
      try await stage.lent([BadgeStage.loan(10, of: ada, to: grace)])

      #expect(Set(try await stage.badges(ada)) == [.firstBookLent, .tenBooksLent])
      #expect(try await stage.badges(grace) == [])
      #expect(try await stage.told(ada) == ["New badge: First book lent", "New badge: 10 books lent"])
    }
  }

  @Test("[ID-64] the first import from a tracker is awarded, and no later one")
  func tracker() async throws {
    try await BadgeStage.with { stage in
      let ada = try await stage.identity.loggedIn()
      try await stage.services.importer.tell(
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
    try await BadgeStage.with { stage in
      let ada = try await stage.identity.loggedIn()
      // In UTC all of it is in January; in New York the first is in December.
      try await stage.moved([
        BadgeStage.activity(1, of: ada, metres: 60_000, at: 3_600, in: "America/New_York"),
        BadgeStage.activity(2, of: ada, metres: 39_999.999, at: BadgeStage.day, in: "America/New_York"),
      ])
      #expect(try await stage.badges(ada) == [])
      try await stage.moved([
        BadgeStage.activity(3, of: ada, metres: 60_000, at: 2 * BadgeStage.day, in: "America/New_York")
      ])
      #expect(try await stage.told(ada) == [])
      // The last report of an activity counts.
      try await stage.moved([
        BadgeStage.activity(3, of: ada, metres: 60_000.001, at: 2 * BadgeStage.day, in: "America/New_York")
      ])

      #expect(try await stage.badges(ada) == [.hundredKilometres])
      #expect(try await stage.told(ada) == ["New badge: 100 km in a month"])
    }
  }

  @Test("[ID-64] what was said last of an activity counts, and what was removed does not")
  func lastWord() async throws {
    try await BadgeStage.with { stage in
      let ada = try await stage.identity.loggedIn()
      try await stage.moved([
        BadgeStage.activity(1, of: ada, metres: 99_000), BadgeStage.activity(1, of: ada, metres: 50_000),
        BadgeStage.activity(2, of: ada, metres: 40_000), BadgeStage.activity(3, of: ada, metres: 5_000),
      ])
      try await stage.services.importer.tell([ActivityRemoved(activityID: someID(2), userID: ada.userID)])
      try await stage.moved([BadgeStage.activity(4, of: ada, metres: 40_000)])
      #expect(try await stage.badges(ada) == [])
      #expect(try await stage.identity.value("select sum(distance_mm) from badge_activities") == "95000000")
      // It moves to another month.
      try await stage.moved([BadgeStage.activity(1, of: ada, metres: 50_000, at: 40 * BadgeStage.day)])
      try await stage.moved([BadgeStage.activity(5, of: ada, metres: 50_000)])
      #expect(try await stage.badges(ada) == [])
      try await stage.moved([BadgeStage.activity(6, of: ada, metres: 5_000)])

      #expect(try await stage.badges(ada) == [.hundredKilometres])
    }
  }

  @Test("[ID-64] a badge stays when what it was awarded for is removed")
  func stays() async throws {
    try await BadgeStage.with { stage in
      let ada = try await stage.identity.loggedIn()
      try await stage.moved([BadgeStage.activity(1, of: ada, metres: 100_000)])
      try await stage.services.importer.tell([ActivityRemoved(activityID: someID(1), userID: ada.userID)])
      try await stage.moved([BadgeStage.activity(2, of: ada, metres: 100_000)])

      #expect(try await stage.badges(ada) == [.hundredKilometres])
      #expect(try await stage.told(ada).count == 1)
    }
  }

  // MARK: What does not count

  @Test("[ID-64] what names no user, or nothing known, is left out, and holds up nothing; an unknown zone is UTC")
  func leftOut() async throws {
    try await BadgeStage.with { stage in
      let ada = try await stage.identity.loggedIn()
      let nobody = LoginResponse(userID: someID(7))
      try await stage.trained([
        SessionSucceeded(sessionID: someID(1)), SessionSucceeded(sessionID: "one", userIds: [ada.userID]),
        SessionSucceeded(sessionID: someID(2), userIds: [ada.userID, "ada"]), BadgeStage.session(3, [nobody]),
      ])
      try await stage.lent([
        BookStatusChanged(bookID: someID(1), status: .borrowed),
        BookStatusChanged(bookID: "one", ownerID: ada.userID, status: .borrowed),
        BookStatusChanged(bookID: someID(1), ownerID: nobody.userID, status: .borrowed),
      ])
      try await stage.services.importer.tell([TrackerImported(importID: someID(1), userID: nobody.userID)])
      try await stage.services.importer.tell([TrackerImported(importID: someID(2), userID: "ada")])
      try await stage.services.importer.tell([ActivityRemoved(activityID: someID(1), userID: nobody.userID)])
      try await stage.services.catalog.tell([WorkoutLogDeleted(logID: someID(1), userID: nobody.userID)])
      try await stage.logged([
        WorkoutLogged(logID: "one", userID: ada.userID), WorkoutLogged(logID: someID(1), userID: "ada"),
        BadgeStage.workout(2, of: nobody),
      ])
      try await stage.moved([
        BadgeStage.activity(1, of: ada, metres: -1), BadgeStage.activity(2, of: ada, metres: .infinity),
        BadgeStage.activity(3, of: nobody, metres: 200_000), ActivityStored(activityID: someID(4), distanceM: 200_000),
        ActivityStored(activityID: someID(5), userID: ada.userID, distanceM: .nan),
      ])
      #expect(try await stage.services.sql(BadgeStage.everything) == [])

      try await stage.trained([BadgeStage.session(9, [ada], at: 23 * 3_600, in: "Mars/Olympus_Mons")])
      try await stage.moved([BadgeStage.activity(9, of: ada, metres: 1, in: "")])
      #expect(try await stage.identity.value("select day from badge_sessions") == "2026-01-01")
      #expect(try await stage.identity.value("select month from badge_activities") == "2026-01-01")
      #expect(try await stage.badges(ada) == [.firstSession])
    }
  }

  // MARK: Who sees them

  @Test("[ID-64] badges are listed in the profile, for whoever may see that")
  func inProfile() async throws {
    try await BadgeStage.with { stage in
      let (identity, profiles) = (stage.identity, stage.identity.profiles)
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await stage.trained([BadgeStage.session(1, [ada, grace])])
      identity.clock.advance(by: .seconds(1))
      try await stage.lent([BadgeStage.loan(1, of: ada, to: grace)])
      let created = try await profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))
      let seen = try await profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace))
      let found = try await profiles.searchProfiles(SearchProfilesRequest(prefix: "ada"), .user(grace))
      let own = try await BadgesClient(identity.client).listBadges(ListBadgesRequest(), .user(ada)).badges

      #expect(own.map(\.kind) == [.firstBookLent, .firstSession])
      #expect(created.badges == own && seen.badges == own && found.profiles.map(\.badges) == [own])
      // Users cannot award badges to themselves.
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
      #expect(hidden.reason == "USER_NOT_FOUND")
    }
  }

  @Test("[C-9] with an account go its badges and all that they were counted from, and what is told of it later")
  func departure() async throws {
    try await BadgeStage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      func tellAll(_ first: Int) async throws {
        try await stage.trained([BadgeStage.session(first, [ada, grace])])
        try await stage.lent([BadgeStage.loan(first, of: ada, to: grace)])
        try await stage.moved([BadgeStage.activity(first, of: ada, metres: 100_000)])
      }
      try await tellAll(1)
      #expect(try await stage.badges(ada).count == 3)

      _ = try await stage.identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.ada.password), .user(ada))
      try await tellAll(2)

      let owners = try await stage.services.sql(
        "select distinct account_id from (\(BadgeStage.everything)) as t (w, account_id)")
      #expect(owners == [[grace.userID]])
      #expect(try await stage.badges(grace) == [.firstSession])
    }
  }
}
