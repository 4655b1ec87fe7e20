import CatalogDomain
import TTRPC
import TandemCatalog
import UserCalls

/// The statuses of refusals: one place for every reason and text.
extension Status {
  /// [CA-26].
  static let noSuchPhoto = Status(CatalogReason.photoNotFound, "There is no such photograph")

  /// [CA-26].
  static let tooManyPhotos = Status(CatalogReason.tooManyPhotos, "A book has 10 photographs at most; delete one first")

  static let noSuchBook = Status(CatalogReason.bookNotFound, "There is no such book")

  /// [CA-21]. Where no record is loaded, it is not the ISBN that is wrong.
  static func noSuchEdition(amongRecords hasRecords: Bool) -> Status {
    Status(CatalogReason.editionNotFound, unknownISBN(amongRecords: hasRecords))
  }

  static func unknownISBN(amongRecords hasRecords: Bool) -> String {
    let text = "Nothing is known about this ISBN"
    return hasRecords ? text : text + ": no records of books are loaded here"
  }

  /// [CA-21].
  static func titleMismatch(with title: String) -> Status {
    Status(
      CatalogReason.isbnTitleMismatch,
      "The ISBN belongs to a book with another title; correct one of them, or confirm the title",
      metadata: ["title": title])
  }

  static let tooManyCommentsInAll = Status(
    CatalogReason.storageQuotaExceeded,
    "This is more than may be stored of you: at most \(CommentRules.maxInAll) comments",
    metadata: ["kind": "comments", "limit": "\(CommentRules.maxInAll)"])
  static let tooManyBooks = Status(CatalogReason.tooManyBooks, "You have as many books as anybody can have")

  /// [CA-23].
  static let notTheOwner = Status(CatalogReason.notTheOwner, "Only the owner of a book may change or delete it")

  /// [CA-24].
  static let notAvailable = Status(
    CatalogReason.bookNotAvailable, "Deleting is not permitted until its status is available")

  /// [CA-27].
  static let noSuchComment = Status(CatalogReason.commentNotFound, "There is no such comment")

  /// [CA-27].
  static let notTheAuthor = Status(CatalogReason.notTheAuthor, "Only its author may change a comment")

  /// [CA-27].
  static let tooManyComments = Status(
    CatalogReason.tooManyComments,
    "You have \(CommentRules.maxPerUser) comments on this book, as many as anybody can; edit or delete one")

  /// [CA-28].
  static let tooManyRatings = Status(CatalogReason.tooManyRatings, "You have rated as many books as anybody can")

  /// [CA-28].
  static let noSuchRating = Status(CatalogReason.ratingNotFound, "You have not rated this book")

  /// [CA-28].
  static let noHistory = Status(CatalogReason.noHistory, "Borrow a book first; then others can be recommended")

  /// [CA-24]: it is unknown whether lending retired the book; the job of the deletion asks again.
  static let lendingUnavailable = Status(
    CatalogReason.lendingUnavailable,
    "Whether the book may be deleted could not be asked; it is deleted, or stays, as soon as it can",
    retryAfter: .seconds(5))

  /// [CA-2]: lending knows the towns without gyms.
  static let townsUnavailable = Status(
    CatalogReason.lendingUnavailable,
    "No gym is in a place of that name, and towns without gyms cannot be looked up at the moment; try again, or give a point",
    retryAfter: .seconds(5))

  /// [C-11].
  static let etagMismatch = Status(
    CatalogReason.etagMismatch, "The book was changed meanwhile; read it again and repeat the change")
}
