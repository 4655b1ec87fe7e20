import CatalogDomain
import TTRPC

/// The statuses of refusals: one place for every reason and text.
extension Status {
  /// The user deleted the account a moment ago, or the token does not belong to a user.
  static let notAUser = Status(
    .unauthenticated, reason: "TOKEN_INVALID", "The access token is not that of somebody who has an account")

  /// [CA-26].
  static let noSuchPhoto = Status(.notFound, reason: "PHOTO_NOT_FOUND", "There is no such photograph")

  /// [CA-26].
  static let tooManyPhotos = Status(
    .resourceExhausted, reason: "TOO_MANY_PHOTOS", "A book has 10 photographs at most; delete one first")

  static let noSuchBook = Status(.notFound, reason: "BOOK_NOT_FOUND", "There is no such book")

  /// [CA-21].
  static let noSuchEdition = Status(.notFound, reason: "EDITION_NOT_FOUND", "Nothing is known about this ISBN")

  /// [CA-21].
  static func titleMismatch(with title: String) -> Status {
    Status(
      .failedPrecondition, reason: "ISBN_TITLE_MISMATCH",
      "The ISBN belongs to a book with another title; correct one of them, or confirm the title",
      metadata: ["title": title])
  }

  static let tooManyBooks = Status(
    .resourceExhausted, reason: "TOO_MANY_BOOKS", "You have as many books as anybody can have")

  /// [CA-23].
  static let notTheOwner = Status(
    .permissionDenied, reason: "NOT_THE_OWNER", "Only the owner of a book may change or delete it")

  /// [CA-24].
  static let notAvailable = Status(
    .failedPrecondition, reason: "BOOK_NOT_AVAILABLE", "Deleting is not permitted until its status is available")

  /// [CA-28].
  static let tooManyRatings = Status(
    .resourceExhausted, reason: "TOO_MANY_RATINGS", "You have rated as many books as anybody can")

  /// [CA-28].
  static let noSuchRating = Status(.notFound, reason: "RATING_NOT_FOUND", "You have not rated this book")

  /// [CA-28].
  static let noHistory = Status(
    .failedPrecondition, reason: "NO_HISTORY", "Borrow a book first; then others can be recommended")

  /// [CA-24]: it is unknown whether lending retired the book; the job of the deletion asks again.
  static let lendingUnavailable = Status(
    .unavailable, reason: "LENDING_UNAVAILABLE",
    "Whether the book may be deleted could not be asked; it is deleted, or stays, as soon as it can",
    retryAfter: .seconds(5))

  /// [C-11].
  static let etagMismatch = Status(
    .aborted, reason: "ETAG_MISMATCH", "The book was changed meanwhile; read it again and repeat the change")
}
