/// Where a book is on its way from owner to borrower and back; lending alone changes it.
public enum BookStatus: String, Sendable, Hashable, CaseIterable {
  /// There is no request for it; becomes requested.
  case available = "AVAILABLE"
  /// At least one user has requested it; becomes accepted, or available again.
  case requested = "REQUESTED"
  /// The owner accepted a request; becomes borrowed, or available again.
  case accepted = "ACCEPTED"
  /// A borrower has it; becomes available again.
  case borrowed = "BORROWED"

  /// Whether a borrower has it, or is promised it.
  public var isHeldByBorrower: Bool { self == .accepted || self == .borrowed }

  /// Whether its owner may delete the book ([CA-24]).
  public func checkDeletion() throws(BookRefusal) {
    guard self == .available else { throw .notAvailable }
  }
}

/// Which books a search looks at ([CA-25]).
public enum SearchScope: Sendable, Hashable, CaseIterable {
  /// Those that can be requested.
  case available
  /// Those that cannot be requested.
  case unavailable

  /// The statuses of the books in this scope.
  public var statuses: [BookStatus] {
    switch self {
    case .available: [.available, .requested]
    case .unavailable: [.accepted, .borrowed]
    }
  }

  /// The notice of an answer without books ([C-7]).
  public var emptyNotice: String {
    switch self {
    case .available: "No match book"
    case .unavailable: "No match book is found"
    }
  }
}
