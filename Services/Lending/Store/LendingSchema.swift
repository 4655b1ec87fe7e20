import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Postgres
import Usernames

/// The schema of lending, and its statements.
package enum LendingSchema {
  package static let name = "lending"

  /// In order; a migration that was released is never edited.
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

  /// What is done at once when an account is deleted ([C-9]). A job closes and removes what books and loans hold of the user, one book at a
  /// time, as each step is published and locks its book first.
  package static let removals: [any AccountDeletionStatement.Type] = [
    NoteDeparture.self, DeleteBlocksOfUser.self, DeleteIdempotencyKeysOfUser.self,
  ]

  /// All statements of the service, which a test prepares on the migrated schema.
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
