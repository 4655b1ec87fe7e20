import Identifiers

/// Who may do what with a comment on a book ([CA-27]).
public struct CommentRules: Sendable {
  /// The most comments of one user on one book; further ones are edits.
  public static let maxPerUser = 20
  /// The most comments of one user on all books; those on returns count, and are never refused.
  public static let maxInAll: Int64 = 2_000

  private let author: UserID
  private let bookOwner: UserID

  public init(author: UserID, bookOwner: UserID) { (self.author, self.bookOwner) = (author, bookOwner) }

  /// A text stays what its author wrote.
  public func mayEdit(_ user: UserID) -> Bool { user == author }

  /// The owner of the book removes what does not belong on it.
  public func mayDelete(_ user: UserID) -> Bool { user == author || user == bookOwner }
}
