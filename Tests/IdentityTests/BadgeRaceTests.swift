import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

@Suite("badges, each exactly once", .timeLimit(.minutes(5)))
struct BadgeRaceTests {
  @Test("[ID-64] logs that are read again from the beginning award nothing twice, and nothing that was never earned")
  func again() async throws {
    try await BadgeStage.withServices { services in
      let logins = Gathered<LoginResponse>()
      try await BadgeStage.with(services) { stage in
        let ada = try await stage.identity.loggedIn()
        logins.add(ada)
        try await stage.trained((1...11).map { BadgeStage.session($0, [ada], at: Int64($0) * BadgeStage.day) })
        try await stage.lent((1...10).map { BadgeStage.loan($0, of: ada, to: ada) })
        try await services.importer.tell([TrackerImported(importID: someID(1), userID: ada.userID, provider: "polar")])
        // Never 100 km at once, although the log contains more.
        try await stage.moved([BadgeStage.activity(1, of: ada, metres: 60_000)])
        try await services.importer.tell([ActivityRemoved(activityID: someID(1), userID: ada.userID)])
        try await stage.moved([BadgeStage.activity(2, of: ada, metres: 60_000)])
        #expect(try await stage.badges(ada).count == 6)
      }
      let before = try await services.sql(BadgeStage.everything)
      // A server that has lost its position, and receives the events at another time.
      try await services.sql("delete from identity.event_cursors")
      services.clock.advance(by: .seconds(60))
      try await BadgeStage.with(services) { stage in
        for producer in ["matching", "lending", "importer"] { try await stage.caughtUp(with: producer) }
        let ada = try #require(logins.all.first)
        #expect(try await stage.badges(ada).count == 6)
      }

      #expect(try await services.sql(BadgeStage.everything) == before)
    }
  }

  @Test("[ID-64] two servers that follow while dozens tell at once award each badge once")
  func race() async throws {
    try await BadgeStage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      try await stage.services.withIdentity { _ in
        try await withThrowingTaskGroup { group in
          for number in 0..<48 {
            group.addTask {
              // Half of it is published twice.
              let session = BadgeStage.session(number / 2 * 2, [ada, grace], at: Int64(number / 2) * BadgeStage.day)
              try await stage.services.matching.tell([session])
              try await stage.services.lending.tell([BadgeStage.loan(number / 2, of: ada, to: grace)])
              try await stage.services.importer.tell([BadgeStage.activity(number, of: ada, metres: 10_000)])
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
      let ada = try #require(UserID(try await identity.loggedIn().userID))
      let awards = Gathered<String>()
      try await identity.database.opened(as: "identity") { database in
        try await withThrowingTaskGroup { group in
          for caller in 0..<36 {
            let kinds: [IdentityDomain.Badge] =
              caller % 2 == 0 ? [.firstSession, .firstBookLent] : [.firstBookLent, .firstSession]
            group.addTask {
              let awarded = try await database.repeatableTransaction { tx in
                try await tx.rows(AwardBadges(now: identity.clock.now, badges: kinds, userID: ada))
              }
              for kind in awarded { awards.add(kind) }
            }
          }
          try await group.waitForAll()
        }
      }

      #expect(awards.all.sorted() == ["FIRST_BOOK_LENT", "FIRST_SESSION"])
      #expect(try await identity.value("select count(*) from badges") == "2")
    }
  }

  @Test("[ID-64] where an importer's log begins anew, its next word on an activity counts")
  func logBeginsAnew() async throws {
    try await BadgeStage.withServices { services in
      let logins = Gathered<LoginResponse>()
      try await BadgeStage.with(services) { stage in
        let ada = try await stage.identity.loggedIn()
        logins.add(ada)
        try await stage.moved([BadgeStage.activity(1, of: ada, metres: 90_000)])
      }
      let ada = try #require(logins.all.first)
      try await services.sql(
        """
        update identity.badge_activities set transaction_id = '18000000000000000000';
        delete from importer.events;
        update importer.event_removals set transaction_id = pg_current_xact_id(), id = 1
        """)
      try await BadgeStage.with(services) { stage in
        _ = try await eventually("it goes on behind what was removed") {
          try await stage.identity.value(
            """
            select 1 from event_cursors c, importer.event_removals r
            where c.producer = 'importer' and c.consumer = 'identity.badges' and c.transaction_id >= r.transaction_id
            """)
        }
        try await stage.moved([BadgeStage.activity(1, of: ada, metres: 100_000)])
        #expect(try await stage.badges(ada) == [.hundredKilometres])
      }
    }
  }
}
