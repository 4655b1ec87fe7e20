import Environment
import Events
import IdentityDomain
import IdentityHandlers
import IdentityStore
import Identifiers
import Logging
import Postgres

/// Awards badges for what matching, lending and the importer tell, and tells their holders ([ID-64]).
///
/// What is counted is kept by its own id, a badge by its user and kind, and both change in the transaction that moves the position in the
/// other's log. So it is counted once and awarded once, though an event is told again, the log is read anew, or another replica follows it too.
/// A badge stays, whatever becomes of what it was awarded for.
package struct BadgeAwards: Sendable {
  let notifier: Notifier
  private let clock: any WallClock
  private let logger: Logger

  private static let consumer = "badges"

  /// Tells by `notifier`.
  package init(notifier: Notifier, clock: any WallClock, logger: Logger) {
    self.notifier = notifier
    self.clock = clock
    self.logger = logger
  }

  /// A subscription to each producer.
  package var subscriptions: [EventSubscription] {
    [
      subscription(to: "matching", matchingHandlers), subscription(to: "lending", lendingHandlers),
      subscription(to: "importer", importerHandlers),
    ]
  }

  private func subscription(to producer: String, _ handlers: [EventHandler]) -> EventSubscription {
    EventSubscription(
      of: producer, name: Self.consumer, handlers: handlers, resync: { _ in { tx in try await goOn(producer, in: tx) } }
    )
  }

  /// What was missed is nowhere else, and counting what comes is more use to users than waiting for it.
  private func goOn(_ producer: String, in tx: Transaction) async throws {
    // The log may be another one now, whose positions are lower.
    if producer == "importer" { try await tx.execute(ForgetActivityPositions()) }
    tx.afterCommit { [logger] in
      logger.error(
        "what badges are awarded for was removed before it was counted; going on with the newest",
        metadata: ["service": "\(producer)"])
    }
  }

  /// It would never count, and must not hold up what comes behind it.
  func note<Message>(_ event: ReceivedEvent<Message>, _ what: String) {
    logger.error(
      "\(what) of which a service tells is nobody's or nothing, and is not counted for badges",
      metadata: ["key": "\(event.key)", "position": "\(event.position)"])
  }

  // MARK: Awarding

  /// Awards what the user does not have yet, and gives the news of it.
  func award(_ badges: [Badge], to user: UserID, in tx: Transaction) async throws -> [Notice] {
    guard !badges.isEmpty else { return [] }
    let new = try await tx.rows(AwardBadges(badges, to: user, now: clock.now))
    return badges.filter { new.contains($0.rawValue) }
      .map { Notice(.badgeAwarded($0), to: user, because: .badge($0), about: "badges/\($0.rawValue)") }
  }
}
