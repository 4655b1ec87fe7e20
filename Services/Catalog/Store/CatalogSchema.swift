import AccountDeletions
import Blocks
import Events
import Expiry
import Idempotency
import Identifiers
import Jobs
import Pictures
import Postgres
import Usernames

/// A copy of a book that a user owns.
package enum OwnedBook {}
package typealias BookID = Identifier<OwnedBook>
/// A comment on a book.
package enum BookComment {}
package typealias CommentID = Identifier<BookComment>

/// An exercise, merged from all collections that have it.
package enum CatalogExercise {}
package typealias ExerciseID = Identifier<CatalogExercise>
/// A workout, curated or a user's own.
package enum AnyWorkout {}
package typealias WorkoutID = Identifier<AnyWorkout>
/// A log of a workout that a user performed.
package enum TrainedWorkout {}
package typealias WorkoutLogID = Identifier<TrainedWorkout>
/// A link that shares a workout.
package enum WorkoutLink {}
package typealias WorkoutShareID = Identifier<WorkoutLink>

/// The schema of the catalog, and its statements.
package enum CatalogSchema {
  package static let name = "catalog"

  /// In order; a migration that was released is never edited.
  package static let migrations = [
    Migration(file: "V0001_schema.sql", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.migration(version: 2),
    JobsSchema.migration(version: 3),
    IdempotencySchema.migration(version: 4),
    Migration(file: "V0005_books.sql", bytes: PackageResources.V0005_books_sql),
    Migration(file: "V0006_blocks.sql", bytes: PackageResources.V0006_blocks_sql),
    PicturesSchema.migration(version: 7),
    Migration(file: "V0008_book_photos.sql", bytes: PackageResources.V0008_book_photos_sql),
    Migration(file: "V0009_recommendations.sql", bytes: PackageResources.V0009_recommendations_sql),
    Migration(file: "V0010_search.sql", bytes: PackageResources.V0010_search_sql),
    Migration(file: "V0011_exercises.sql", bytes: PackageResources.V0011_exercises_sql),
    Migration(file: "V0012_workouts.sql", bytes: PackageResources.V0012_workouts_sql),
    Migration(file: "V0013_return_comments.sql", bytes: PackageResources.V0013_return_comments_sql),
    Migration(file: "V0014_gyms.sql", bytes: PackageResources.V0014_gyms_sql),
    Migration(file: "V0015_ratings.sql", bytes: PackageResources.V0015_ratings_sql),
    Migration(file: "V0016_search_parts.sql", bytes: PackageResources.V0016_search_parts_sql),
    EventsSchema.upkeep(version: 17),
  ]

  /// What is removed or anonymised when an account is deleted ([C-9]): every table with users' data adds its statement here. The user's own
  /// row comes first, as in every other transaction.
  package static let removals: [any AccountDeletionStatement.Type] = [
    NoteDeparture.self, DeleteCommentsOfUser.self, DeleteBooksOfUser.self, ForgetBorrower.self,
    DeleteWorkoutLogsOfUser.self, DeleteWorkoutsOfUser.self, DeletePresenceOfUser.self,
    DeleteIdempotencyKeysOfUser.self, DeleteBlocksOfUser.self, DeleteQuotaOfUser.self,
    DeletePastLoansOfUser.self, DeleteRatingsOfUser.self,
  ]

  /// What is removed once it has expired: every table whose rows expire adds its statement here.
  package static let expiries: [any ExpiryStatement.Type] = [
    DeleteOldPresences.self, DeleteExpiredIdempotencyKeys.self, DeleteOldQuotas.self,
  ]

  /// All statements of the service, which a test prepares on the migrated schema.
  package static let statements: [any Statement.Type] =
    EventsSchema.statements + JobsSchema.statements + IdempotencySchema.statements + PicturesSchema.statements
    + BlocksSchema.statements + UsernamesSchema.statements + removals + expiries + [
      NextChange<OwnBooks>.self, ChangesOfUser<OwnBooks>.self, NextChange<OwnWorkouts>.self,
      ChangesOfUser<OwnWorkouts>.self, EnterUser.self,
      EditionByISBN.self,
      InsertBook.self, BookByID.self, KnownBook.self, LockedBook.self, ReplaceBook.self, MarkBookDeleted.self,
      SetBookStatus.self,
      BooksOfOwner.self, ChangedBooks.self, BooksWithKeywords.self, NewestBooksWithKeywords.self,
      WordsLike.self, CommonWords.self,
      InsertComment.self, CommentsBefore.self,
      CountPhoto.self,
      InsertPastLoan.self, AnyPastLoan.self, RecommendedBooks.self, UsersReadings.self, CollectionReadings.self,
      BeginRecommendations.self, EndRecommendations.self, RemoveNeighbours.self, InsertNeighbours.self,
      TitleOfCopy.self, StoreRating.self, RemoveRating.self, CountRating.self, RatingsBefore.self,
      ExerciseByID.self, ExercisesByName.self, ExercisesWithWords.self, SimilarExercises.self, LastExerciseChange.self,
      ChangedExercises.self,
      WorkoutByID.self, EntriesOfWorkouts.self,
      ExercisesNamed.self, SuggestedExercises.self, InsertWorkout.self, ReplaceWorkout.self, ClearEntries.self,
      InsertEntries.self, MarkWorkoutDeleted.self, CuratedWorkouts.self, WorkoutsOfOwner.self, ChangedWorkouts.self,
      WorkoutsOfGroups.self, WorkoutsWithKeywords.self, SimilarWorkouts.self,
      CountWorkoutLog.self, InsertWorkoutLog.self, InsertLoggedSets.self, WorkoutLogsBefore.self, SetsOfLogs.self,
      DeleteLog.self, ExerciseTotals.self, HeaviestSets.self, OccasionsBefore.self,
      InsertShare.self, SharesOfWorkout.self, DeleteShare.self, SharedWorkoutByToken.self, ShareMissesOver.self,
      CountShareMiss.self,
      InsertReturnComments.self, LoansWithoutComment.self, ShownBooks.self,
      GymByID.self, NearestGyms.self, WordsBeginning.self, WordsSpeltLike.self, GymsWithWords.self, ZoneChanges.self,
      KnownGyms.self, StoreUsage.self, NotePresence.self,
    ]
}
