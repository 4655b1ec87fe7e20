import Foundation
import TTRPC
import TandemCatalog
import TestSupport
import Testing

/// Books that the table's requests are about.
extension Scene {
  /// The availability of a book.
  enum BookAvailability {
    case available
    /// A borrower has it.
    case lent
  }

  /// The ISBN of a book if the test does not depend on it.
  static let isbn = "9780441172719"

  /// Performs the steps of `before` that concern books; `false` for any other.
  mutating func performWithBooks(_ step: String) async throws -> Bool {
    switch step {
    case "edition": try await loadEdition()
    // The caller has rated the book of that edition.
    case "rating": try await rateBook()
    // The caller owns a book that is borrowed.
    case "lentBook": _ = try await book(of: subject, .lent)
    // The caller has borrowed a book whose readers also read one that the owner lends.
    case "pastLoan": try await borrowBefore()
    default: return false
    }
    return true
  }

  /// Prepares a name in braces that concerns books.
  mutating func prepareBook(_ name: String) async throws {
    switch name {
    case "book": values[name] = try await book(of: world.cast.owner, .available)
    case "lentBook", "wordOfLentBook":
      values["lentBook"] = try await book(of: world.cast.owner, .lent)
      values["wordOfLentBook"] = "word\(world.numbers.last)"
    case "bookWithComment": values[name] = try await commentedBook(by: world.cast.member).book
    case "comment": values[name] = try await commentedBook(by: world.cast.member).comment
    case "ownComment": values[name] = try await commentedBook(by: world.cast.owner).comment
    case "bookWithPhoto", "photo":
      let found = try await bookWithPhoto()
      (values["bookWithPhoto"], values["photo"]) = (found.book, found.photo)
    case "sharedBook", "bookShare", "bookShareToken":
      let id = try await bookWithPhoto().book
      // No user shares a book as often as the users of this world do.
      try await world.sql("delete from catalog.book_shares")
      let made = try await books.shareBook(
        ShareBookRequest(bookID: id), try await world.cast.owner.options(at: world.identity))
      (values["sharedBook"], values["bookShare"], values["bookShareToken"]) = (id, made.share?.shareID, made.token)
    default: break
    }
  }

  /// A new book of a user, whose description has the word `word` followed by the last number of ``Numbers``.
  func book(
    of user: CastMember, _ whereabouts: BookAvailability, isbn: String = Self.isbn
  ) async throws -> String {
    let book = Book(
      title: "Dune", authors: ["Frank Herbert"], isbn: isbn,
      description: "A copy, word\(world.numbers.next()).",
      year: 1965, language: "en")
    let options = try await user.options(at: world.identity)
    let added = try await books.addBook(AddBookRequest(book: book, titleConfirmed: true), options)
    if whereabouts == .lent {
      try await world.sql(
        """
        update catalog.books set status = 'BORROWED', borrower_id = '\(borrower(from: user).id)'
        where id = '\(added.bookID)'
        """)
    }
    return added.bookID
  }

  private func borrower(from user: CastMember) -> CastMember {
    user == world.cast.member ? world.cast.owner : world.cast.member
  }

  private var books: BooksClient { get throws { BooksClient(try world.server("catalog").client()) } }

  /// A book of the owner with a comment.
  private func commentedBook(by author: CastMember) async throws -> (book: String, comment: String) {
    let book = try await book(of: world.cast.owner, .available)
    let call = CreateCommentRequest(bookID: book, comment: Comment(text: "Worth it."))
    let comment = try await books.createComment(call, try await author.options(at: world.identity))
    return (book, comment.commentID)
  }

  /// A book of the owner with a photograph; reused, as the table has more rows than uploads are allowed in an hour.
  private func bookWithPhoto() async throws -> (book: String, photo: String) {
    let options = try await world.cast.owner.options(at: world.identity)
    let mine = try await books.listMyBooks(ListMyBooksRequest(pageSize: 200), options).books
    for book in mine { if let photo = book.photoIds.first { return (book.bookID, photo) } }
    let (book, file) = (
      try await book(of: world.cast.owner, .available), try #require(Data(base64Encoded: Self.picture))
    )
    let added = try await books.uploadBookPhoto(options) { writer in
      try await writer.send(UploadBookPhotoRequest(chunk: [UInt8](file), bookID: book))
    }
    return (book, added.photoID)
  }

  private func borrowBefore() async throws {
    let (read, recommended) = ("9780553283686", "9780000000019")
    try await world.sql(
      """
      insert into catalog.past_loans (loan_id, borrower_id, isbn, title, borrowed_at)
      values ('\(world.someID())', '\(subject.id)', \(read), 'Hyperion', now());
      insert into catalog.book_neighbours (isbn, readers, neighbours, weights)
      values (\(read), 2, array[\(recommended)::bigint], array[0.5::real]) on conflict do nothing
      """)
    _ = try await book(of: world.cast.owner, .available, isbn: recommended)
  }

  private func rateBook() async throws {
    try await loadEdition()
    let call = RateBookRequest(isbn: "9780441172719", stars: 4)
    _ = try await books.rateBook(call, try await subject.options(at: world.identity))
  }

  private func loadEdition() async throws {
    try await world.sql(
      """
      insert into catalog.editions (source, source_id, isbn, titles, authors, year, language)
      values ('test', '1', 9780441172719, array['Dune'], array['Frank Herbert'], 1965, 'en') on conflict do nothing
      """)
  }
}
