import Identifiers

/// Where a book is on its way from owner to borrower and back; lending alone changes it.
///
/// This file is all that can happen to a book and to a request for it. Whoever decides holds the book's row locked, so that the facts
/// are true until the decision is stored.
public enum BookStatus: String, Sendable, Hashable, CaseIterable {
  /// Nobody asks for it.
  case available = "AVAILABLE"
  /// Somebody asks for it, and others may too.
  case requested = "REQUESTED"
  /// The owner promised it to somebody.
  case accepted = "ACCEPTED"
  /// Somebody has it.
  case borrowed = "BORROWED"

  /// Where a step takes the book; `nil` where it cannot be taken.
  ///
  /// - Parameter waiting: how many requests wait after it.
  public func after(_ step: Step, waiting: Int) -> BookStatus? {
    switch (self, step) {
    case (.available, .request), (.requested, .request): .requested
    case (.requested, .withdraw), (.requested, .decline): waiting > 0 ? .requested : .available
    case (.requested, .accept): .accepted
    case (.accepted, .changePickup), (.accepted, .confirmHandover): .accepted
    case (.accepted, .cancel): .available
    case (.accepted, .handOver): .borrowed
    case (.borrowed, .recall), (.borrowed, .confirmReturn): .borrowed
    case (.borrowed, .return): .available
    default: nil
    }
  }
}

/// What became of a request; an accepted one is a loan.
public enum LoanState: String, Sendable, Hashable, CaseIterable {
  /// It waits for the owner's answer.
  case pending = "PENDING"
  /// The borrower took it back.
  case withdrawn = "WITHDRAWN"
  /// The owner declined it, or gave the book to somebody else.
  case declined = "DECLINED"
  /// The owner promised the book.
  case accepted = "ACCEPTED"
  /// One of the two gave it up before the handover.
  case cancelled = "CANCELLED"
  /// The borrower has the book.
  case borrowed = "BORROWED"
  /// The owner has it back.
  case returned = "RETURNED"

  /// What a step makes of the request; `nil` where it cannot be taken.
  public func after(_ step: Step) -> LoanState? {
    switch (self, step) {
    case (.pending, .withdraw): .withdrawn
    case (.pending, .decline): .declined
    case (.pending, .accept): .accepted
    case (.accepted, .changePickup), (.accepted, .confirmHandover): .accepted
    case (.accepted, .cancel): .cancelled
    case (.accepted, .handOver): .borrowed
    case (.borrowed, .recall), (.borrowed, .confirmReturn): .borrowed
    case (.borrowed, .return): .returned
    default: nil
    }
  }
}

/// What somebody does with a book.
public enum Step: String, Sendable, Hashable, CaseIterable {
  /// The borrower asks; a loan begins as a pending request.
  case request = "REQUEST"
  /// The borrower takes the request back.
  case withdraw = "WITHDRAW"
  /// The owner declines it.
  case decline = "DECLINE"
  /// The owner accepts it, and declines all others before.
  case accept = "ACCEPT"
  /// The owner changes where the borrower gets the book.
  case changePickup = "CHANGE_PICKUP"
  /// One of the two gives the loan up.
  case cancel = "CANCEL"
  /// The first of the two confirms the handover.
  case confirmHandover = "CONFIRM_HANDOVER"
  /// The second confirms it.
  case handOver = "HAND_OVER"
  /// The owner asks for the book back.
  case recall = "RECALL"
  /// The first of the two confirms the return.
  case confirmReturn = "CONFIRM_RETURN"
  /// The second confirms it.
  case `return` = "RETURN"
}

/// Why something is not done.
public enum LoanRefusal: Error, Sendable, Hashable, CaseIterable {
  /// There is no such book, for the caller.
  case noSuchBook
  /// There is no such loan, for the caller.
  case noSuchLoan
  /// The book is the caller's own.
  case ownBook
  /// A request of the caller waits already.
  case alreadyRequested
  /// The book is accepted or borrowed.
  case notRequestable
  /// As many requests wait as may.
  case tooManyRequests
  /// The caller asked for the book as often as one may within a day.
  case askedTooOften
  /// The request does not wait any more.
  case notPending
  /// The loan is not accepted, or not any more.
  case notAccepted
  /// The loan is not borrowed, or not any more.
  case notBorrowed
  /// Only the owner may.
  case notTheOwner
  /// Only the borrower may.
  case notTheBorrower
  /// The book has another ISBN.
  case isbnMismatch
  /// The book is not to be deleted now.
  case notAvailable
}

/// A decision: who takes which step, and what is so before and after it.
public struct Decision: Sendable, Hashable {
  /// What is done.
  public let step: Step
  /// By whom.
  public let party: Party
  /// What the loan was; `nil` when it begins.
  public let previousState: LoanState?
  /// What it is then.
  public let state: LoanState
  /// Where the book was.
  public let previousStatus: BookStatus
  /// Where it is then.
  public let status: BookStatus
  /// How many requests wait then.
  public let waiting: Int
}

extension BookStatus {
  /// Requests that wait for one book, and requests of one user that wait, at most.
  public static let maxWaiting = 1_000
  /// Requests of one user for one book within a day, at most: the owner is told of each, also of one that is taken back. Those by which
  /// it was lent and given back do not count.
  public static let maxAsked = 10

  /// Decides whether somebody may ask for a book ([LE-1]).
  public static func request(_ book: BookFacts, by asker: Asker) throws(LoanRefusal) -> Decision {
    guard !book.isRetired, !asker.isBlocked else { throw .noSuchBook }
    guard book.ownerID != asker.id else { throw .ownBook }
    guard let status = book.status.after(.request, waiting: book.waiting + 1) else { throw .notRequestable }
    guard !asker.waitsForBook else { throw .alreadyRequested }
    guard max(book.waiting, asker.waiting) < maxWaiting else { throw .tooManyRequests }
    guard asker.asked < maxAsked else { throw .askedTooOften }
    return Decision(
      step: .request, party: .borrower, previousState: nil, state: .pending, previousStatus: book.status,
      status: status, waiting: book.waiting + 1)
  }

  /// Decides whether a borrower may take a request back ([LE-2]).
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

  /// Decides whether an owner may accept a request; all others have to be declined with it ([LE-7]).
  public static func accept(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal) -> Decision {
    guard try loan.party(user) == .owner else { throw .notTheOwner }
    return try decision(.accept, by: .owner, loan, book, waiting: 0, orElse: .notPending)
  }

  /// Decides whether an owner may change where the borrower gets the book ([LE-8]).
  public static func changePickup(
    _ loan: LoanFacts, of book: BookFacts, by user: UserID
  ) throws(LoanRefusal) -> Decision {
    guard try loan.party(user) == .owner else { throw .notTheOwner }
    return try decision(.changePickup, by: .owner, loan, book, waiting: 0, orElse: .notAccepted)
  }

  /// Decides whether somebody may give a loan up ([LE-14]).
  public static func cancel(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal) -> Decision {
    try decision(.cancel, by: try loan.party(user), loan, book, waiting: 0, orElse: .notAccepted)
  }

  /// Decides what it means that somebody confirms by an ISBN that the book changed hands ([LE-9], [LE-10]).
  ///
  /// - Returns: `nil` when they had confirmed it before: nothing changes.
  public static func confirm(
    _ exchange: Exchange, by user: UserID, scanning isbn: ISBN, _ loan: LoanFacts, of book: BookFacts
  ) throws(LoanRefusal) -> Decision? {
    let party = try loan.party(user)
    guard isbn == book.isbn else { throw .isbnMismatch }
    let confirmed = loan.confirmed(exchange)
    if confirmed.contains(party), loan.state != .cancelled { return nil }
    // Who deleted their account confirms nothing any more, and must not keep the other's book or shelf for ever.
    let isSecond = confirmed.contains(party.other) || loan.hasLeft(party.other)
    return try decision(
      isSecond ? exchange.completion : exchange.confirmation, by: party, loan, book, waiting: 0,
      orElse: exchange.refusal)
  }

  /// Decides whether an owner may ask for the book back ([LE-12]).
  ///
  /// - Returns: `nil` when they had before: nothing changes.
  public static func recall(_ loan: LoanFacts, of book: BookFacts, by user: UserID) throws(LoanRefusal) -> Decision? {
    guard try loan.party(user) == .owner else { throw .notTheOwner }
    let decision = try decision(.recall, by: .owner, loan, book, waiting: 0, orElse: .notBorrowed)
    return loan.isRecalled ? nil : decision
  }

  /// Decides whether a book may be deleted ([CA-24]).
  public static func retire(_ book: BookFacts) throws(LoanRefusal) {
    guard book.status == .available else { throw .notAvailable }
  }

  /// The step of somebody who leaves for good, or whom the other keeps away from now on, where one of theirs is to be taken ([C-9], [C-10]).
  ///
  /// What is borrowed stays borrowed: a book that is in somebody's hands is given back, not forgotten.
  public static func close(_ loan: LoanFacts, of book: BookFacts, by party: Party) throws(LoanRefusal) -> Decision? {
    switch loan.state {
    case .pending:
      let step = party == .owner ? Step.decline : .withdraw
      return try decision(step, by: party, loan, book, waiting: book.waiting - 1, orElse: .notPending)
    case .accepted: return try decision(.cancel, by: party, loan, book, waiting: 0, orElse: .notAccepted)
    case .withdrawn, .declined, .cancelled, .borrowed, .returned: return nil
    }
  }

  /// What both tables say about a step.
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
