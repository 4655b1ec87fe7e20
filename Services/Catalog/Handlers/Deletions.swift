import Environment
import CatalogStore
import Events
import Identifiers
import Jobs
import Postgres
import TTRPC
import TandemEvents
import TandemLending
import Timestamps

extension JobKind where Payload == String {
  /// Completes or abandons a deletion that lending may have been asked for; payload and key are the book's id ([CA-24]).
  package static let bookDeletion = JobKind("book_deletion")
}

/// Deletes books. Lending is first asked to retire the book, which it refuses unless the book is available; afterwards no request for it
/// succeeds ([CA-24]).
///
/// A job is scheduled before lending is asked. If the call is interrupted, the job asks again and does what lending answers, so that a book
/// that is retired in lending is also deleted here.
package struct Deletions: Sendable {
  private let database: Database
  private let events: Outbox
  private let jobs: Jobs
  private let lending: (any RPCChannel)?

  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(3)
  /// When the job checks a deletion: later than one takes.
  private static let delay = Duration.seconds(15)

  /// - Parameter lending: `nil` in a deployment without lending, where books cannot be requested: the stored status decides.
  package init(database: Database, events: Outbox, jobs: Jobs, lending: (any RPCChannel)?) {
    self.database = database
    self.events = events
    self.jobs = jobs
    self.lending = lending
  }

  /// Completes deletions that were interrupted.
  package var completion: JobHandler {
    .outside(.bookDeletion) { text, _ in
      guard let id = BookID(text), let book = try await database.first(KnownBook(bookID: id)) else { return }
      do { try await retire(book) } catch let status as Status where status.code == .failedPrecondition { return }
      try await database.repeatableTransaction { tx in _ = try await delete(id, of: book.ownerID, tx) }
    }
  }

  /// Asks lending to retire a book that its owner deletes; call it outside of transactions.
  ///
  /// - Throws: `BOOK_NOT_AVAILABLE` if it may not be deleted; `LENDING_UNAVAILABLE` if lending's answer is unknown.
  func requestRetirement(_ book: StoredBook) async throws {
    guard lending != nil else { return }
    let id = "\(book.id)"
    try await database.repeatableTransaction { tx in
      try await tx.schedule(Job(.bookDeletion, id, at: jobs.environment.clock.now + Self.delay, key: id), with: jobs)
    }
    do {
      try await retire(book)
    } catch let status as Status where status.code == .failedPrecondition {
      try await database.repeatableTransaction { tx in _ = try await tx.cancel(.bookDeletion, key: id) }
      throw Status.notAvailable
    } catch is Status {
      throw Status.lendingUnavailable
    }
  }

  /// Checks whether a book could be deleted now, without any effect ([C-6]).
  func dryRun(_ book: StoredBook) async throws {
    do { try await retire(book, validateOnly: true) } catch let status as Status {
      throw status.code == .failedPrecondition ? Status.notAvailable : Status.lendingUnavailable
    }
  }

  /// Deletes a book that lending has retired.
  ///
  /// - Returns: the time of deletion; `nil` if the book does not exist any more.
  /// - Throws: `BOOK_NOT_AVAILABLE` in a deployment without lending.
  func delete(_ id: BookID, of owner: UserID, _ tx: Transaction) async throws -> Instant? {
    let now = jobs.environment.clock.now
    guard let change = try await tx.first(NextBookChange(userID: owner, effect: .keeps)),
      let book = try await tx.first(LockedBook(bookID: id, viewerID: owner))
    else { return nil }
    if lending == nil { try judge(book) }
    try await tx.execute(MarkBookDeleted(now: now, change: change, bookID: id))
    try await events.publish(
      BookDeleted(bookID: id.description, ownerID: owner.description, deleteTime: now.timestamp), in: tx)
    return now
  }

  /// Removes the job of a completed deletion; in its last transaction.
  func conclude(_ id: BookID, _ tx: Transaction) async throws {
    if lending != nil { _ = try await tx.cancel(.bookDeletion, key: "\(id)") }
  }

  private func judge(_ book: StoredBook) throws(Status) {
    guard book.status.permitsDeletion else { throw .notAvailable }
  }

  private func retire(_ book: StoredBook, validateOnly: Bool = false) async throws {
    guard let lending else { return }
    let call = RetireBookRequest(
      bookID: book.id.description, ownerID: book.ownerID.description, isbn: book.isbn.description,
      title: book.fields.title.text, validateOnly: validateOnly)
    _ = try await LoansClient(lending).retireBook(call, CallOptions(timeout: Self.timeout))
  }
}
