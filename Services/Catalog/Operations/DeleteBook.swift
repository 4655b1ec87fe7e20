import CatalogDomain
import CatalogStore
import Identifiers
import Jobs
import Postgres
import TTRPC
import TandemEvents
import TandemLending
import Timestamps

/// The deletion of a book. Lending is first asked to retire it, which it refuses unless the book is available; afterwards no request for it
/// succeeds ([CA-24]).
///
/// A job is scheduled before lending is asked. If the call is interrupted, the job asks again and does what lending answers, so that a book
/// that is retired in lending is also deleted here.
extension BookOperations {
  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(3)
  /// When the job checks a deletion: later than one takes.
  private static let delay = Duration.seconds(15)

  /// Asks lending to retire a book that its owner deletes; call it outside of transactions.
  ///
  /// The job is stored before, and removed after, in transactions of its own: it guards the question, which no transaction may wait for.
  ///
  /// - Throws: `notAvailable` if it may not be deleted; `lendingUnavailable` if lending's answer is unknown.
  package func requestRetirement(_ book: StoredBook) async throws {
    guard lending != nil else { return }
    let id = "\(book.id)"
    try await database.repeatableTransaction { tx in
      try await tx.schedule(Job(.bookDeletion, id, at: environment.clock.now + Self.delay, key: id), with: jobs)
    }
    do {
      try await retire(book)
    } catch BookRefusal.notAvailable {
      try await database.repeatableTransaction { tx in _ = try await tx.cancel(.bookDeletion, key: id) }
      throw BookRefusal.notAvailable
    } catch is Status {
      throw CatalogFailure.lendingUnavailable
    }
  }

  /// Checks whether a book could be retired now, without any effect ([C-6]).
  ///
  /// - Throws: as ``requestRetirement(_:)``.
  package func checkRetirement(_ book: StoredBook) async throws {
    do { try await askToRetire(book, validateOnly: true) } catch is Status { throw CatalogFailure.lendingUnavailable }
  }

  /// Deletes a book that lending has retired.
  ///
  /// - Returns: the time of deletion; `nil` if the book does not exist any more.
  /// - Throws: `notTheOwner`; `notAvailable` in a deployment without lending.
  package func deleteBook(_ id: BookID, of owner: UserID, _ tx: Transaction) async throws -> Instant? {
    let now = environment.clock.now
    guard let change = try await tx.first(NextBookChange(userID: owner, effect: .keeps)),
      let book = try await tx.first(LockedBook(bookID: id, viewerID: owner))
    else { return nil }
    guard book.ownerID == owner else { throw BookRefusal.notTheOwner }
    if lending == nil { try book.status.checkDeletion() }
    try await tx.execute(MarkBookDeleted(now: now, change: change, bookID: id))
    try await events.publish(
      BookDeleted(bookID: id.description, ownerID: owner.description, deleteTime: now.timestamp), in: tx)
    return now
  }

  /// Removes the job of a completed deletion; in its last transaction.
  package func concludeDeletion(of id: BookID, _ tx: Transaction) async throws {
    if lending != nil { _ = try await tx.cancel(.bookDeletion, key: "\(id)") }
  }

  /// Has lending retire a book.
  ///
  /// - Throws: `notAvailable` if it may not be deleted; a status if lending's answer is unknown, for which a job is tried again.
  package func retire(_ book: StoredBook) async throws { try await askToRetire(book, validateOnly: false) }

  private func askToRetire(_ book: StoredBook, validateOnly: Bool) async throws {
    guard let lending else { return }
    let call = RetireBookRequest(
      bookID: book.id.description, ownerID: book.ownerID.description, isbn: book.isbn.description,
      title: book.fields.title.text, validateOnly: validateOnly)
    do {
      _ = try await LoansClient(lending).retireBook(call, CallOptions(timeout: Self.timeout))
    } catch let status as Status where status.code == .failedPrecondition {
      throw BookRefusal.notAvailable
    }
  }
}
