import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Postgres
import Usernames

/// The schema that lending owns, and the statements that it knows.
package enum LendingSchema {
  /// The schema's name.
  package static let name = "lending"

  /// How it is made, in order; a step that has landed is never edited.
  package static let migrations = [
    Migration(file: "V0001_schema.sql", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.migration(version: 2),
    JobsSchema.migration(version: 3),
    IdempotencySchema.migration(version: 4),
    Migration(file: "V0005_loans.sql", bytes: PackageResources.V0005_loans_sql),
    Migration(file: "V0006_places.sql", bytes: PackageResources.V0006_places_sql),
    Migration(file: "V0007_missed_news.sql", bytes: PackageResources.V0007_missed_news_sql),
    EventsSchema.upkeep(version: 8),
  ]

  /// What is done in the moment in which a user leaves ([C-9]). What books and loans hold of them is closed and removed by a job, a book at a
  /// time, because steps are told of and each of them locks its book first.
  package static let removals: [any AccountDeletionStatement.Type] = [
    NoteDeparture.self, DeleteBlocksOfUser.self, DeleteIdempotencyKeysOfUser.self,
  ]

  /// Every statement of the service, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] =
    AccountDeletionsSchema.statements(for: removals) + EventsSchema.statements + JobsSchema.statements
    + IdempotencySchema.statements + BlocksSchema.statements + UsernamesSchema.statements + [
      EnteredUser.self, EnterUser.self, IntroduceUser.self, UnsettledUser.self,
      MarkSettled.self,
      PutBook.self, KnownBook.self, LockedBook.self, LockedBookOfLoan.self, BookOfOwner.self, MarkRetired.self,
      StatusesOfBooks.self, BooksWaitedFor.self,
      AskerOfBook.self, InsertLoan.self, LoanByID.self, MoveLoan.self, AddComment.self, ReturnCommentsAfter.self,
      DeclineOthers.self,
      LoansOfBorrower.self, LoansOfBorrowerInState.self, RequestsForBook.self, RequestedBooks.self, LentBooks.self,
      HistoryOfBook.self, HistoryOfLoan.self, DueCalendar.self, CitiesNamed.self,
      PlacesNamed.self,
      BooksOfDeparted.self, BooksBetween.self, BlockedRequests.self, OpenLoans.self, ForgetActor.self,
      ForgetParty.self, ForgetOwner.self,
      ReleaseOrphan.self, DeleteOrphans.self, DeleteOrphan.self, ForgetDescriptions.self,
    ]
}
