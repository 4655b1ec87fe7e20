import Identifiers

/// A party of a loan.
public enum Party: String, Sendable, Hashable, CaseIterable {
  /// The owner of the book.
  case owner = "OWNER"
  /// The user who requested the book.
  case borrower = "BORROWER"

  public var other: Party { self == .owner ? .borrower : .owner }
}

/// What a decision needs to know about a book.
public struct BookFacts: Sendable, Hashable {
  /// `nil` if the owner deleted the account.
  public var ownerID: UserID?
  /// The ISBN that handover and return are confirmed by.
  public var isbn: ISBN
  public var status: BookStatus
  /// Pending requests.
  public var waiting: Int
  /// Whether it was deleted or is being deleted.
  public var isRetired: Bool
  /// Whether its owner withholds it.
  public var isHeld: Bool

  public init(
    ownerID: UserID?, isbn: ISBN, status: BookStatus, waiting: Int, isRetired: Bool, isHeld: Bool = false
  ) {
    self.ownerID = ownerID
    self.isbn = isbn
    self.status = status
    self.waiting = waiting
    self.isRetired = isRetired
    self.isHeld = isHeld
  }

  /// The facts after a step.
  public func after(_ decision: Decision) -> BookFacts {
    var book = self
    (book.status, book.waiting) = (decision.status, decision.waiting)
    return book
  }
}

/// What a decision needs to know about a user who requests a book.
public struct Asker: Sendable, Hashable {
  public var id: UserID
  /// Whether the user has a pending request for this book.
  public var waitsForBook: Bool
  /// The user's pending requests, for all books.
  public var waiting: Int
  /// The user's requests for this book within the last day, without loans that were returned.
  public var asked: Int
  /// The user's requests within the last day, for any book, that were withdrawn.
  public var withdrawn: Int
  /// Whether the user and the owner have blocked one another, in either direction.
  public var isBlocked: Bool

  public init(id: UserID, waitsForBook: Bool, waiting: Int, asked: Int, withdrawn: Int, isBlocked: Bool) {
    self.id = id
    self.waitsForBook = waitsForBook
    self.waiting = waiting
    self.asked = asked
    self.withdrawn = withdrawn
    self.isBlocked = isBlocked
  }
}

/// What a decision needs to know about a loan.
public struct LoanFacts: Sendable, Hashable {
  /// `nil` if the owner deleted the account.
  public var ownerID: UserID?
  /// `nil` if the borrower deleted the account.
  public var borrowerID: UserID?
  public var state: LoanState
  /// The parties that confirmed the handover.
  public var handover: Set<Party>
  /// The parties that confirmed the return.
  public var giveBack: Set<Party>
  /// Since when the other party may be waited for.
  public var declarations: Declarations
  /// Whether the owner recalled the book.
  public var isRecalled: Bool { declarations.recalledAt != nil }

  public init(
    ownerID: UserID?, borrowerID: UserID?, state: LoanState, handover: Set<Party> = [], giveBack: Set<Party> = [],
    declarations: Declarations = Declarations()
  ) {
    self.ownerID = ownerID
    self.borrowerID = borrowerID
    self.state = state
    self.handover = handover
    self.giveBack = giveBack
    self.declarations = declarations
  }

  /// The party that a user is.
  ///
  /// - Throws: `noSuchLoan` for any other user, who must not learn whether the loan exists.
  public func party(_ user: UserID) throws(LoanRefusal) -> Party {
    if user == ownerID { return .owner }
    if user == borrowerID { return .borrower }
    throw .noSuchLoan
  }

  func hasLeft(_ party: Party) -> Bool { (party == .owner ? ownerID : borrowerID) == nil }

  func confirmed(_ exchange: Exchange) -> Set<Party> {
    switch exchange {
    case .handover: handover
    case .giveBack: giveBack
    }
  }
}

extension LoanFacts {
  /// Requires that a user may comment on the return.
  ///
  /// - Throws: `commentOfOwner` for the owner: it is the borrower who may say something on the return ([LE-10]).
  public func checkCommenter(_ user: UserID) throws(LoanRefusal) {
    guard try party(user) == .borrower else { throw .commentOfOwner }
  }

  /// Whether a comment of the borrower counts: after the borrower's part of the return, unless the book was declared lost ([LE-10]).
  public var takesComment: Bool {
    switch state {
    case .borrowed, .returned: giveBack.contains(.borrower)
    case .pending, .withdrawn, .declined, .accepted, .cancelled, .lost: false
    }
  }
}

/// How a loan ends that a party ends alone.
public enum LoanOutcome: Sendable, Hashable, CaseIterable {
  /// The owner does not have the book back.
  case lost
  /// The owner has the book back.
  case returned
}

/// The moments after which a party may end a borrowed loan alone ([LE-10], [LE-12]).
public struct Declarations: Sendable, Hashable {
  /// When the owner recalled the book.
  public var recalledAt: Instant?
  /// When the borrower confirmed the return.
  public var returnedByBorrowerAt: Instant?

  public init(recalledAt: Instant? = nil, returnedByBorrowerAt: Instant? = nil) {
    (self.recalledAt, self.returnedByBorrowerAt) = (recalledAt, returnedByBorrowerAt)
  }

  /// From when on a party may; `nil` unless it has done its part.
  ///
  /// An owner who recalls a book that the borrower says was returned gets the same time to look for it.
  public func earliest(for party: Party, after wait: Duration) -> Instant? {
    switch party {
    case .owner: recalledAt.map { $0 + wait }
    case .borrower: returnedByBorrowerAt.map { max($0, recalledAt ?? $0) + wait }
    }
  }

  /// The longest notice that a borrower gets before the owner may declare the book lost.
  private static let maxNoticeTime = Duration.seconds(3 * 86_400)

  /// When a borrower is told that the owner may soon declare the book lost; `nil` unless it is recalled.
  public func lastCall(after wait: Duration) -> Instant? {
    earliest(for: .owner, after: wait).map { $0 - min(Self.maxNoticeTime, wait / 2) }
  }
}

/// What a scanned ISBN can mean ([LE-16]).
public enum ScanMeaning: Sendable, Hashable, CaseIterable {
  /// The owner hands the book over.
  case handOver
  /// The borrower receives it.
  case receive
  /// The borrower returns it.
  case giveBack
  /// The owner takes it back.
  case takeBack
}

extension LoanFacts {
  /// What a scan of the loan's book means to a party.
  ///
  /// - Returns: `nil` if the party has confirmed and waits for the other one.
  /// - Throws: `noSuchLoan` for any other user; `notAccepted` for a loan whose book does not change hands.
  public func meaning(ofScanBy user: UserID) throws(LoanRefusal) -> ScanMeaning? {
    let party = try party(user)
    switch state {
    case .accepted: return handover.contains(party) ? nil : party == .owner ? .handOver : .receive
    case .borrowed:
      // With the other party gone, a scan completes what was confirmed before.
      if giveBack.contains(party), !hasLeft(party.other) { return nil }
      return party == .owner ? .takeBack : .giveBack
    case .pending, .withdrawn, .declined, .cancelled, .returned, .lost: throw .notAccepted
    }
  }
}

/// An exchange of the book between the parties.
public enum Exchange: Sendable, Hashable, CaseIterable {
  /// From the owner to the borrower ([LE-9]).
  case handover
  /// Back to the owner ([LE-10]).
  case giveBack

  /// The step of the party that confirms first.
  var confirmation: Step { self == .handover ? .confirmHandover : .confirmReturn }
  /// The step of the party that confirms second.
  var completion: Step { self == .handover ? .handOver : .return }
  /// The refusal if the loan is not in the right state.
  var refusal: LoanRefusal { self == .handover ? .notAccepted : .notBorrowed }
}
