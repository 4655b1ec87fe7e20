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
  /// Completes, or gives up, a deletion of which lending may have been asked; payload and key are the book's id ([CA-24]).
  package static let bookDeletion = JobKind("book_deletion")
}

/// Deletes books: lending is asked first to retire one, which it refuses for a book that is not available, and no request for it succeeds
/// afterwards ([CA-24]).
///
/// A job is scheduled before lending is asked. Whatever happens in between, it asks again and carries out what lending says: a book that is
/// retired there does not stay here.
package struct Deletions: Sendable {
  private let database: Database
  private let events: Outbox
  private let jobs: Jobs
  private let lending: (any RPCChannel)?

  /// The caller waits for the answer.
  private static let timeout = Duration.seconds(3)
  /// After it the job looks what became of a deletion: longer than one takes.
  private static let delay = Duration.seconds(15)

  /// - Parameter lending: `nil` in a suite without lending, where nobody can ask for a book: the stored status decides.
  package init(database: Database, events: Outbox, jobs: Jobs, lending: (any RPCChannel)?) {
    self.database = database
    self.events = events
    self.jobs = jobs
    self.lending = lending
  }

  /// What completes deletions that were interrupted.
  package var completion: JobHandler {
    .outside(.bookDeletion) { text, _ in
      guard let id = BookID(text), let book = try await database.first(KnownBook(id)) else { return }
      do { try await retire(book) } catch let status as Status where status.code == .failedPrecondition { return }
      try await database.repeatableTransaction { tx in _ = try await delete(id, of: book.ownerID, tx) }
    }
  }

  /// Has lending retire a book that its owner wants to delete; outside of any transaction.
  ///
  /// - Throws: `BOOK_NOT_AVAILABLE` when it may not be deleted; `LENDING_UNAVAILABLE` when nobody knows.
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

  /// Whether a book could be deleted now; nothing is stored anywhere ([C-6]).
  func dryRun(_ book: StoredBook) async throws {
    do { try await retire(book, validateOnly: true) } catch let status as Status {
      throw status.code == .failedPrecondition ? Status.notAvailable : Status.lendingUnavailable
    }
  }

  /// Deletes a book that lending has retired; when, or `nil` when it is not there any more.
  ///
  /// - Throws: `BOOK_NOT_AVAILABLE` in a suite without lending.
  func delete(_ id: BookID, of owner: UserID, _ tx: Transaction) async throws -> Instant? {
    let now = jobs.environment.clock.now
    guard let change = try await tx.first(NextChange<OwnBooks>(of: owner, .keeps)),
      let book = try await tx.first(LockedBook(id, seenBy: owner))
    else { return nil }
    if lending == nil { try judge(book) }
    try await tx.execute(MarkBookDeleted(id, change: change, now: now))
    try await events.publish(
      BookDeleted(bookID: id.description, ownerID: owner.description, deleteTime: now.timestamp), in: tx)
    return now
  }

  /// Forgets that a deletion has to be completed; with its last transaction.
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
