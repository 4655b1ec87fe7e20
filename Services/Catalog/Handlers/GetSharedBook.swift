import CatalogDomain
import CatalogStore
import Cryptography
import LinkMisses
import TTRPC
import TandemCatalog

extension Books {
  /// The book that a link shares, for any client that has the link ([CA-15]): neither whose it is nor who has it.
  package func getSharedBook(_ call: GetSharedBookRequest, _ context: CallContext) async throws -> SharedBook {
    guard let hash = SecretToken(call.token)?.hash,
      let book = try await database.first(SharedBookByToken(tokenHash: hash))
    else {
      try await misses.count(context)
      throw ShareRefusal.noSuchShare
    }
    return SharedBook(book)
  }
}

extension SharedBook {
  fileprivate init(_ book: SharedBookByToken.Row) {
    self.init(
      bookID: book.bookID.description, title: book.title, authors: book.authors, isbn: book.isbn.description,
      year: book.year ?? 0, language: book.language, photo: book.photo ?? [],
      photoMediaType: book.photoMediaType ?? "",
      preview: SharePreview(
        title: book.title, text: SharePreviewText.book(book.authors, book.year), picture: "book"))
  }
}
