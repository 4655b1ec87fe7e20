import Events
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TandemEvents

extension BadgeAwards {
  var lendingHandlers: [EventHandler] {
    [EventHandler(of: BookStatusChanged.self) { event, tx in try await count(event, in: tx) }]
  }

  /// Counts a book for its owner once, when a borrower has it.
  private func count(_ event: ReceivedEvent<BookStatusChanged>, in tx: Transaction) async throws {
    guard event.message.status == .borrowed else { return }
    guard let book = UUID7(event.message.bookID), let owner = UserID(event.message.ownerID) else {
      return note(event, "a loan")
    }
    guard try await tx.first(NoteLentBook(bookID: book, userID: owner)) != nil else { return }
    let books = try await tx.first(LentBooks(userID: owner)) ?? 0
    try await notifier.notify(try await award(Badge.earned(books: books), to: owner, in: tx), in: tx)
  }
}
