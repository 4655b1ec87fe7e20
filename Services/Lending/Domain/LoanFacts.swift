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

  public init(ownerID: UserID?, isbn: ISBN, status: BookStatus, waiting: Int, isRetired: Bool) {
    self.ownerID = ownerID
    self.isbn = isbn
    self.status = status
    self.waiting = waiting
    self.isRetired = isRetired
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
  /// Whether the owner recalled the book.
  public var isRecalled: Bool

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
