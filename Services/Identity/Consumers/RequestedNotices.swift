import Events
import IdentityDomain
import IdentityOperations
import IdentityStore
import Identifiers
import Logging
import Postgres
import TandemEvents
import Timestamps

/// Sends the notifications that other services request by their events ([ID-60]).
///
/// Notices are stored in the transaction that moves the position in the producer's log, and a user has at most one for
/// a service and its key. So neither a crash nor a log that is read again notifies a user twice.
package struct RequestedNotices: Sendable {
  private let notifier: Notifier
  private let logger: Logger

  /// The services that request notifications. Identity is not one of them: it notifies directly.
  private static let producers = ["matching", "catalog", "lending", "tracking", "importer"]
  package init(notifier: Notifier, logger: Logger) {
    self.notifier = notifier
    self.logger = logger
  }

  /// One subscription for each producer.
  package var subscriptions: [EventSubscription] {
    Self.producers.map { producer in
      EventSubscription(
        of: producer, name: "notices",
        handlers: [
          EventHandler(batchesOf: NotificationRequested.self) { events, tx in
            try await tell(events.map(\.message), of: producer, in: tx)
          }
        ],
        resync: { _ in { tx in noteLoss(of: producer, in: tx) } })
    }
  }

  /// Missed requests cannot be recovered; the service continues with the next ones.
  private func noteLoss(of producer: String, in tx: Transaction) {
    tx.afterCommit { [logger] in
      logger.error(
        "notifications that a service asked for were removed before they were told; going on with the newest",
        metadata: ["service": "\(producer)"])
    }
  }

  private func tell(_ requests: [NotificationRequested], of producer: String, in tx: Transaction) async throws {
    let valid = requests.compactMap { request -> RequestedNotice? in
      if let notice = RequestedNotice(request, of: producer) { return notice }
      // Such a request can never be sent, and must not hold up the events after it.
      logger.error(
        "a notification that a service asks for names no user, or nothing that is known, and is left out",
        metadata: ["service": "\(producer)", "key": "\(request.notificationKey)"])
      return nil
    }
    let readers = try await tx.rows(
      each: valid.map { notice in ReaderTimes(moment: notice.news.moment, readerIDs: notice.recipients) })
    let notices = zip(valid, readers).flatMap { notice, readers in
      readers.map { reader in
        Notice(
          notice.news.text(reader.time), to: reader.userID, because: notice.source,
          about: notice.subjects[reader.userID] ?? notice.subject)
      }
    }
    try await notifier.notify(notices, in: tx)
  }
}

/// A valid request of a service.
package struct RequestedNotice: Sendable {
  let source: SourceKey
  /// Sorted, without duplicates.
  let recipients: [UserID]
  let news: RequestedNews
  /// What it is about, for recipients without a subject of their own.
  let subject: String
  /// The subjects of recipients who have their own.
  let subjects: [UserID: String]

  /// Recipients of one event; limited because each inbox is locked until the end of the transaction.
  private static let maxRecipients = 500

  /// `nil` when a recipient, the key or the content is missing or invalid, or there are too many recipients.
  package init?(_ request: NotificationRequested, of producer: String) {
    let named = request.recipientIds.map { UserID($0) }
    // A recipient that is named twice is notified once.
    let recipients = Set(named.compactMap { $0 })
    guard let source = SourceKey("\(producer)/\(request.notificationKey)"), !request.notificationKey.isEmpty,
      let news = request.news.flatMap({ RequestedNews($0) }), !recipients.isEmpty,
      !named.contains(nil), recipients.count <= Self.maxRecipients,
      request.recipientSubjects.isEmpty || request.recipientSubjects.count == named.count
    else { return nil }
    (self.source, self.recipients, self.news) = (source, recipients.sorted(), news)
    subject = request.subject
    let own = zip(named, request.recipientSubjects).compactMap { user, subject in user.map { ($0, subject) } }
    subjects = Dictionary(own) { first, _ in first }
  }
}

/// The content of a request, before the time in the reader's zone is known.
struct RequestedNews: Sendable {
  /// The time that the text names, if any.
  let moment: Instant?
  /// Builds the text for a reader from the formatted time.
  let text: @Sendable (_ time: String) -> News

  /// `nil` when a required user, time or text is missing or invalid.
  init?(_ wire: NotificationRequested.News) {
    switch wire {
    case .sessionCancelled(let session):
      guard let partner = UserID(session.partnerID), let start = session.startTime.flatMap({ Instant(valid: $0) })
      else { return nil }
      self.init(moment: start) { .sessionCancelled(partner: partner, start: $0) }
    case .checkInMissed(let missed):
      guard let end = missed.barEndTime.flatMap({ Instant(valid: $0) }) else { return nil }
      self.init(moment: end) { .checkInMissed(end: $0) }
    case .partnerCheckedIn(let it): self.init(it.partnerID) { .partnerCheckedIn(partner: $0, gym: it.gym) }
    case .sessionStarted(let it): self.init(it.partnerID) { .sessionStarted(partner: $0, gym: it.gym) }
    case .sessionReminder(let it): self.init(it.partnerID) { .sessionReminder(partner: $0, gym: it.gym) }
    case .placeOffered(let it): self.init(it) { .placeOffered(start: $0, gym: it.gym) }
    case .sessionFound(let it): self.init(it) { .sessionFound(start: $0, gym: it.gym) }
    case .sessionNotRepeated(let it): self.init(it) { .sessionNotRepeated(start: $0, gym: it.gym) }
    case .sessionMatched(let it): self.init(it) { .sessionMatched(partner: $0, start: $1, gym: it.gym) }
    case .partnerMissed(let it): self.init(it) { .partnerMissed(partner: $0, start: $1, gym: it.gym) }
    case .sessionSoon(let it): self.init(it) { .sessionSoon(partner: $0, start: $1, gym: it.gym) }
    case .sessionLapsed(let it): self.init(it) { .sessionLapsed(start: $0, gym: it.gym) }
    case .sessionExcused(let it): self.init(it) { .sessionExcused(start: $0, gym: it.gym) }
    case .sessionEnded(let it): self.init(it) { .sessionEnded(start: $0, gym: it.gym) }
    case .placeWithdrawn(let it): self.init(it) { .placeWithdrawn(start: $0, gym: it.gym) }
    case .bookRequested(let book): self.init(book.userID) { .bookRequested(title: book.title, by: $0) }
    case .requestAccepted(let book): self.init(book.userID) { .requestAccepted(title: book.title, owner: $0) }
    case .loanRecalled(let book): self.init(book.userID) { .loanRecalled(title: book.title, owner: $0) }
    case .pickupChanged(let book): self.init(book.userID) { .pickupChanged(title: book.title, owner: $0) }
    case .pickupNamed(let book): self.init(book.userID) { .pickupNamed(title: book.title, owner: $0) }
    case .returnConfirmed(let book): self.init(book.userID) { .returnConfirmed(title: book.title, by: $0) }
    case .loanLastCall(let book): self.init(book.userID) { .loanLastCall(title: book.title, owner: $0) }
    case .loanDeclaredLost(let book): self.init(book.userID) { .loanDeclaredLost(title: book.title, owner: $0) }
    case .loanDeclaredReturned(let book): self.init(book.userID) { .loanDeclaredReturned(title: book.title, by: $0) }
    case .loanCancelled(let book): self.init(book.userID) { .loanCancelled(title: book.title, by: $0) }
    case .requestDeclined(let book): self.init(.requestDeclined(title: book.title))
    case .loanDue(let book): self.init(.loanDue(title: book.title))
    case .loanOverdue(let book): self.init(.loanOverdue(title: book.title))
    case .sosStarted(let it): self.init(it.memberID) { .sosStarted(name: $0) }
    case .sosStopped(let it): self.init(it.memberID) { .sosStopped(name: $0) }
    case .journeyStarted(let it): self.init(it.memberID) { .journeyStarted(name: $0) }
    case .journeyEnded(let it): self.init(it.memberID) { .journeyEnded(name: $0) }
    case .arrivedOnTime(let it): self.init(it.memberID) { .arrivedOnTime(name: $0) }
    case .arrivedLate(let it): self.init(it.memberID) { .arrivedLate(name: $0) }
    case .standingStill(let it): self.init(it.memberID) { .standingStill(name: $0) }
    case .notArrived(let it): self.init(it.memberID) { .notArrived(name: $0) }
    case .wentOffline(let it): self.init(it.memberID) { .wentOffline(name: $0) }
    case .sosWentOffline(let it): self.init(it.memberID) { .sosWentOffline(name: $0) }
    case .placeReached(let it): self.init(it.memberID) { .placeReached(name: $0, place: it.place) }
    case .placeLeft(let it): self.init(it.memberID) { .placeLeft(name: $0, place: it.place) }
    case .chatMessage(let chat): self.init(chat.senderID) { .chatMessage(sender: $0, conversation: chat.conversation) }
    case .importEnded(let it):
      guard !it.outcome.isEmpty else { return nil }
      self.init(.importEnded(tracker: it.tracker, outcome: it.outcome))
    }
  }

  private init(moment: Instant, _ text: @escaping @Sendable (String) -> News) {
    (self.moment, self.text) = (moment, text)
  }

  private init?(_ session: NotificationRequested.SessionNews, _ told: @escaping @Sendable (String) -> News) {
    guard let start = session.startTime.flatMap({ Instant(valid: $0) }) else { return nil }
    self.init(moment: start, told)
  }

  private init?(
    _ match: NotificationRequested.MatchNews, _ told: @escaping @Sendable (_ partner: UserID, _ start: String) -> News
  ) {
    guard let partner = UserID(match.partnerID), let start = match.startTime.flatMap({ Instant(valid: $0) }) else {
      return nil
    }
    self.init(moment: start) { told(partner, $0) }
  }

  private init(_ news: News) {
    (moment, text) = (nil, { _ in news })
  }

  private init?(_ user: String, _ news: (UserID) -> News) {
    guard let user = UserID(user) else { return nil }
    self.init(news(user))
  }
}
