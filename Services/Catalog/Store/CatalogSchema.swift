import Events
import Idempotency
import Identifiers
import Jobs
import Postgres

/// Whom an id identifies here.
package enum Person {}
/// See ``Person``.
package typealias PersonID = Identifier<Person>
/// A copy of a book that somebody owns.
package enum OwnedBook {}
/// See ``OwnedBook``.
package typealias BookID = Identifier<OwnedBook>
/// What somebody said about a book.
package enum BookComment {}
/// See ``BookComment``.
package typealias CommentID = Identifier<BookComment>

/// The schema that the catalog owns, and the statements that it knows.
package enum CatalogSchema {
  /// The schema's name.
  package static let name = "catalog"

  /// How it is made, in order; a step that has landed is never edited.
  package static let migrations = [
    Migration(file: "V0001_schema.sql", bytes: PackageResources.V0001_schema_sql),
    EventsSchema.migration(version: 2),
    JobsSchema.migration(version: 3),
    IdempotencySchema.migration(version: 4),
    Migration(file: "V0005_books.sql", bytes: PackageResources.V0005_books_sql),
    Migration(file: "V0006_gyms.sql", bytes: PackageResources.V0006_gyms_sql),
  ]

  /// What is removed, or made nobody's, when a person leaves ([C-9]): every table with people's data adds its statement here. The person's
  /// own row comes first, as it does in every other transaction.
  package static let removals: [any PersonRemoval.Type] = [
    NoteDeparture.self, DeleteCommentsOfPerson.self, DeleteBooksOfPerson.self, ForgetBorrower.self,
    DeletePresenceOfPerson.self,
    DeleteReplaysOfPerson.self,
  ]

  /// Every statement of the service, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] =
    EventsSchema.statements + JobsSchema.statements + IdempotencySchema.statements + removals + [
      NextChange.self, EnterPerson.self, NamePerson.self, ChangesOfPerson.self,
      EditionByISBN.self,
      InsertBook.self, BookByID.self, LockedBook.self, ReplaceBook.self, MarkBookDeleted.self, SetBookStatus.self,
      BooksOfOwner.self, ChangedBooks.self, BooksWithKeywords.self, SimilarBooks.self,
      InsertComment.self, CommentsBefore.self,
      GymByID.self, NearestGyms.self, WordsBeginning.self, WordsSpeltLike.self, GymsWithWords.self, ZoneChanges.self,
      KnownGyms.self, StoreUsage.self, NotePresence.self, DeleteOldPresences.self,
    ]
}
