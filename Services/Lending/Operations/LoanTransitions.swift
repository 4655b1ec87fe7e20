import Environment
import Events
import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Postgres
import TandemEvents
import Timestamps

/// Stores decisions in the transaction that has locked the book: a step, its history entry, its events and its jobs are stored atomically.
struct LoanTransitions: Sendable {
  private let events: Outbox
  private let jobs: Jobs
  private let clock: any WallClock
  private let declarationWait: Duration

  /// The most recipients of one event.
  private static let maxRecipients = 500

  /// - Parameter declarationWait: how long a party is waited for before the other may end a loan alone.
  init(events: Outbox, jobs: Jobs, clock: any WallClock, declarationWait: Duration) {
    self.declarationWait = declarationWait
    self.events = events
    self.jobs = jobs
    self.clock = clock
  }

  /// Stores a decision about an existing loan.
  ///
  /// - Parameter actor: `nil` for a user who deleted the account.
  func record(
    _ decision: Decision, on loan: StoredLoan, by actor: UserID?,
    leaving trace: TransitionDetails = TransitionDetails(),
    _ tx: Transaction
  ) async throws -> StoredLoan {
    let move = MoveLoan(loan.id, decision, by: actor, leaving: trace, now: clock.now)
    guard let moved = try await tx.first(move) else { throw LoanFailure.changedMeanwhile }
    switch decision.step {
    case .handOver: try await watch(moved, tx)
    case .recall: try await watchRecall(moved, tx)
    default: break
    }
    try await tell(decision, moved, isFirstPlace: loan.pickup == nil, tx)
    if decision.step == .declareLost {
      try await tx.execute(HoldBook(now: clock.now, bookID: loan.bookID))
      try await tellHold(true, of: loan.bookID, by: loan.ownerID, tx)
    }
    return moved
  }

  /// Stores the decision that begins a request.
  func begin(
    _ id: LoanID, of book: BookID, for borrower: UserID, _ decision: Decision, _ tx: Transaction
  ) async throws -> StoredLoan {
    let insert = InsertLoan(id, of: book, for: borrower, decision, now: clock.now)
    guard let loan = try await tx.first(insert) else { throw LoanRefusal.noSuchBook }
    try await tell(decision, loan, isFirstPlace: true, tx)
    return loan
  }

  /// Declines all other requests for a book before one is accepted ([LE-7]).
  ///
  /// - Parameter decline: the step of each.
  func declineOthers(than loan: StoredLoan, _ decline: Decision, by owner: UserID, _ tx: Transaction) async throws {
    let declined = try await tx.rows(
      DeclineOthers(than: loan.id, for: loan.bookID, decline, by: owner, now: clock.now))
    try await tellDeclined(
      declined.compactMap { row in row.borrowerID.map { (row.loanID, $0) } }, "loans/\(loan.id)/preferred",
      of: loan.bookID,
      called: loan.title, tx)
  }

  /// Withholds a book that the transaction has locked, and declines the requests for it ([CA-29]).
  ///
  /// - Returns: how many were declined.
  func hold(_ book: StoredBook, by owner: UserID, _ tx: Transaction) async throws -> Int {
    var declined: [DeclineAll.Row] = []
    if book.facts.waiting > 0 {
      let each = try BookStatus.declineNext(for: book.facts, leaving: 1)
      let last = try BookStatus.declineNext(for: book.facts, leaving: 0)
      declined = try await tx.rows(DeclineAll(for: book.id, each, last: last, by: owner, now: clock.now))
      try await events.publish(
        BookStatusChanged(
          bookID: book.id.description, ownerID: owner.description, previousStatus: last.previousStatus.inEvents,
          status: last.status.inEvents, changeTime: clock.now.timestamp), in: tx)
      try await tellDeclined(
        declined.compactMap { row in row.borrowerID.map { (row.loanID, $0) } },
        "books/\(book.id)/held/\(clock.now.microseconds)", of: book.id, called: book.title, tx)
    } else {
      try await tx.execute(HoldBook(now: clock.now, bookID: book.id))
    }
    try await tellHold(true, of: book.id, by: owner, tx)
    return declined.count
  }

  /// Releases a book that the transaction has locked ([CA-29]).
  func release(_ book: StoredBook, by owner: UserID, _ tx: Transaction) async throws {
    try await tx.execute(ReleaseBook(bookID: book.id))
    try await tellHold(false, of: book.id, by: owner, tx)
  }

  private func tellHold(_ isHeld: Bool, of book: BookID, by owner: UserID?, _ tx: Transaction) async throws {
    try await events.publish(
      BookHoldChanged(
        bookID: book.description, ownerID: owner?.description ?? "", onHold: isHeld, changeTime: clock.now.timestamp),
      in: tx)
  }

  /// Notifies users of requests that were declined together, each of their own ([LE-17]).
  private func tellDeclined(
    _ requests: [(loan: LoanID, borrower: UserID)], _ key: String, of book: BookID, called title: String,
    _ tx: Transaction
  ) async throws {
    for start in stride(from: 0, to: requests.count, by: Self.maxRecipients) {
      let some = requests[start..<min(start + Self.maxRecipients, requests.count)]
      try await events.publish(
        NotificationRequested(
          notificationKey: "\(key)/\(start)", recipientIds: some.map(\.borrower.description), subject: "books/\(book)",
          recipientSubjects: some.map { "loans/\($0.loan)" }, news: .requestDeclined(.init(title: title))),
        in: tx)
    }
  }

  /// Publishes a borrower's comment on a return ([LE-10]).
  func tellComment(_ text: String, on loan: StoredLoan, at now: Instant, _ tx: Transaction) async throws {
    guard let author = loan.borrowerID else { return }
    let comment = ReturnCommented(
      bookID: loan.bookID.description, loanID: loan.id.description, authorID: author.description, text: text,
      createTime: now.timestamp)
    try await events.publish(comment, in: tx)
  }

  /// Publishes a request to notify users about a loan.
  ///
  /// - Parameter key: of the notification; of several with the same key one is sent.
  func notify(
    _ users: [UserID?], _ key: String, _ news: NotificationRequested.News, of loan: StoredLoan, _ tx: Transaction
  ) async throws {
    let recipients = users.compactMap { $0?.description }
    guard !recipients.isEmpty else { return }
    let request = NotificationRequested(
      notificationKey: key, recipientIds: recipients, subject: "loans/\(loan.id)", news: news)
    try await events.publish(request, in: tx)
  }

  /// - Parameter isFirstPlace: whether no pickup location was named before.
  private func tell(
    _ decision: Decision, _ loan: StoredLoan, isFirstPlace: Bool, _ tx: Transaction
  ) async throws {
    if decision.status != decision.previousStatus {
      try await events.publish(BookStatusChanged(decision, loan, at: clock.now), in: tx)
    }
    let key = "loans/\(loan.id)/\(decision.step.rawValue.lowercased())"
    let (owner, borrower) = (loan.ownerID?.description ?? "", loan.borrowerID?.description ?? "")
    switch decision.step {
    case .request:
      try await notify([loan.ownerID], key, .bookRequested(.init(title: loan.title, userID: borrower)), of: loan, tx)
    case .decline:
      try await notify([loan.borrowerID], key, .requestDeclined(.init(title: loan.title)), of: loan, tx)
    case .accept:
      try await notify(
        [loan.borrowerID], key, .requestAccepted(.init(title: loan.title, userID: owner)), of: loan, tx)
    case .cancel:
      let isOwner = decision.party == .owner
      try await notify(
        [isOwner ? loan.borrowerID : loan.ownerID], key,
        .loanCancelled(.init(title: loan.title, userID: isOwner ? owner : borrower)), of: loan, tx)
    case .recall:
      try await notify(
        [loan.borrowerID], key, .loanRecalled(.init(title: loan.title, userID: owner)), of: loan, tx)
    case .changePickup:
      // Each change is notified, so each has its key.
      try await notify(
        [loan.borrowerID], "\(key)/\(loan.updatedAt.microseconds)",
        isFirstPlace
          ? .pickupNamed(.init(title: loan.title, userID: owner))
          : .pickupChanged(.init(title: loan.title, userID: owner)),
        of: loan, tx)
    case .confirmReturn:
      let isOwner = decision.party == .owner
      try await notify(
        [isOwner ? loan.borrowerID : loan.ownerID], key,
        .returnConfirmed(.init(title: loan.title, userID: isOwner ? owner : borrower)), of: loan, tx)
    case .declareLost:
      try await notify(
        [loan.borrowerID], key, .loanDeclaredLost(.init(title: loan.title, userID: owner)), of: loan, tx)
    case .declareReturned:
      let isOwner = decision.party == .owner
      try await notify(
        [isOwner ? loan.borrowerID : loan.ownerID], key,
        .loanDeclaredReturned(.init(title: loan.title, userID: isOwner ? owner : borrower)), of: loan, tx)
    case .withdraw, .confirmHandover, .handOver, .return: break
    }
  }

  /// Schedules the notices of a due date ([LE-12]). After an early return the jobs have no effect; they are not cancelled.
  private func watch(_ loan: StoredLoan, _ tx: Transaction) async throws {
    guard let due = loan.due else { return }
    if let moment = try await reminder(of: due, at: clock.now, tx) {
      try await tx.schedule(Job(.dueReminder, "\(loan.id)", at: moment, key: "\(loan.id)"), with: jobs)
    }
    try await tx.schedule(Job(.overdueNotice, "\(loan.id)", at: due.endsAt, key: "\(loan.id)"), with: jobs)
  }

  /// Schedules the last notice before the owner of a recalled book may declare it lost ([LE-12]).
  private func watchRecall(_ loan: StoredLoan, _ tx: Transaction) async throws {
    guard let moment = loan.facts.declarations.lastCall(after: declarationWait) else { return }
    try await tx.schedule(Job(.lastCall, "\(loan.id)", at: moment, key: "\(loan.id)"), with: jobs)
  }

  /// When the borrower of a book that is handed over now is reminded; `nil` if the last day has begun.
  ///
  /// After the hour of the reminder that is at once, while the book is still due tomorrow: on a day of 23 or 25 hours too.
  private func reminder(of due: DueDate, at now: Instant, _ tx: Transaction) async throws -> Instant? {
    guard now > due.reminderAt else { return due.reminderAt }
    guard now < due.endsAt else { return nil }
    let calendar = try await tx.first(DueDayStart(day: due.day, zone: due.zone))
    return calendar.flatMap { now < $0 ? now : nil }
  }
}

extension BookStatusChanged {
  fileprivate init(_ decision: Decision, _ loan: StoredLoan, at now: Instant) {
    let isLoan = [decision.previousStatus, decision.status].contains { $0 == .accepted || $0 == .borrowed }
    self.init(
      bookID: loan.bookID.description, ownerID: loan.ownerID?.description ?? "",
      previousStatus: decision.previousStatus.inEvents, status: decision.status.inEvents,
      loanID: isLoan ? loan.id.description : "", borrowerID: isLoan ? loan.borrowerID?.description ?? "" : "",
      changeTime: now.timestamp)
  }
}
