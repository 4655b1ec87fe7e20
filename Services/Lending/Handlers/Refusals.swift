import FieldViolations
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending
import UserCalls

/// The statuses of refusals: one place for every reason and text.
extension LoanRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchBook: Status(LendingReason.bookNotFound, "There is no such book")
    case .noSuchLoan: Status(LendingReason.loanNotFound, "There is no such request or loan")
    case .ownBook: Status(LendingReason.ownBook, "The book is your own")
    case .alreadyRequested:
      Status(LendingReason.alreadyRequested, "You have asked for this book already")
    case .notRequestable:
      Status(LendingReason.notRequestable, "The book is promised or lent")
    case .onHold: Status(LendingReason.bookOnHold, "Its owner does not lend the book at present")
    case .tooManyRequests:
      Status(LendingReason.tooManyRequests, "Too many requests wait, yours or for this book")
    case .askedTooOften:
      Status(
        LendingReason.askedTooOften, "You have asked too often today; try again tomorrow",
        retryAfter: .seconds(3_600))
    case .movedTooOften:
      Status(
        LendingReason.pickupChangedTooOften, "The place was changed too often today; try again tomorrow",
        retryAfter: .seconds(3_600))
    case .notPending:
      Status(LendingReason.notPending, "The request was answered or taken back before")
    case .notAccepted:
      Status(LendingReason.notAccepted, "The request is not accepted, or the book was handed over already")
    case .notBorrowed: Status(LendingReason.notBorrowed, "The book is not borrowed just now")
    case .notTheOwner: Status(LendingReason.notTheOwner, "Only the owner of the book may do this")
    case .notTheBorrower:
      Status(LendingReason.notTheBorrower, "Only who asked for the book may do this")
    case .isbnMismatch:
      Status(LendingReason.isbnMismatch, "This is the ISBN of another book")
    case .notAvailable:
      Status(LendingReason.bookNotAvailable, "Deleting is not permitted until its status is available")
    case .notHoldable:
      // The reason of a book that is not deleted, too, which is told in other words.
      Status(LendingReason.bookNotAvailable, "A book that is promised or lent cannot be put on hold")
    case .notRecalled: Status(LendingReason.notRecalled, "Ask for the book back first")
    case .returnNotConfirmed: Status(LendingReason.returnNotConfirmed, "Confirm the return by the ISBN first")
    case .commentOfOwner:
      BadFields(
        "comment", "It is the borrower who may say something on the return", LendingReason.commentOfOwner
      ).status
    case .declaredTooEarly:
      Status(
        LendingReason.declaredTooEarly, "The other one may still answer; the loan says from when on it can be ended")
    }
  }
}

extension LoanFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .noAccount: .notAUser
    case .changedMeanwhile: .concurrentChange
    case .catalogUnavailable:
      Status(
        LendingReason.catalogUnavailable, "The catalog does not answer; try again shortly", retryAfter: .seconds(1))
    }
  }
}
