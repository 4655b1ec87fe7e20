public import Identifiers

/// Why something cannot be done with a book, or be learnt of one.
public enum BookRefusal: Error, Sendable, Hashable {
  /// There is none, or its owner and the user have blocked each other ([C-10]).
  case noSuchBook
  /// [CA-23].
  case notTheOwner
  /// It was changed after the user read it ([C-11]).
  case changed
  /// It is requested, or lent ([CA-24]).
  case notAvailable
  case tooManyBooks
  /// The title is none of the ISBN's record, whose main title is given ([CA-21]).
  case titleMismatch(with: RecordedTitle)
  /// Nothing is known about the ISBN ([CA-21]). Where no record is loaded, it is not the ISBN that is wrong.
  case noSuchEdition(amongRecords: Bool)
  /// [CA-26].
  case noSuchPhoto
  /// [CA-26].
  case tooManyPhotos

  /// Whether a user may change a book.
  ///
  /// - Parameters:
  ///   - revision: the book's.
  ///   - known: that of the book as the user knows it; `nil` for any.
  public static func check(
    _ owner: UserID, _ revision: Int64, isChangedBy user: UserID, expecting known: Int64?
  ) throws(BookRefusal) {
    guard owner == user else { throw .notTheOwner }
    guard known == nil || known == revision else { throw .changed }
  }
}

/// The main title of an ISBN's record, which descriptions, and so logs, leave out.
public struct RecordedTitle: Sendable, Hashable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { "a title" }
}

/// Why something cannot be done with a rating of a book, or be recommended ([CA-28]).
public enum RatingRefusal: Error, Sendable, Hashable {
  case noSuchRating
  case tooManyRatings
  /// The user has never borrowed a book.
  case noHistory
}

/// Why something cannot be done with a link to a book or workout ([CA-15]).
public enum ShareRefusal: Error, Sendable, Hashable {
  /// The link was revoked, or never existed.
  case noSuchShare
  /// The book has as many links as any can have.
  case tooManyOfBook
  /// The workout has as many links as any can have.
  case tooManyOfWorkout
}
