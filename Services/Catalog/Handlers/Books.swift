import Ambient
import CatalogStore
import Cryptography
import Events
import Idempotency
import Jobs
import Pagination
import Pictures
import Postgres
import TTRPC
import TandemCatalog

/// Books that people own, and what is known of books in general; a file for each method.
package struct Books: BooksService {
  let database: Database
  let ambient: Ambient
  let events: Outbox
  let pages: Pages
  let replays: Replays
  let census: WordCensus
  let uploads: PictureUploads
  let pictures: PictureStore
  let deletions: Deletions
  let jobs: Jobs
  let lending: (any RPCChannel)?

  /// Handlers over `database`.
  ///
  /// - Parameters:
  ///   - seal: for page tokens, and for the answers that are kept to be repeated ([C-4], [C-5]).
  ///   - deletions: decides which books may be deleted.
  ///   - jobs: have recommendations made anew.
  ///   - lending: knows who has asked for a book; `nil` in a suite without it.
  package init(
    database: Database, ambient: Ambient, seal: Seal, events: Outbox, census: WordCensus, uploads: PictureUploads,
    deletions: Deletions, jobs: Jobs, lending: (any RPCChannel)?
  ) {
    self.database = database
    self.ambient = ambient
    self.events = events
    self.deletions = deletions
    self.jobs = jobs
    self.lending = lending
    pages = Pages(seal: seal, clock: ambient.clock)
    self.census = census
    self.uploads = uploads
    pictures = PictureStore(database: database)
    replays = Replays(database: database, seal: seal, clock: ambient.clock)
  }

  /// The number of a change that the transaction is about to make to the caller's own books; locks the caller's row.
  func nextChange(_ effect: CountEffect, by person: PersonID, _ tx: Transaction) async throws -> Int64 {
    try await tx.nextChange(of: OwnBooks.self, effect, by: person, atLimit: .tooManyBooks)
  }

  /// A book of the caller's own, locked; after ``nextChange(_:by:_:)``.
  func lockedBook(_ id: BookID, of person: PersonID, _ etag: String, _ tx: Transaction) async throws -> StoredBook {
    guard let book = try await tx.first(LockedBook(id, seenBy: person)) else { throw Status.noSuchBook }
    guard book.ownerID == person else { throw Status.notTheOwner }
    guard etag.isEmpty || etag == book.etag else { throw Status.etagMismatch }
    return book
  }
}
