// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Postgres
import Usernames

extension LendingSchema {
  /// In order; a migration that was released is never edited.
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "schema", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.events(version: 2),
    JobsSchema.jobs(version: 3),
    IdempotencySchema.replays(version: 4),
    Migration(version: 5, name: "loans", bytes: PackageResources.V0005_loans_sql),
    Migration(version: 6, name: "places", bytes: PackageResources.V0006_places_sql),
    Migration(version: 7, name: "missed_news", bytes: PackageResources.V0007_missed_news_sql),
    EventsSchema.eventsUpkeep(version: 8),
    Migration(version: 9, name: "users", bytes: PackageResources.V0009_users_sql),
    Migration(version: 10, name: "stuck_returns", bytes: PackageResources.V0010_stuck_returns_sql),
    Migration(version: 11, name: "pickup_places", bytes: PackageResources.V0011_pickup_places_sql),
    Migration(version: 12, name: "ways_out", bytes: PackageResources.V0012_ways_out_sql),
    Migration(version: 13, name: "exactness", bytes: PackageResources.V0013_exactness_sql),
    Migration(version: 14, name: "postcodes", bytes: PackageResources.V0014_postcodes_sql),
  ]

  /// Every statement, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] = Array(
    [
      own,
      EventsSchema.statements,
      JobsSchema.statements,
      IdempotencySchema.statements,
      BlocksSchema.statements,
      UsernamesSchema.statements,
      AccountDeletionsSchema.statements,
    ].joined())

  private static let own: [any Statement.Type] = [
    PutBook.self,
    PutBooks.self,
    KnownBook.self,
    LockedBook.self,
    LockedBookOfLoan.self,
    LockBooks.self,
    BookOfOwner.self,
    MarkRetired.self,
    RetireAvailableBooks.self,
    HoldBook.self,
    ReleaseBook.self,
    StatusesOfBooks.self,
    BooksWaitedFor.self,
    RequestedBooks.self,
    ForgetDescriptions.self,
    BooksOfDeletedAccount.self,
    BooksBetween.self,
    BlockedRequests.self,
    OpenLoans.self,
    ReturnsToComplete.self,
    ForgetActor.self,
    ForgetParty.self,
    ForgetOwner.self,
    ReleaseOrphan.self,
    DeleteOrphans.self,
    DeleteOrphan.self,
    HistoryOfBook.self,
    HistoryOfLoan.self,
    CountPickupChanges.self,
    LoanByID.self,
    MoveLoan.self,
    AddComment.self,
    ReturnCommentsAfter.self,
    DeclineOthers.self,
    DeclineAll.self,
    LoansOfBorrower.self,
    LoansOfBorrowerInState.self,
    RequestsForBook.self,
    AnsweredRequestsForBook.self,
    ScannedLoans.self,
    ChangedLoans.self,
    ChangeNumbering.self,
    LoansByIDs.self,
    LentBooks.self,
    AskerOfBook.self,
    InsertLoan.self,
    DueCalendar.self,
    DueDayStart.self,
    CitiesNamed.self,
    LargestCityNamed.self,
    PlacesNamed.self,
    PostcodesNamed.self,
    HasStreetsNear.self,
    PlacesAround.self,
    LargestCitiesAround.self,
    CountriesWithCities.self,
    ProvincesOfCountry.self,
    CitiesOfCountry.self,
    LoadedCities.self,
    EnteredUser.self,
    LockRequestsOfUser.self,
    EnterUser.self,
    EnterUsers.self,
    ShareUsers.self,
    IntroduceUser.self,
    MarkAccountDeleted.self,
    UserToCleanUp.self,
    MarkCleanedUp.self,
  ]
}
