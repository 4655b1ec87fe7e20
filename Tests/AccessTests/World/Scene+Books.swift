import TTRPC
import TandemCatalog
import TestSupport
import Testing

/// Books that the table's requests are about.
extension Scene {
  /// Where a book is.
  enum Whereabouts {
    case available
    /// Somebody has it.
    case lent
  }

  /// A new book of somebody, whose description has the word `word` with the number that was given out last.
  func book(of person: CastMember, _ whereabouts: Whereabouts) async throws -> String {
    let book = Book(
      title: "Dune", authors: ["Frank Herbert"], isbn: "9780441172719",
      description: "A copy, word\(world.numbers.next()).",
      year: 1965, language: "en")
    let options = try await person.options(at: world.identity)
    let added = try await books.addBook(AddBookRequest(book: book, titleConfirmed: true), options)
    if whereabouts == .lent {
      try await world.sql(
        """
        update catalog.books set status = 'BORROWED', borrower_id = '\(borrower(from: person).id)'
        where id = '\(added.bookID)'
        """)
    }
    return added.bookID
  }

  private func borrower(from person: CastMember) -> CastMember {
    person == world.cast.member ? world.cast.owner : world.cast.member
  }

  private var books: BooksClient { get throws { BooksClient(try world.server("catalog").client()) } }

  func bookWithComment() async throws -> String {
    let book = try await book(of: world.cast.owner, .available)
    let comment = CreateCommentRequest(bookID: book, comment: Comment(text: "Worth it."))
    _ = try await books.createComment(comment, try await world.cast.member.options(at: world.identity))
    return book
  }

  func rateBook() async throws {
    try await loadEdition()
    let call = RateBookRequest(isbn: "9780441172719", stars: 4)
    _ = try await books.rateBook(call, try await subject.options(at: world.identity))
  }

  func loadEdition() async throws {
    try await world.sql(
      """
      insert into catalog.editions (source, source_id, isbn, titles, authors, year, language)
      values ('test', '1', 9780441172719, array['Dune'], array['Frank Herbert'], 1965, 'en') on conflict do nothing
      """)
  }
}
