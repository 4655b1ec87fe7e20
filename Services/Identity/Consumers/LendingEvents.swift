import Events
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents

extension BadgeAwards {
  var lendingHandlers: [EventHandler] {
    [EventHandler(batchesOf: BookStatusChanged.self) { events, tx in try await count(events, in: tx) }]
  }

  /// Counts each book for its owner once, when a borrower has it.
  private func count(_ events: [ReceivedEvent<BookStatusChanged>], in tx: Transaction) async throws {
    let lent = events.filter { $0.message.status == .borrowed }.compactMap { event -> NoteLentBook? in
      guard let book = UUID7(event.message.bookID), let owner = UserID(event.message.ownerID) else {
        note(event, "a loan")
        return nil
      }
      return NoteLentBook(bookID: book, userID: owner)
    }
    let owners = Set(try await tx.rows(each: lent).joined()).sorted()
    let books = try await tx.rows(each: owners.map { LentBooks(userID: $0) })
    let earned = zip(owners, books).map { ($0, Set(Badge.earned(books: $1.first ?? 0))) }
    try await award(Dictionary(uniqueKeysWithValues: earned), in: tx)
  }
}
