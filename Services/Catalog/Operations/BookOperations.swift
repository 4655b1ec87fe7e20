import CatalogDomain
import CatalogStore
import Environment
import Events
import Identifiers
import Jobs
import Pictures
import Postgres
import TTRPC

/// What the catalog does with users' books, and with what belongs to them: comments, ratings, photographs, links. One use case a file, named
/// by its verb.
///
/// An operation locks, lets the domain decide, stores the decision, publishes it and schedules what follows. It takes the transaction of
/// its caller, a call, an event or a job, and begins none: a call stores its answer in the same one ([C-4]), and tries again from the
/// beginning after a conflict. One without a transaction only reads, or asks another service, which no transaction may wait for, and keeps
/// what that answered.
package struct BookOperations: Sendable {
  let database: Database
  let environment: Environment
  let events: Outbox
  let jobs: Jobs
  let lending: (any RPCChannel)?
  let termStatistics: TermStatistics
  let pictures: PictureStore

  /// - Parameters:
  ///   - jobs: queues the computation of recommendations, and the completion of deletions.
  ///   - lending: decides which books may be deleted, and knows the users who requested one; `nil` in a deployment without it, where books
  ///     cannot be requested: the stored status decides.
  ///   - termStatistics: how common words are.
  package init(
    database: Database, environment: Environment, events: Outbox, jobs: Jobs, lending: (any RPCChannel)?,
    termStatistics: TermStatistics
  ) {
    self.database = database
    self.environment = environment
    self.events = events
    self.jobs = jobs
    self.lending = lending
    self.termStatistics = termStatistics
    pictures = PictureStore(database: database)
  }

  /// The number of the next change of a user's books, for this transaction; locks the user's row.
  func nextChange(_ effect: CountEffect, by user: UserID, _ tx: Transaction) async throws -> Int64 {
    try await tx.nextChange(NextBookChange(userID: user, effect: effect), atLimit: BookRefusal.tooManyBooks)
  }

  /// One of a user's books, locked; call it after ``nextChange(_:by:_:)``.
  ///
  /// - Parameter revision: that of the book as the user knows it; `nil` for any.
  func lockedBook(
    _ id: BookID, of user: UserID, expecting revision: Int64? = nil, _ tx: Transaction
  ) async throws -> StoredBook {
    try (try await tx.first(LockedBook(bookID: id, viewerID: user))).owned(by: user, expecting: revision)
  }

  /// One of a user's books as it is now.
  ///
  /// - Parameter revision: that of the book as the user knows it; `nil` for any.
  /// - Throws: `noSuchBook`, `notTheOwner`, `changed`.
  @discardableResult
  package func requireOwnBook(
    _ id: BookID, of user: UserID, expecting revision: Int64? = nil
  ) async throws -> StoredBook {
    try (try await database.first(BookByID(bookID: id, viewerID: user))).owned(by: user, expecting: revision)
  }
}

extension StoredBook? {
  fileprivate func owned(by user: UserID, expecting revision: Int64?) throws(BookRefusal) -> StoredBook {
    guard let book = self else { throw .noSuchBook }
    try BookRefusal.check(book.ownerID, book.revision, isChangedBy: user, expecting: revision)
    return book
  }
}
