import Identifiers

/// Why something cannot be done with a comment ([CA-27]).
public enum CommentRefusal: Error, Sendable, Hashable {
  case noSuchComment
  case notTheAuthor
  /// On the book.
  case tooManyComments
  /// On all books.
  case tooManyCommentsInAll
}

/// Who may do what with a comment on a book ([CA-27]).
public struct CommentRules: Sendable {
  /// The most comments of one user on one book; further ones are edits.
  public static let maxPerUser = 20
  /// The most comments of one user on all books; those on returns count, and are never refused.
  public static let maxInAll: Int64 = 2_000

  private let author: UserID
  private let bookOwner: UserID

  public init(author: UserID, bookOwner: UserID) { (self.author, self.bookOwner) = (author, bookOwner) }

  /// Whether a user may write a further comment on a book.
  ///
  /// - Parameters:
  ///   - ofBook: how many of the user's there are on it.
  ///   - inAll: how many on all books.
  public static func checkNew(ofBook: Int64, inAll: Int64) throws(CommentRefusal) {
    guard ofBook < maxPerUser else { throw .tooManyComments }
    guard inAll < maxInAll else { throw .tooManyCommentsInAll }
  }

  /// A text stays what its author wrote.
  public func checkEdit(by user: UserID) throws(CommentRefusal) {
    guard user == author else { throw .notTheAuthor }
  }

  /// The owner of the book removes what does not belong on it.
  public func checkDeletion(by user: UserID) throws(CommentRefusal) {
    guard user == author || user == bookOwner else { throw .notTheAuthor }
  }
}
