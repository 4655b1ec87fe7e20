import Environment
import CatalogStore
import Cryptography
import Events
import Idempotency
import Identifiers
import Jobs
import LinkMisses
import Pagination
import Pictures
import Postgres
import TTRPC
import TandemCatalog

/// The users' books and the bibliographic records; each method is in its own file.
package struct Books: BooksService {
  let database: Database
  let environment: Environment
  let events: Outbox
  let pages: Pages
  let idempotency: IdempotencyStore
  let termStatistics: TermStatistics
  let turns: SearchTurns
  let uploads: PictureUploads
  let pictures: PictureStore
  let deletions: Deletions
  let jobs: Jobs
  let lending: (any RPCChannel)?
  let misses: LinkMissCounter

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - turns: those of searches.
  ///   - deletions: decides which books may be deleted.
  ///   - jobs: queues the computation of recommendations.
  ///   - lending: knows the users who requested a book; `nil` in a deployment without it.
  package init(
    database: Database, environment: Environment, seal: Seal, events: Outbox, termStatistics: TermStatistics,
    turns: SearchTurns,
    uploads: PictureUploads,
    deletions: Deletions, jobs: Jobs, lending: (any RPCChannel)?
  ) {
    self.database = database
    self.environment = environment
    self.events = events
    self.deletions = deletions
    self.jobs = jobs
    self.lending = lending
    misses = LinkMissCounter(database: database, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
    self.termStatistics = termStatistics
    self.turns = turns
    self.uploads = uploads
    pictures = PictureStore(database: database)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// The number of the next change of the caller's books, for this transaction; locks the caller's row.
  func nextChange(_ effect: CountEffect, by user: UserID, _ tx: Transaction) async throws -> Int64 {
    try await tx.nextChange(NextBookChange(userID: user, effect: effect), atLimit: .tooManyBooks)
  }

  /// One of the caller's books, locked; call it after ``nextChange(_:by:_:)``.
  func lockedBook(_ id: BookID, of user: UserID, _ etag: String, _ tx: Transaction) async throws -> StoredBook {
    guard let book = try await tx.first(LockedBook(bookID: id, viewerID: user)) else { throw Status.noSuchBook }
    guard book.ownerID == user else { throw Status.notTheOwner }
    guard etag.isEmpty || etag == book.etag else { throw Status.etagMismatch }
    return book
  }
}
