import GoogleProtobuf
import Identifiers
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

@Suite("news of other services", .timeLimit(.minutes(5)))
struct RequestedNoticeTests {
  /// Identity and a service that requests notifications.
  private struct Stage: Sendable {
    let services: FollowedServices
    let identity: RunningIdentity

    var producer: RunningService { services.lending }

    static func with(_ body: @escaping @Sendable (Stage) async throws -> Void) async throws {
      try await FollowedServices.with([LendingName.self]) { services in try await with(services, body) }
    }

    /// Runs `body` with a server of identity beside services that run already; it ends with it.
    static func with(
      _ services: FollowedServices, _ body: @escaping @Sendable (Stage) async throws -> Void
    ) async throws {
      try await services.withIdentity { try await body(Stage(services: services, identity: $0)) }
    }

    /// Waits until a user has so many notifications, and returns them, the oldest first.
    func told(
      _ login: LoginResponse, _ count: Int
    ) async throws -> [TandemNotification.Notification] {
      try await eventually("\(count) notifications are there") {
        let page = try await identity.notifications.listNotifications(
          ListNotificationsRequest(pageSize: 200), .user(login))
        return page.notifications.count >= count ? page.notifications.reversed() : nil
      }
    }
  }

  @Test("[ID-60] what a service asks for by an event is told once, though its log is read again from the beginning")
  func once() async throws {
    try await FollowedServices.with([LendingName.self]) { services in
      let logins = Gathered<(ada: LoginResponse, grace: LoginResponse)>()
      try await Stage.with(services) { stage in
        let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
        logins.add((ada, grace))
        try await Self.request(stage, of: [ada], by: grace)
        #expect(try await stage.told(ada, 1).map(\.body) == ["grace.h would like to borrow Dune from you."])
        // The service asks again, by another event.
        try await Self.request(stage, of: [ada, grace], by: grace)
        _ = try await stage.told(grace, 1)
      }
      // A server that has lost its position reads them all.
      try await services.sql("delete from identity.event_cursors")
      let (ada, _) = try #require(logins.all.first)
      try await Stage.with(services) { stage in
        try await stage.producer.tell(
          .loanDue(.init(title: "Dune")), to: [ada.userID], because: "loans/1/due", about: "books/1")
        let all = try await stage.told(ada, 2)

        #expect(all.map(\.kind) == [.bookRequested, .loanDue] && all.map(\.sequence) == [1, 2])
        #expect(all.map(\.subject) == ["books/1", "books/1"])
        #expect(try await stage.identity.value("select count(*) from notifications") == "3")
      }
    }
  }

  @Test("[LE-17] users whom one event concerns are each led to their own request")
  func subjectOfEach() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      try await stage.producer.tell(
        .requestDeclined(.init(title: "Dune")), to: [ada.userID, grace.userID], because: "books/1/held",
        about: "books/1", each: ["loans/1", "loans/2"])
      #expect(try await stage.told(ada, 1).map(\.subject) == ["loans/1"])
      #expect(try await stage.told(grace, 1).map(\.subject) == ["loans/2"])
    }
  }

  private static func request(_ stage: Stage, of users: [LoginResponse], by asking: LoginResponse) async throws {
    try await stage.producer.tell(
      .bookRequested(.init(title: "Dune", userID: asking.userID)), to: users.map(\.userID),
      because: "loans/1/requested", about: "books/1")
  }

  @Test("[ID-60] of two servers that follow, one tells each thing, to streams at both")
  func twoServers() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      let count = 30
      try await stage.services.withIdentity { other in
        async let streamed = Self.numbers(other, ada, upTo: Int64(count))
        try await withThrowingTaskGroup { group in
          for number in 0..<count {
            group.addTask {
              try await stage.producer.tell(
                .sosStarted(.init(memberID: grace.userID)), to: [grace.userID, ada.userID], because: "sos/\(number)")
            }
          }
          try await group.waitForAll()
        }
        let hers = try await stage.told(grace, count)
        let numbers = try await streamed

        #expect(numbers == (1...Int64(count)).map { $0 })
        #expect(hers.allSatisfy { $0.body == "grace.h triggered an SOS alert!" })
        #expect(try await stage.identity.value("select count(*) from notifications") == "\(2 * count)")
      }
    }
  }

  /// The numbers that a stream sends, from the first to the given one.
  private static func numbers(
    _ server: RunningIdentity, _ login: LoginResponse, upTo last: Int64
  ) async throws -> [Int64] {
    try await server.notifications.streamNotifications(StreamNotificationsRequest(after: 0), .user(login)) { stream in
      var numbers: [Int64] = []
      for try await message in stream {
        if let notification = message.notification { numbers.append(notification.sequence) }
        if message.position == last { break }
      }
      return numbers
    }
  }

  @Test("[ID-60] what names no user, or nothing that is known, is left out, and holds up nothing")
  func leftOut() async throws {
    try await Stage.with { stage in
      let ada = try await stage.identity.loggedIn()
      let book = NotificationRequested.BookNews(title: "Dune")
      try await stage.producer.tell(nil, to: [ada.userID], because: "nothing")
      try await stage.producer.tell(.loanDue(book), to: [], because: "nobody")
      try await stage.producer.tell(.loanDue(book), to: [ada.userID, "ada"], because: "somebody")
      try await stage.producer.tell(.bookRequested(book), to: [ada.userID], because: "by-nobody")
      try await stage.producer.tell(.sessionCancelled(.init(partnerID: ada.userID)), to: [ada.userID], because: "never")
      try await stage.producer.tell(.loanDue(book), to: [ada.userID], because: "with space")
      try await stage.producer.tell(
        .loanDue(book), to: ["019bc186-de00-7000-8080-000000000000"], because: "who-has-left")
      try await stage.producer.tell(.importEnded(.init(tracker: "Polar")), to: [ada.userID], because: "no-outcome")
      for (number, time) in Self.noMoments.enumerated() {
        try await stage.producer.tell(
          .checkInMissed(.init(barEndTime: time)), to: [ada.userID], because: "no-moment/\(number)")
      }
      try await stage.producer.tell(.loanOverdue(book), to: [ada.userID], because: "good")

      #expect(try await stage.told(ada, 1).map(\.kind) == [.loanOverdue])
      #expect(try await stage.identity.value("select count(*) from notifications") == "1")
    }
  }

  /// Invalid values of a timestamp.
  private static let noMoments: [GoogleProtobuf.Timestamp] = [
    .init(seconds: -62_135_596_801), .init(seconds: 253_402_300_800), .init(seconds: .max), .init(seconds: .min),
    .init(seconds: 0, nanos: -1), .init(seconds: 0, nanos: 1_000_000_000), .init(seconds: 0, nanos: .min),
  ]

  @Test("[ID-60] who is named twice is told once")
  func namedTwice() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      let recipients = [ada.userID, grace.userID, ada.userID, ada.userID.uppercased()]
      try await stage.producer.tell(.loanDue(.init(title: "Dune")), to: recipients, because: "loans/1/due")

      #expect(try await stage.told(ada, 1).map(\.kind) == [.loanDue])
      #expect(try await stage.told(grace, 1).map(\.kind) == [.loanDue])
      #expect(try await stage.identity.value("select count(*) from notifications") == "2")
    }
  }

  @Test("[ID-60] where events were removed before they were told, what is asked for after that is told")
  func eventsGone() async throws {
    try await FollowedServices.with([LendingName.self]) { services in
      let logins = Gathered<LoginResponse>()
      try await Stage.with(services) { stage in
        let ada = try await stage.identity.loggedIn()
        logins.add(ada)
        try await stage.producer.tell(.loanDue(.init(title: "Dune")), to: [ada.userID], because: "loans/1/due")
        _ = try await stage.told(ada, 1)
      }
      let ada = try #require(logins.all.first)
      try await services.lending.tell(.loanDue(.init(title: "Emma")), to: [ada.userID], because: "loans/2/due")
      try await services.sql(
        "delete from lending.events; update lending.event_removals set transaction_id = pg_current_xact_id(), id = 1")
      try await Stage.with(services) { stage in
        _ = try await eventually("it goes on behind what was removed") {
          try await stage.identity.value(
            """
            select 1 from event_cursors c, lending.event_removals r
            where c.consumer = 'identity.notices' and c.transaction_id >= r.transaction_id
            """)
        }
        try await stage.producer.tell(.loanOverdue(.init(title: "Dune")), to: [ada.userID], because: "loans/1/overdue")
        #expect(try await stage.told(ada, 2).map(\.kind) == [.loanDue, .loanOverdue])
      }
    }
  }

  @Test("[MA-10] a moment is told in the reader's zone")
  func zones() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      var profile = Profile.complete
      profile.timeZone = "Asia/Kolkata"
      _ = try await stage.identity.profiles.createProfile(CreateProfileRequest(profile: profile), .user(ada))
      let end = stage.identity.clock.now.wholeSeconds + 6 * 3_600

      try await stage.producer.tell(
        .checkInMissed(.init(barEndTime: .init(seconds: end))), to: [ada.userID, grace.userID], because: "bars/1")

      let words = "You did not check in for your session, so you cannot post or join sessions until "
      #expect(try await stage.told(ada, 1).map(\.body) == [words + "15 Jan 2026, 23:30."])
      #expect(try await stage.told(grace, 1).map(\.body) == [words + "15 Jan 2026, 18:00."])
    }
  }

  @Test("[ID-60] every kind of news has its words")
  func kinds() async throws {
    try await Stage.with { stage in
      let (ada, grace) = (try await stage.identity.loggedIn(), try await stage.identity.loggedIn(.grace))
      let meeting = NotificationRequested.Meeting(partnerID: grace.userID, gym: "the Iron Temple")
      let book = NotificationRequested.BookNews(title: "Dune", userID: grace.userID)
      let member = NotificationRequested.MemberNews(memberID: grace.userID)
      let time = stage.identity.clock.now.timestampOfTests
      let session = NotificationRequested.SessionNews(startTime: time, gym: "the Iron Temple")
      let match = NotificationRequested.MatchNews(partnerID: grace.userID, startTime: time, gym: "the Iron Temple")
      let all: [(NotificationRequested.News, TandemNotification.NotificationKind)] = [
        (.sessionCancelled(.init(partnerID: grace.userID, startTime: time)), .sessionCancelled),
        (.partnerCheckedIn(meeting), .partnerCheckedIn), (.sessionStarted(meeting), .sessionStarted),
        (.checkInMissed(.init(barEndTime: time)), .checkInMissed), (.sessionReminder(meeting), .sessionReminder),
        (.bookRequested(book), .bookRequested), (.requestDeclined(book), .requestDeclined),
        (.requestAccepted(book), .requestAccepted), (.loanDue(book), .loanDue), (.loanOverdue(book), .loanOverdue),
        (.loanRecalled(book), .loanRecalled), (.sosStarted(member), .sosStarted), (.sosStopped(member), .sosStopped),
        (.journeyStarted(member), .journeyStarted), (.journeyEnded(member), .journeyEnded),
        (.arrivedOnTime(member), .arrivedOnTime), (.arrivedLate(member), .arrivedLate),
        (.standingStill(member), .standingStill), (.notArrived(member), .notArrived),
        (.wentOffline(member), .wentOffline), (.sosWentOffline(member), .sosWentOffline),
        (.chatMessage(.init(senderID: grace.userID, conversation: "Readers")), .chatMessage),
        (.importEnded(.init(tracker: "Polar", outcome: "12 activities were imported.")), .importEnded),
        (.loanCancelled(book), .loanCancelled), (.pickupChanged(book), .pickupChanged),
        (.placeOffered(session), .placeOffered), (.sessionFound(session), .sessionFound),
        (.sessionNotRepeated(session), .sessionNotRepeated),
        (.sessionMatched(match), .sessionMatched), (.partnerMissed(match), .partnerMissed),
        (.sessionSoon(match), .sessionReminder), (.sessionLapsed(session), .sessionLapsed),
        (.sessionExcused(session), .sessionExcused), (.sessionEnded(session), .sessionEnded),
        (.placeWithdrawn(session), .placeWithdrawn),
        (.placeReached(.init(memberID: grace.userID, place: "Home")), .placeReached),
        (.placeLeft(.init(memberID: grace.userID, place: "Home")), .placeLeft),
        (.pickupNamed(book), .pickupNamed), (.returnConfirmed(book), .returnConfirmed),
        (.loanLastCall(book), .loanLastCall), (.loanDeclaredLost(book), .loanDeclaredLost),
        (.loanDeclaredReturned(book), .loanDeclaredReturned),
      ]
      for (number, one) in all.enumerated() {
        try await stage.producer.tell(one.0, to: [ada.userID], because: "\(number)", about: "everything")
      }

      let told = try await stage.told(ada, all.count)

      #expect(told.map(\.kind) == all.map(\.1))
      let body = Dictionary(told.map { ($0.kind, $0.body) }) { first, _ in first }
      #expect(
        body[.sessionCancelled] == "grace.h cancelled your session of 15 Jan 2026, 12:00. It is open for others again.")
      #expect(body[.sessionStarted] == "You and grace.h have both checked in at the Iron Temple. Have fun!")
      #expect(body[.chatMessage] == "grace.h wrote to you in Readers.")
      #expect(body[.importEnded] == "12 activities were imported.")
      #expect(
        body[.placeOffered]
          == "The session of 15 Jan 2026, 12:00 at the Iron Temple is yours if you join it within 15 minutes.")
      #expect(body[.loanCancelled] == "grace.h cancelled the loan of Dune. It is not handed over.")
    }
  }
}

extension Instant {
  /// The moment as the contract carries it.
  fileprivate var timestampOfTests: GoogleProtobuf.Timestamp { .init(seconds: wholeSeconds) }
}
