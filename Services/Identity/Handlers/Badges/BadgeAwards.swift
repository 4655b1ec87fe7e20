import Ambient
import Events
import IdentityDomain
import IdentityStore
import Identifiers
import Logging
import Postgres
import TandemEvents
import Timestamps

/// Awards badges for what matching, lending and the importer tell, and tells their holders ([ID-64]).
///
/// What is counted is kept by its own id, a badge by its person and kind, and both change in the transaction that moves the position in the
/// other's log. So it is counted once and awarded once, though an event is told again, the log is read anew, or another replica follows it too.
/// A badge stays, whatever becomes of what it was awarded for.
package struct BadgeAwards: Sendable {
  private let notifier: Notifier
  private let clock: any WallClock
  private let logger: Logger

  private static let consumer = "badges"

  /// Tells by `notifier`.
  package init(notifier: Notifier, clock: any WallClock, logger: Logger) {
    self.notifier = notifier
    self.clock = clock
    self.logger = logger
  }

  /// What is done about each service's events.
  package var plans: [ConsumerPlan] {
    [
      plan(of: "matching", [EventEffect(of: SessionSucceeded.self) { event, tx in try await count(event, in: tx) }]),
      plan(of: "lending", [EventEffect(of: BookStatusChanged.self) { event, tx in try await count(event, in: tx) }]),
      plan(
        of: "importer",
        [
          EventEffect(of: TrackerImported.self) { event, tx in try await count(event, in: tx) },
          EventEffect(of: ActivityStored.self) { event, tx in try await count(event, in: tx) },
          EventEffect(of: ActivityRemoved.self) { event, tx in try await remove(event, in: tx) },
        ]),
    ]
  }

  private func plan(of producer: String, _ effects: [EventEffect]) -> ConsumerPlan {
    ConsumerPlan(
      of: producer, name: Self.consumer, effects: effects, rebuild: { _ in { tx in try await goOn(producer, in: tx) } })
  }

  /// What was missed is nowhere else, and counting what comes is more use to people than waiting for it.
  private func goOn(_ producer: String, in tx: Transaction) async throws {
    // The log may be another one now, whose positions are lower.
    if producer == "importer" { try await tx.execute(ForgetActivityPositions()) }
    tx.afterCommit { [logger] in
      logger.error(
        "what badges are awarded for was removed before it was counted; going on with the newest",
        metadata: ["service": "\(producer)"])
    }
  }

  // MARK: What counts

  /// A successful session counts for both, on the day on which it started where the gym is.
  private func count(_ event: ReceivedEvent<SessionSucceeded>, in tx: Transaction) async throws {
    guard let session = try ToldSession(event) else { return note(event, "a session") }
    var notices: [Notice] = []
    let noted = NoteSession(session.id, of: session.people, at: session.start, in: event.message.timeZone)
    for one in try await tx.rows(noted) {
      let window = Badge.streakWindow(around: one.day)
      guard let tally = try await tx.first(SessionTally(of: one.accountID, within: window)) else { continue }
      notices += try await award(Badge.earned(sessions: tally.sessions, on: tally.days), to: one.accountID, in: tx)
    }
    try await notifier.notify(notices, in: tx)
  }

  /// A book counts for its owner when a borrower has it, and once.
  private func count(_ event: ReceivedEvent<BookStatusChanged>, in tx: Transaction) async throws {
    guard event.message.status == .borrowed else { return }
    guard let book = UUID7(event.message.bookID), let owner = AccountID(event.message.ownerID) else {
      return note(event, "a loan")
    }
    guard try await tx.first(NoteLentBook(book, of: owner)) != nil else { return }
    let books = try await tx.first(LentBooks(of: owner)) ?? 0
    try await notifier.notify(try await award(Badge.earned(books: books), to: owner, in: tx), in: tx)
  }

  /// Any import that ended well counts, that of a tracker's file too.
  private func count(_ event: ReceivedEvent<TrackerImported>, in tx: Transaction) async throws {
    guard let person = AccountID(event.message.userID) else { return note(event, "an import") }
    try await notifier.notify(try await award([.firstTracker], to: person, in: tx), in: tx)
  }

  /// An activity counts in the month in which it started where it started, as far as the last word on it says.
  private func count(_ event: ReceivedEvent<ActivityStored>, in tx: Transaction) async throws {
    guard let activity = try ToldActivity(event) else { return note(event, "an activity") }
    let noted = NoteActivity(
      activity.id, of: activity.person, at: activity.start, in: event.message.timeZone, activity.distance,
      toldAt: event.position)
    guard let month = try await tx.first(noted) else { return }
    let sum = try await tx.first(DistanceInMonth(month, of: activity.person)) ?? .zero
    try await notifier.notify(try await award(Badge.earned(inOneMonth: sum), to: activity.person, in: tx), in: tx)
  }

  private func remove(_ event: ReceivedEvent<ActivityRemoved>, in tx: Transaction) async throws {
    guard let id = UUID7(event.message.activityID), let person = AccountID(event.message.userID) else {
      return note(event, "a removed activity")
    }
    try await tx.execute(NoteActivityRemoved(id, of: person, toldAt: event.position))
  }

  /// It would never count, and must not hold up what comes behind it.
  private func note<Message>(_ event: ReceivedEvent<Message>, _ what: String) {
    logger.error(
      "\(what) of which a service tells is nobody's or nothing, and is not counted for badges",
      metadata: ["key": "\(event.key)", "position": "\(event.position)"])
  }

  // MARK: Awarding

  /// Awards what the person does not have yet, and gives the news of it.
  private func award(_ badges: [Badge], to person: AccountID, in tx: Transaction) async throws -> [Notice] {
    guard !badges.isEmpty else { return [] }
    let new = try await tx.rows(AwardBadges(badges, to: person, now: clock.now))
    return badges.filter { new.contains($0.rawValue) }
      .map { Notice(.badgeAwarded($0), to: person, because: .badge($0), about: "badges/\($0.rawValue)") }
  }
}

/// A successful training session, as matching tells of it.
package struct ToldSession: Sendable {
  let id: UUID7
  /// In order, each once.
  let people: [AccountID]
  let start: Instant

  /// `nil` when it is nobody's or nothing.
  ///
  /// - Throws: when its time is none.
  package init?(_ event: ReceivedEvent<SessionSucceeded>) throws {
    let session = event.message
    let people = Set(session.userIds.compactMap { AccountID($0) })
    guard let id = UUID7(session.sessionID), people.count == Set(session.userIds).count else { return nil }
    (self.id, self.people) = (id, people.sorted())
    start = try session.startTime.map { try Instant(told: $0) } ?? event.occurredAt
  }
}

/// An activity, as the importer tells of it.
package struct ToldActivity: Sendable {
  let id: UUID7
  let person: AccountID
  let start: Instant
  let distance: Distance

  /// `nil` when it is nobody's or nothing.
  ///
  /// - Throws: when its time is none.
  package init?(_ event: ReceivedEvent<ActivityStored>) throws {
    let activity = event.message
    guard let id = UUID7(activity.activityID), let person = AccountID(activity.userID),
      let distance = Distance(metres: activity.distanceM)
    else { return nil }
    (self.id, self.person, self.distance) = (id, person, distance)
    start = try activity.startTime.map { try Instant(told: $0) } ?? event.occurredAt
  }
}
