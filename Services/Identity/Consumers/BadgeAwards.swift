import Environment
import Events
import IdentityDomain
import IdentityOperations
import IdentityStore
import Identifiers
import Logging
import Postgres

/// Awards badges from the events of matching, the catalog, lending and the importer, and notifies their owners ([ID-64]).
///
/// Counted things are stored by their own id and badges by user and kind. Both change in the transaction that moves the
/// position in the producer's log, so nothing is counted or awarded twice, even if an event is delivered again, the log
/// is read from the start, or another replica follows it too. An awarded badge is never taken back.
package struct BadgeAwards: Sendable {
  let notifier: Notifier
  private let clock: any WallClock
  private let logger: Logger

  private static let consumer = "badges"

  package init(notifier: Notifier, clock: any WallClock, logger: Logger) {
    self.notifier = notifier
    self.clock = clock
    self.logger = logger
  }

  /// One subscription for each producer.
  package var subscriptions: [EventSubscription] {
    [
      subscription(to: "matching", matchingHandlers), subscription(to: "lending", lendingHandlers),
      subscription(to: "importer", importerHandlers), subscription(to: "catalog", catalogHandlers),
    ]
  }

  private func subscription(to producer: String, _ handlers: [EventHandler]) -> EventSubscription {
    EventSubscription(
      of: producer, name: Self.consumer, handlers: handlers, resync: { _ in { tx in try await goOn(producer, in: tx) } }
    )
  }

  /// Missed events cannot be recovered, so counting continues with the next one instead of waiting.
  private func goOn(_ producer: String, in tx: Transaction) async throws {
    // The log may have been replaced by one with lower positions.
    if producer == "importer" { try await tx.execute(ForgetActivityPositions()) }
    tx.afterCommit { [logger] in
      logger.error(
        "what badges are awarded for was removed before it was counted; going on with the newest",
        metadata: ["service": "\(producer)"])
    }
  }

  /// Logs an event that can never count; it must not hold up the events after it.
  func note<Message>(_ event: ReceivedEvent<Message>, _ what: String) {
    logger.error(
      "\(what) names no user, or nothing that is known, and is not counted for badges",
      metadata: ["key": "\(event.key)", "position": "\(event.position)"])
  }

  // MARK: Awarding

  /// Locks users before what they did is counted: their streaks are counted from several services' events, and of two
  /// transactions that each add a day the later one must see both.
  func lock(_ users: some Sequence<UserID>, in tx: Transaction) async throws {
    try await tx.rows(LockUsers(userIDs: Set(users).sorted()))
  }

  /// The badges that users have earned by training on days of which the given ones are new.
  func streaks(with days: [(user: UserID, day: CivilDate)], in tx: Transaction) async throws -> [UserID: Set<Badge>] {
    guard !days.isEmpty else { return [:] }
    let found = try await tx.rows(
      TrainingDays(userIDs: days.map(\.user), days: days.map(\.day), reach: Int32(Badge.streakReach)))
    return Dictionary(grouping: found, by: \.userID).mapValues { Set(Badge.earned(trainingOn: $0.map(\.day))) }
  }

  /// Awards the badges that users do not have yet, and notifies the users of them.
  func award(_ badges: [UserID: Set<Badge>], in tx: Transaction) async throws {
    // In the order of the ids, so that two transactions that award badges to the same users do not deadlock.
    let users = badges.filter { !$1.isEmpty }.keys.sorted()
    let awarded = try await tx.rows(
      each: users.map { AwardBadges(now: clock.now, badges: Array(badges[$0, default: []]), userID: $0) })
    let notices = zip(users, awarded).flatMap { user, kinds in
      Badge.allCases.filter { kinds.contains($0.rawValue) }
        .map { Notice(.badgeAwarded($0), to: user, because: .badge($0), about: "badges/\($0.rawValue)") }
    }
    try await notifier.notify(notices, in: tx)
  }
}
