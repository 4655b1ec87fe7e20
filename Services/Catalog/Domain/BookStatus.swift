/// Where a book is on its way from owner to borrower and back; lending alone changes it.
public enum BookStatus: String, Sendable, Hashable, CaseIterable {
  /// Nobody wants it; becomes requested.
  case available = "AVAILABLE"
  /// Somebody asked for it; becomes accepted, or available again.
  case requested = "REQUESTED"
  /// The owner promised it; becomes borrowed, or available again.
  case accepted = "ACCEPTED"
  /// Somebody has it; becomes available again.
  case borrowed = "BORROWED"

  /// Whether its owner may delete the book ([CA-24]).
  public var permitsDeletion: Bool { self == .available }
}

/// Which books a search looks at ([CA-25]).
public enum SearchScope: Sendable, Hashable, CaseIterable {
  /// Those that can be requested.
  case available
  /// Those that cannot.
  case unavailable

  /// The statuses that belong to it.
  public var statuses: [BookStatus] {
    switch self {
    case .available: [.available, .requested]
    case .unavailable: [.accepted, .borrowed]
    }
  }

  /// What is said when nothing was found ([C-7]).
  public var emptyNotice: String {
    switch self {
    case .available: "No match book"
    case .unavailable: "No match book is found"
    }
  }
}
