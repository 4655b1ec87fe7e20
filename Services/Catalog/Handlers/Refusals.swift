import CatalogDomain
import CatalogOperations
import FieldViolations
import TTRPC
import TandemCatalog
import UserCalls

/// The statuses of refusals: one place for every reason and text.
extension BookRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchBook: Status(CatalogReason.bookNotFound, "There is no such book")
    case .notTheOwner: Status(CatalogReason.notTheOwner, "Only the owner of a book may change or delete it")
    case .changed:
      Status(CatalogReason.etagMismatch, "The book was changed meanwhile; read it again and repeat the change")
    case .notAvailable:
      Status(CatalogReason.bookNotAvailable, "Deleting is not permitted until its status is available")
    case .tooManyBooks: Status(CatalogReason.tooManyBooks, "You have as many books as anybody can have")
    case .titleMismatch(let title):
      Status(
        CatalogReason.isbnTitleMismatch,
        "The ISBN belongs to a book with another title; correct one of them, or confirm the title",
        metadata: ["title": title.text])
    case .noSuchEdition(let amongRecords):
      Status(CatalogReason.editionNotFound, Self.unknownISBN(amongRecords: amongRecords))
    case .noSuchPhoto: Status(CatalogReason.photoNotFound, "There is no such photograph")
    case .tooManyPhotos:
      Status(CatalogReason.tooManyPhotos, "A book has 10 photographs at most; delete one first")
    }
  }

  static func unknownISBN(amongRecords hasRecords: Bool) -> String {
    let text = "Nothing is known about this ISBN"
    return hasRecords ? text : text + ": no records of books are loaded here"
  }
}

extension CommentRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchComment: Status(CatalogReason.commentNotFound, "There is no such comment")
    case .notTheAuthor: Status(CatalogReason.notTheAuthor, "Only its author may change a comment")
    case .tooManyComments:
      Status(
        CatalogReason.tooManyComments,
        "You have \(CommentRules.maxPerUser) comments on this book, as many as anybody can; edit or delete one")
    case .tooManyCommentsInAll:
      Status(
        CatalogReason.storageQuotaExceeded,
        "This is more than may be stored of you: at most \(CommentRules.maxInAll) comments",
        metadata: ["kind": "comments", "limit": "\(CommentRules.maxInAll)"])
    }
  }
}

extension RatingRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchRating: Status(CatalogReason.ratingNotFound, "You have not rated this book")
    case .tooManyRatings: Status(CatalogReason.tooManyRatings, "You have rated as many books as anybody can")
    case .noHistory: Status(CatalogReason.noHistory, "Borrow a book first; then others can be recommended")
    }
  }
}

extension ShareRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchShare: Status(CatalogReason.shareNotFound, "The link leads nowhere")
    case .tooManyOfBook: Status(CatalogReason.tooManyShares, "The book has as many links as any can have; revoke one")
    case .tooManyOfWorkout:
      Status(CatalogReason.tooManyShares, "The workout has as many links as any can have; revoke one")
    }
  }
}

extension WorkoutRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchWorkout: Status(CatalogReason.workoutNotFound, Self.noSuchWorkoutText)
    case .curated:
      Status(CatalogReason.curatedWorkout, "A curated workout is everybody's; save it as a personal one first")
    case .changed:
      Status(CatalogReason.etagMismatch, "The workout was changed meanwhile; read it again and repeat the change")
    case .tooManyWorkouts: Status(CatalogReason.tooManyWorkouts, "You have as many workouts as anybody can have")
    case .noSuchExercise: .noSuchExercise
    case .noSuchLog: Status(CatalogReason.logNotFound, "There is no such log")
    case .tooManyLogs: Status(CatalogReason.tooManyLogs, "You have as many logs as anybody can have; delete some")
    }
  }

  static let noSuchWorkoutText = "There is no such workout"
}

extension WorkoutPlan.Refusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .tooManyEntries:
      BadFields("entries", "A workout has at most \(WorkoutPlan.maxEntries) entries", CatalogReason.tooManyEntries)
        .status
    case .noSuchPosition:
      BadFields("position", "This is beyond the end of the workout", CatalogReason.positionInvalid).status
    case .noSuchEntry: Status(CatalogReason.entryNotFound, "There is no such entry in the workout")
    case .notAnOrder: BadFields("entry_ids", Self.orderText, CatalogReason.entryIdsInvalid).status
    case .noTarget: BadFields("entry.reps", Self.targetText, CatalogReason.repsRequired).status
    }
  }

  static let orderText = "The order must name each entry of the workout once"
  static let targetText = "Repetitions or a duration are needed"
}

extension CatalogFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .noAccount: .notAUser
    case .lendingUnavailable:
      Status(
        CatalogReason.lendingUnavailable,
        "Whether the book may be deleted could not be asked; it is deleted, or stays, as soon as it can",
        retryAfter: .seconds(5))
    case .townsUnavailable:
      Status(
        CatalogReason.lendingUnavailable,
        "No gym is in a place of that name, and towns without gyms cannot be looked up at the moment; try again, or give a point",
        retryAfter: .seconds(5))
    }
  }
}

extension Status {
  static let noSuchExercise = Status(CatalogReason.exerciseNotFound, "There is no such exercise")
  static let noSuchGym = Status(CatalogReason.gymNotFound, "There is no such gym")
  /// Of one user so many searches wait that a further one would never be answered in time.
  static let tooManySearches = Status(
    CatalogReason.tooManySearches, "Too many of your searches wait; try again when they are answered",
    retryAfter: .seconds(1))
}
