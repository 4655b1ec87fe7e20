import Events
import IdentityDomain
import IdentityHandlers
import IdentityStore
import Identifiers
import Logging
import Postgres
import TandemEvents
import Timestamps

/// Tells users what the other services ask for by their events ([ID-60]).
///
/// The notices are stored in the transaction that moves the position in the other's log, and each user has one at most for a service and its
/// key: neither a crash nor a log that is read again tells anybody twice.
package struct RequestedNotices: Sendable {
  private let notifier: Notifier
  private let logger: Logger

  /// Whoever has something to tell, but identity itself, which tells at once.
  private static let producers = ["matching", "catalog", "lending", "tracking", "importer"]
  /// Tells by `notifier`.
  package init(notifier: Notifier, logger: Logger) {
    self.notifier = notifier
    self.logger = logger
  }

  /// A subscription to each producer.
  package var subscriptions: [EventSubscription] {
    Self.producers.map { producer in
      EventSubscription(
        of: producer, name: "notices",
        handlers: [
          EventHandler(of: NotificationRequested.self) { event, tx in
            try await tell(event.message, of: producer, in: tx)
          }
        ],
        resync: { _ in { tx in noteLoss(of: producer, in: tx) } })
    }
  }

  /// What was to be told is nowhere else: the next notices are more use to users than waiting for those.
  private func noteLoss(of producer: String, in tx: Transaction) {
    tx.afterCommit { [logger] in
      logger.error(
        "notifications that a service asked for were removed before they were told; going on with the newest",
        metadata: ["service": "\(producer)"])
    }
  }

  private func tell(_ request: NotificationRequested, of producer: String, in tx: Transaction) async throws {
    guard let told = RequestedNotice(request, of: producer) else {
      // It would never be told, and must not hold up what comes behind it.
      logger.error(
        "a notification that a service asks for names nobody or nothing, and is left out",
        metadata: ["service": "\(producer)", "key": "\(request.notificationKey)"])
      return
    }
    let facts = NoticeFacts(for: told.recipients, about: told.news.user, at: told.news.moment)
    let notices = try await tx.rows(facts).map { reader in
      Notice(
        told.news.told(reader.name, reader.time), to: reader.userID, because: told.source, about: request.subject)
    }
    try await notifier.notify(notices, in: tx)
  }
}

/// A request of a service's, once it is known to make sense.
package struct RequestedNotice: Sendable {
  let source: SourceKey
  /// In order, each once.
  let recipients: [UserID]
  let news: RequestedNews

  /// Recipients of one event: each inbox is locked until the end of the transaction.
  private static let maxRecipients = 500

  /// `nil` when it names nobody or nothing, or too many.
  package init?(_ request: NotificationRequested, of producer: String) {
    let named = request.recipientIds.map { UserID($0) }
    // Who is named twice is told once.
    let recipients = Set(named.compactMap { $0 })
    guard let source = SourceKey("\(producer)/\(request.notificationKey)"), !request.notificationKey.isEmpty,
      let news = request.news.flatMap({ RequestedNews($0) }), !recipients.isEmpty,
      !named.contains(nil), recipients.count <= Self.maxRecipients
    else { return nil }
    (self.source, self.recipients, self.news) = (source, recipients.sorted(), news)
  }
}

/// What a service asks to be told, before it is known what the user is called whom it names and what time it is for the reader.
struct RequestedNews: Sendable {
  /// Whom it names.
  let user: UserID?
  /// When something was or will be.
  let moment: Instant?
  /// The news for a reader, given the user's name and the moment in words.
  let told: @Sendable (_ name: String, _ time: String) -> News

  /// `nil` when it names nobody where it must, or no time, or says nothing.
  init?(_ wire: NotificationRequested.News) {
    switch wire {
    case .sessionCancelled(let session):
      guard let start = session.startTime.flatMap({ Instant(valid: $0) }) else { return nil }
      self.init(session.partnerID, start) { .sessionCancelled(partner: $0, start: $1) }
    case .checkInMissed(let missed):
      guard let end = missed.barEndTime.flatMap({ Instant(valid: $0) }) else { return nil }
      self.init(user: nil, moment: end) { .checkInMissed(end: $1) }
    case .partnerCheckedIn(let it): self.init(it.partnerID) { .partnerCheckedIn(partner: $0, gym: it.gym) }
    case .sessionStarted(let it): self.init(it.partnerID) { .sessionStarted(partner: $0, gym: it.gym) }
    case .sessionReminder(let it): self.init(it.partnerID) { .sessionReminder(partner: $0, gym: it.gym) }
    case .bookRequested(let book): self.init(book.userID) { .bookRequested(title: book.title, by: $0) }
    case .requestAccepted(let book): self.init(book.userID) { .requestAccepted(title: book.title, owner: $0) }
    case .loanRecalled(let book): self.init(book.userID) { .loanRecalled(title: book.title, owner: $0) }
    case .loanCancelled(let book): self.init(book.userID) { .loanCancelled(title: book.title, by: $0) }
    case .requestDeclined(let book): self.init { _, _ in .requestDeclined(title: book.title) }
    case .loanDue(let book): self.init { _, _ in .loanDue(title: book.title) }
    case .loanOverdue(let book): self.init { _, _ in .loanOverdue(title: book.title) }
    case .sosStarted(let it): self.init(it.memberID) { .sosStarted(name: $0) }
    case .sosStopped(let it): self.init(it.memberID) { .sosStopped(name: $0) }
    case .journeyStarted(let it): self.init(it.memberID) { .journeyStarted(name: $0) }
    case .journeyEnded(let it): self.init(it.memberID) { .journeyEnded(name: $0) }
    case .arrivedOnTime(let it): self.init(it.memberID) { .arrivedOnTime(name: $0) }
    case .arrivedLate(let it): self.init(it.memberID) { .arrivedLate(name: $0) }
    case .standingStill(let it): self.init(it.memberID) { .standingStill(name: $0) }
    case .notArrived(let it): self.init(it.memberID) { .notArrived(name: $0) }
    case .wentOffline(let it): self.init(it.memberID) { .wentOffline(name: $0) }
    case .chatMessage(let chat): self.init(chat.senderID) { .chatMessage(sender: $0, conversation: chat.conversation) }
    case .importEnded(let it):
      guard !it.outcome.isEmpty else { return nil }
      self.init { _, _ in .importEnded(tracker: it.tracker, outcome: it.outcome) }
    }
  }

  private init(
    user: UserID? = nil, moment: Instant? = nil, _ told: @escaping @Sendable (String, String) -> News
  ) {
    (self.user, self.moment, self.told) = (user, moment, told)
  }

  private init?(_ user: String, _ moment: Instant, _ told: @escaping @Sendable (String, String) -> News) {
    guard let user = UserID(user) else { return nil }
    self.init(user: user, moment: moment, told)
  }

  private init?(_ user: String, _ told: @escaping @Sendable (String) -> News) {
    guard let user = UserID(user) else { return nil }
    self.init(user: user) { name, _ in told(name) }
  }
}
