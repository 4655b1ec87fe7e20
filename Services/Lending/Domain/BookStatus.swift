import Identifiers

/// The state of a book between owner and borrower; lending alone changes it.
///
/// This file has all transitions of a book and of the requests for it. The caller of a decision holds a lock on the book's row, so that the
/// facts stay true until the decision is stored.
public enum BookStatus: String, Sendable, Hashable, CaseIterable {
  /// There is no pending request.
  case available = "AVAILABLE"
  /// There is at least one pending request; further ones are possible.
  case requested = "REQUESTED"
  /// The owner accepted a request.
  case accepted = "ACCEPTED"
  /// The borrower has the book.
  case borrowed = "BORROWED"

  /// The status after a step; `nil` if the step is not possible.
  ///
  /// - Parameter waiting: the pending requests after the step.
  public func after(_ step: Step, waiting: Int) -> BookStatus? {
    switch (self, step) {
    case (.available, .request), (.requested, .request): .requested
    case (.requested, .withdraw), (.requested, .decline): waiting > 0 ? .requested : .available
    case (.requested, .accept): .accepted
    case (.accepted, .changePickup), (.accepted, .confirmHandover): .accepted
    case (.accepted, .cancel): .available
    case (.accepted, .handOver): .borrowed
    case (.borrowed, .recall), (.borrowed, .confirmReturn): .borrowed
    case (.borrowed, .return), (.borrowed, .declareLost), (.borrowed, .declareReturned): .available
    default: nil
    }
  }
}

/// The state of a request; an accepted one is a loan.
public enum LoanState: String, Sendable, Hashable, CaseIterable {
  /// The owner has not answered yet.
  case pending = "PENDING"
  /// The borrower withdrew it.
  case withdrawn = "WITHDRAWN"
  /// The owner declined it, or accepted another request.
  case declined = "DECLINED"
  /// The owner accepted it.
  case accepted = "ACCEPTED"
  /// Owner or borrower cancelled it before the handover.
  case cancelled = "CANCELLED"
  /// The borrower has the book.
  case borrowed = "BORROWED"
  /// The owner has the book back.
  case returned = "RETURNED"
  /// The owner declared the book lost.
  case lost = "LOST"

  /// The state of a request after a step; `nil` if the step is not possible.
  public func after(_ step: Step) -> LoanState? {
    switch (self, step) {
    case (.pending, .withdraw): .withdrawn
    case (.pending, .decline): .declined
    case (.pending, .accept): .accepted
    case (.accepted, .changePickup), (.accepted, .confirmHandover): .accepted
    case (.accepted, .cancel): .cancelled
    case (.accepted, .handOver): .borrowed
    case (.borrowed, .recall), (.borrowed, .confirmReturn): .borrowed
    case (.borrowed, .return), (.borrowed, .declareReturned): .returned
    case (.borrowed, .declareLost): .lost
    default: nil
    }
  }
}

extension LoanState {
  /// The step that an account deletion of a party takes with a request or loan; `nil` if nothing changes ([C-9]).
  ///
  /// A borrowed book stays borrowed until it is returned, so that an owner does not lose a book that is lent. One confirmation and an
  /// account deletion complete the return, in either order: the party who confirmed cannot confirm for the other.
  ///
  /// - Parameter returned: the parties that confirmed the return.
  public func stepAtAccountDeletion(of party: Party, returned: Set<Party>) -> Step? {
    switch self {
    case .pending: stepAtBlock(by: party)
    case .accepted: .cancel
    case .borrowed: returned.isEmpty ? nil : .return
    case .withdrawn, .declined, .cancelled, .returned, .lost: nil
    }
  }

  /// The step that a block takes, whose blocker is a party; `nil` if nothing changes, as for a promised or lent book ([C-10]).
  public func stepAtBlock(by blocker: Party) -> Step? {
    switch self {
    case .pending: blocker == .owner ? .decline : .withdraw
    case .withdrawn, .declined, .accepted, .cancelled, .borrowed, .returned, .lost: nil
    }
  }
}

/// A step that a user takes with a book.
public enum Step: String, Sendable, Hashable, CaseIterable {
  /// The borrower requests the book; a loan begins as a pending request.
  case request = "REQUEST"
  /// The borrower withdraws the request.
  case withdraw = "WITHDRAW"
  /// The owner declines it.
  case decline = "DECLINE"
  /// The owner accepts it, after all others were declined.
  case accept = "ACCEPT"
  /// The owner changes the pickup location.
  case changePickup = "CHANGE_PICKUP"
  /// Owner or borrower cancels the loan.
  case cancel = "CANCEL"
  /// The first of the two confirms the handover.
  case confirmHandover = "CONFIRM_HANDOVER"
  /// The second of the two confirms the handover.
  case handOver = "HAND_OVER"
  /// The owner asks for the book back.
  case recall = "RECALL"
  /// The first of the two confirms the return.
  case confirmReturn = "CONFIRM_RETURN"
  /// The second of the two confirms the return.
  case `return` = "RETURN"
  /// The owner declares the book lost, as the borrower does not answer.
  case declareLost = "DECLARE_LOST"
  /// A party declares the book returned, as the other does not answer.
  case declareReturned = "DECLARE_RETURNED"
}

/// Why a step is refused.
public enum LoanRefusal: Error, Sendable, Hashable, CaseIterable {
  /// The book does not exist, or is not visible to the caller.
  case noSuchBook
  /// The loan does not exist, or is not visible to the caller.
  case noSuchLoan
  /// The book is the caller's own.
  case ownBook
  /// The caller has a pending request already.
  case alreadyRequested
  /// The book is accepted or borrowed.
  case notRequestable
  /// The owner withholds the book.
  case onHold
  /// The book or the caller has the most pending requests.
  case tooManyRequests
  /// The caller has made the most requests for this book within a day, or withdrawn the most requests for any.
  case askedTooOften
  /// The pickup location was changed the most times within a day.
  case movedTooOften
  /// The request is not pending.
  case notPending
  /// The loan is not in the state accepted.
  case notAccepted
  /// The loan is not in the state borrowed.
  case notBorrowed
  /// The caller is not the owner.
  case notTheOwner
  /// The caller is not the borrower.
  case notTheBorrower
  /// The book has another ISBN.
  case isbnMismatch
  /// The book cannot be deleted now.
  case notAvailable
  /// The book is accepted or borrowed, so that it cannot be withheld.
  case notHoldable
  /// The owner has not recalled the book.
  case notRecalled
  /// The borrower has not confirmed the return.
  case returnNotConfirmed
  /// The comment on a return is not the borrower's.
  case commentOfOwner
  /// The other party may still answer.
  case declaredTooEarly
}

/// A decision: which party takes which step, with the states before and after it.
public struct Decision: Sendable, Hashable {
  public let step: Step
  public let party: Party
  /// The loan's state before; `nil` for a new request.
  public let previousState: LoanState?
  /// The loan's state after.
  public let state: LoanState
  /// The book's status before.
  public let previousStatus: BookStatus
  /// The book's status after.
  public let status: BookStatus
  /// The pending requests for the book after.
  public let waiting: Int
}

extension BookStatus {
  /// The most pending requests for one book, and of one user.
  public static let maxWaiting = 1_000
  /// The most requests of one user for one book within a day: the owner is notified of each, even if it is withdrawn. Requests that led to
  /// a loan that was returned do not count.
  public static let maxAsked = 10
  /// The most requests of one user that are withdrawn within a day: each was notified to an owner, and makes room for another one.
  public static let maxWithdrawn = 100
  /// The most changes of a loan's pickup location within a day: the borrower is notified of each.
  public static let maxPickupChanges = 20

  /// Decides whether a user may request a book ([LE-1]).
  public static func request(_ book: BookFacts, by asker: Asker) throws(LoanRefusal) -> Decision {
    guard !book.isRetired, !asker.isBlocked else { throw .noSuchBook }
    guard book.ownerID != asker.id else { throw .ownBook }
    guard let status = book.status.after(.request, waiting: book.waiting + 1) else { throw .notRequestable }
    guard !book.isHeld else { throw .onHold }
    guard !asker.waitsForBook else { throw .alreadyRequested }
    guard max(book.waiting, asker.waiting) < maxWaiting else { throw .tooManyRequests }
    guard asker.asked < maxAsked, asker.withdrawn < maxWithdrawn else { throw .askedTooOften }
    return Decision(
      step: .request, party: .borrower, previousState: nil, state: .pending, previousStatus: book.status,
      status: status, waiting: book.waiting + 1)
  }

  /// Decides whether a borrower may withdraw a request ([LE-2]).
  public static func withdraw(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal)
    -> Decision
  {
    guard try loan.party(user) == .borrower else { throw .notTheBorrower }
    return try decision(.withdraw, by: .borrower, loan, book, waiting: book.waiting - 1, orElse: .notPending)
  }

  /// Decides whether an owner may decline a request ([LE-4]).
  public static func decline(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal) -> Decision {
    guard try loan.party(user) == .owner else { throw .notTheOwner }
    return try decision(.decline, by: .owner, loan, book, waiting: book.waiting - 1, orElse: .notPending)
  }

  /// The step of each of several pending requests for a book that its owner declines together ([LE-7], [CA-29]).
  ///
  /// - Parameter waiting: the pending requests after it.
  public static func declineNext(for book: BookFacts, leaving waiting: Int) throws(LoanRefusal) -> Decision {
    let state = LoanState.pending
    guard let declined = state.after(.decline), let status = book.status.after(.decline, waiting: waiting) else {
      throw .notPending
    }
    return Decision(
      step: .decline, party: .owner, previousState: state, state: declined, previousStatus: book.status, status: status,
      waiting: waiting)
  }

  /// Decides whether an owner may accept a request; all others must be declined with it ([LE-7]).
  public static func accept(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal) -> Decision {
    guard try loan.party(user) == .owner else { throw .notTheOwner }
    return try decision(.accept, by: .owner, loan, book, waiting: 0, orElse: .notPending)
  }

  /// Decides whether an owner may change the pickup location ([LE-8]).
  ///
  /// - Parameter changes: how often it was changed within the last day.
  public static func changePickup(
    _ loan: LoanFacts, of book: BookFacts, by user: UserID, changes: Int
  ) throws(LoanRefusal) -> Decision {
    guard try loan.party(user) == .owner else { throw .notTheOwner }
    let decision = try decision(.changePickup, by: .owner, loan, book, waiting: 0, orElse: .notAccepted)
    guard changes < maxPickupChanges else { throw .movedTooOften }
    return decision
  }

  /// Decides whether a user may cancel a loan ([LE-14]).
  public static func cancel(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal) -> Decision {
    try decision(.cancel, by: try loan.party(user), loan, book, waiting: 0, orElse: .notAccepted)
  }

  /// Decides the step of a party who confirms a handover or return by ISBN ([LE-9], [LE-10]).
  ///
  /// - Returns: `nil` if the party had confirmed before: nothing changes.
  public static func confirm(
    _ exchange: Exchange, by user: UserID, scanning isbn: ISBN, _ loan: LoanFacts, of book: BookFacts
  ) throws(LoanRefusal) -> Decision? {
    let party = try loan.party(user)
    guard isbn == book.isbn else { throw .isbnMismatch }
    let confirmed = loan.confirmed(exchange)
    // A party who has deleted the account can never confirm, and the other party must not wait for it forever.
    let isAlone = loan.hasLeft(party.other)
    let waits = isAlone && loan.state == .borrowed && exchange == .giveBack
    if confirmed.contains(party), loan.state != .cancelled, !waits { return nil }
    let isSecond = confirmed.contains(party.other) || isAlone
    return try decision(
      isSecond ? exchange.completion : exchange.confirmation, by: party, loan, book, waiting: 0,
      orElse: exchange.refusal)
  }

  /// Decides whether an owner may recall the book ([LE-12]).
  ///
  /// - Returns: `nil` if the book is recalled already: nothing changes.
  public static func recall(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal) -> Decision? {
    guard try loan.party(user) == .owner else { throw .notTheOwner }
    let decision = try decision(.recall, by: .owner, loan, book, waiting: 0, orElse: .notBorrowed)
    return loan.isRecalled ? nil : decision
  }

  /// Decides whether a party may end a loan whose other party does not answer ([LE-10], [LE-12]): every state of a loan has a way out for
  /// each party that needs no other user.
  ///
  /// - Parameter wait: how long the other party has to answer.
  public static func declare(
    _ outcome: LoanOutcome, _ loan: LoanFacts, of book: BookFacts, by user: UserID, at now: Instant,
    after wait: Duration
  ) throws(LoanRefusal) -> Decision {
    let party = try loan.party(user)
    guard outcome == .returned || party == .owner else { throw .notTheOwner }
    let step: Step = outcome == .lost ? .declareLost : .declareReturned
    let decision = try decision(step, by: party, loan, book, waiting: 0, orElse: .notBorrowed)
    guard let earliest = loan.declarations.earliest(for: party, after: wait) else {
      throw party == .owner ? .notRecalled : .returnNotConfirmed
    }
    guard now >= earliest else { throw .declaredTooEarly }
    return decision
  }

  /// Decides whether an owner may withhold a book ([CA-29]); its pending requests must be declined with it.
  public static func hold(_ book: BookFacts, by user: UserID) throws(LoanRefusal) {
    guard book.ownerID == user, !book.isRetired else { throw .noSuchBook }
    guard book.status == .available || book.status == .requested else { throw .notHoldable }
  }

  /// Decides whether an owner may release a book ([CA-29]).
  public static func release(_ book: BookFacts, by user: UserID) throws(LoanRefusal) {
    guard book.ownerID == user, !book.isRetired else { throw .noSuchBook }
  }

  /// Decides whether a book may be deleted ([CA-24]).
  public static func retire(_ book: BookFacts) throws(LoanRefusal) {
    guard book.status == .available else { throw .notAvailable }
  }

  /// Decides the step that closes a loan because `party` deleted the account ([C-9]).
  ///
  /// - Returns: `nil` if nothing changes.
  public static func close(_ loan: LoanFacts, of book: BookFacts, by party: Party) throws(LoanRefusal) -> Decision? {
    try closing(loan, of: book, by: party, loan.state.stepAtAccountDeletion(of: party, returned: loan.giveBack))
  }

  /// Decides the step that closes a loan because `blocker`, a party of it, blocked the other one ([C-10]).
  ///
  /// - Returns: `nil` if nothing changes.
  public static func closeBlocked(
    _ loan: LoanFacts, of book: BookFacts, by blocker: Party
  ) throws(LoanRefusal) -> Decision? {
    try closing(loan, of: book, by: blocker, loan.state.stepAtBlock(by: blocker))
  }

  private static func closing(
    _ loan: LoanFacts, of book: BookFacts, by party: Party, _ step: Step?
  ) throws(LoanRefusal) -> Decision? {
    guard let step else { return nil }
    let waiting = loan.state == .pending ? book.waiting - 1 : 0
    return try decision(step, by: party, loan, book, waiting: waiting, orElse: .notPending)
  }

  /// Combines the transitions of book and loan into a decision.
  private static func decision(
    _ step: Step, by party: Party, _ loan: LoanFacts, _ book: BookFacts, waiting: Int, orElse refusal: LoanRefusal
  ) throws(LoanRefusal) -> Decision {
    guard let state = loan.state.after(step), let status = book.status.after(step, waiting: waiting) else {
      throw refusal
    }
    return Decision(
      step: step, party: party, previousState: loan.state, state: state, previousStatus: book.status, status: status,
      waiting: waiting)
  }
}
