import LendingDomain
import TTRPC

/// The statuses of refusals: one place for every reason and text.
extension LoanRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchBook: Status(.notFound, reason: "BOOK_NOT_FOUND", "There is no such book")
    case .noSuchLoan: Status(.notFound, reason: "LOAN_NOT_FOUND", "There is no such request or loan")
    case .ownBook: Status(.failedPrecondition, reason: "OWN_BOOK", "The book is your own")
    case .alreadyRequested:
      Status(.failedPrecondition, reason: "ALREADY_REQUESTED", "You have asked for this book already")
    case .notRequestable:
      Status(.failedPrecondition, reason: "NOT_REQUESTABLE", "The book is promised or lent to somebody")
    case .tooManyRequests:
      Status(.resourceExhausted, reason: "TOO_MANY_REQUESTS", "Too many requests wait, yours or for this book")
    case .askedTooOften:
      Status(
        .resourceExhausted, reason: "ASKED_TOO_OFTEN",
        "You have asked for this book too often today; try again tomorrow",
        retryAfter: .seconds(3_600))
    case .notPending:
      Status(.failedPrecondition, reason: "NOT_PENDING", "The request was answered or taken back before")
    case .notAccepted:
      Status(
        .failedPrecondition, reason: "NOT_ACCEPTED", "The request is not accepted, or the book was handed over already")
    case .notBorrowed: Status(.failedPrecondition, reason: "NOT_BORROWED", "The book is not borrowed just now")
    case .notTheOwner: Status(.permissionDenied, reason: "NOT_THE_OWNER", "Only the owner of the book may do this")
    case .notTheBorrower:
      Status(.permissionDenied, reason: "NOT_THE_BORROWER", "Only who asked for the book may do this")
    case .isbnMismatch:
      Status(.failedPrecondition, reason: "ISBN_MISMATCH", "This is the ISBN of another book")
    case .notAvailable:
      Status(
        .failedPrecondition, reason: "BOOK_NOT_AVAILABLE",
        "Deleting is not permitted until its status is available")
    }
  }
}

extension Status {
  /// The user deleted the account a moment ago, or the token does not belong to a user.
  static let notAUser = Status(
    .unauthenticated, reason: "TOKEN_INVALID", "The access token is not that of somebody who has an account")

  /// A transaction that had not locked the book changed the same loan; should not happen, and nothing is overwritten.
  static let decidedOtherwise = Status(
    .aborted, reason: "CONCURRENT_CHANGE", "Somebody changed the same thing; try again", retryAfter: .zero)

  /// The book is unknown here, and the catalog cannot be asked.
  static let catalogUnavailable = Status(
    .unavailable, reason: "CATALOG_UNAVAILABLE", "The catalog does not answer; try again shortly",
    retryAfter: .seconds(1))
}
