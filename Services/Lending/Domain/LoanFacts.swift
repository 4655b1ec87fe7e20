import Identifiers

/// One of the two sides of a loan.
public enum Party: String, Sendable, Hashable, CaseIterable {
  /// Whose book it is.
  case owner = "OWNER"
  /// Who asks for it.
  case borrower = "BORROWER"

  /// The other side.
  public var other: Party { self == .owner ? .borrower : .owner }
}

/// What a decision about a book needs to know of it.
public struct BookFacts: Sendable, Hashable {
  /// `nil` when they deleted their account.
  public var ownerID: UserID?
  /// By which it changes hands.
  public var isbn: ISBN
  /// Where it is.
  public var status: BookStatus
  /// How many requests wait.
  public var waiting: Int
  /// Whether it was deleted, or is about to be.
  public var isRetired: Bool

  /// Names the parts.
  public init(ownerID: UserID?, isbn: ISBN, status: BookStatus, waiting: Int, isRetired: Bool) {
    self.ownerID = ownerID
    self.isbn = isbn
    self.status = status
    self.waiting = waiting
    self.isRetired = isRetired
  }
}

/// Who asks for a book.
public struct Asker: Sendable, Hashable {
  /// Who it is.
  public var id: UserID
  /// Whether a request of theirs for this book waits.
  public var waitsForBook: Bool
  /// How many of their requests wait, for whatever book.
  public var waiting: Int
  /// How often they asked for this book within the last day, without loans that are over.
  public var asked: Int
  /// Whether they or the owner have blocked the other.
  public var isBlocked: Bool

  /// Names the parts.
  public init(id: UserID, waitsForBook: Bool, waiting: Int, asked: Int, isBlocked: Bool) {
    self.id = id
    self.waitsForBook = waitsForBook
    self.waiting = waiting
    self.asked = asked
    self.isBlocked = isBlocked
  }
}

/// What a decision about a loan needs to know of it.
public struct LoanFacts: Sendable, Hashable {
  /// `nil` when they deleted their account.
  public var ownerID: UserID?
  /// `nil` when they deleted their account.
  public var borrowerID: UserID?
  /// What became of it.
  public var state: LoanState
  /// Who confirmed the handover.
  public var handover: Set<Party>
  /// Who confirmed the return.
  public var giveBack: Set<Party>
  /// Whether the owner asked for the book back.
  public var isRecalled: Bool

  /// Names the parts.
  public init(
    ownerID: UserID?, borrowerID: UserID?, state: LoanState, handover: Set<Party> = [], giveBack: Set<Party> = [],
    isRecalled: Bool = false
  ) {
    self.ownerID = ownerID
    self.borrowerID = borrowerID
    self.state = state
    self.handover = handover
    self.giveBack = giveBack
    self.isRecalled = isRecalled
  }

  /// The side that somebody is on.
  ///
  /// - Throws: `noSuchLoan` for everybody else: whether there is one is none of their business.
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

/// When a book changes hands.
public enum Exchange: Sendable, Hashable, CaseIterable {
  /// From the owner to the borrower ([LE-9]).
  case handover
  /// Back to the owner ([LE-10]).
  case giveBack

  /// The step of who confirms it first.
  var confirmation: Step { self == .handover ? .confirmHandover : .confirmReturn }
  /// The step of who confirms it second.
  var completion: Step { self == .handover ? .handOver : .return }
  /// Why it is not the time for it.
  var refusal: LoanRefusal { self == .handover ? .notAccepted : .notBorrowed }
}
