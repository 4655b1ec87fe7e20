import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("adding books")
struct AddBookTests {
  @Test("[CA-20] a book is added, and its ISBN-10 is stored as the ISBN-13 that it is too")
  func adds() async throws {
    try await RunningCatalog.with { catalog in
      let wanted = Book(
        title: " Dune ", authors: ["Frank Herbert"], isbn: "0-441-17271-7", description: "Read\nonce.", year: 1965,
        language: "en")

      let made = try await catalog.books.addBook(AddBookRequest(book: wanted), TestUser.ada.options)
      let read = try await catalog.books.getBook(GetBookRequest(bookID: made.bookID), TestUser.grace.options)

      #expect(made.title == "Dune" && made.authors == ["Frank Herbert"] && made.isbn == "9780441172719")
      #expect(made.description == "Read\nonce." && made.year == 1965 && made.language == "en")
      #expect(made.status == .available && made.ownerUsername == "ada" && made.borrowerID.isEmpty)
      #expect(made.ownerID == TestUser.ada.id.description && !made.etag.isEmpty)
      #expect(made.createTime?.seconds == catalog.clock.now.wholeSeconds)
      #expect(read == made)
      #expect(try await catalog.value("select isbn from books") == "9780441172719")
      #expect(try await catalog.value("select books from users where username = 'ada'") == "1")
    }
  }

  @Test(
    "[CA-20] title, author and ISBN are all named at once when they are missing, and nothing is stored")
  func missing() async throws {
    try await RunningCatalog.with { catalog in
      for blank in ["", " \n"] {
        let book = Book(title: blank, authors: [blank], isbn: blank, description: blank)
        let status = try await refusal {
          try await catalog.books.addBook(AddBookRequest(book: book), TestUser.ada.options)
        }
        #expect(status.code == .invalidArgument)
        #expect(status.fields == ["book.title", "book.authors", "book.isbn"])
        #expect(status.fieldReasons == ["TITLE_REQUIRED", "AUTHOR_REQUIRED", "ISBN_REQUIRED"])
      }
      #expect(try await catalog.value("select count(*) from books") == "0")
      #expect(try await catalog.value("select count(*) from events") == "0")
    }
  }

  @Test("[CA-20] a book without a description gets one from the record of its ISBN, or else from its title and authors")
  func description() async throws {
    try await RunningCatalog.with { catalog in
      func described(_ title: String, _ text: String) async throws -> String {
        try await catalog.add(title, by: ["F. Herbert", "A. Other"], description: text).description
      }
      #expect(try await described("Dune", "") == "Dune by F. Herbert, A. Other")
      try await catalog.know(
        "9780441172719", ["Dune", "The Desert"], by: ["Frank Herbert"], year: 1965, language: "en")
      #expect(try await described("Dune!", " \n") == "Dune by Frank Herbert (1965)")
      #expect(try await described("Dune", "Read once.") == "Read once.")
      let longest = try await catalog.add(
        String(repeating: "x", count: 500), by: (0..<20).map { "\($0)" + String(repeating: "y", count: 197) },
        isbn: "9780439023481", description: "")
      #expect(longest.description.count <= 5_000)
    }
  }

  @Test("[CA-23] an edit cannot remove the description")
  func emptyDescription() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let refused = try await refusal {
        try await catalog.books.updateBook(
          UpdateBookRequest(
            book: Book(bookID: book.bookID, description: " "), updateMask: .init(paths: ["description"])),
          TestUser.ada.options)
      }
      #expect(refused.fieldReasons == ["DESCRIPTION_REQUIRED"])
    }
  }

  @Test(
    "[CA-20] a wrong check digit is refused",
    arguments: ["9780441172718", "0441172718", "044117271X", "12345", "978044117271", "97804411727191"])
  func wrongCheckDigit(isbn: String) async throws {
    try await RunningCatalog.with { catalog in
      let status = try await refusal { try await catalog.add("Dune", isbn: isbn) }
      #expect(status.code == .invalidArgument && status.reason == "INVALID_ISBN" && status.fields == ["book.isbn"])
    }
  }

  @Test("[CA-20] texts that are too long, or have characters that do not show, are refused together")
  func limits() async throws {
    try await RunningCatalog.with { catalog in
      let book = Book(
        title: String(repeating: "x", count: 501), authors: (0...20).map { "Author \($0)" }, isbn: "9780441172719",
        description: "nul\0", year: 12_345, language: String(repeating: "e", count: 36))
      let status = try await refusal {
        try await catalog.books.addBook(AddBookRequest(book: book, requestID: "no uuid"), TestUser.ada.options)
      }
      #expect(
        status.fieldReasons == [
          "REQUEST_ID_INVALID", "TITLE_INVALID", "AUTHOR_INVALID", "DESCRIPTION_INVALID", "YEAR_INVALID",
          "LANGUAGE_INVALID",
        ])
    }
  }

  @Test("[CA-20] what would be an attack elsewhere comes back as it was")
  func metacharacters() async throws {
    try await RunningCatalog.with { catalog in
      let title = "'; drop table books; -- \\ \" {a,b} %s 💥"
      let made = try await catalog.add(title, by: ["a,\"b\"", "{c}"])
      #expect(made.title == title && made.authors == ["a,\"b\"", "{c}"])
    }
  }

  @Test("[CA-20] [CA-21] 31 item 6: where no records are loaded an unknown ISBN is said to be unknown for that")
  func noRecords() async throws {
    try await RunningCatalog.with { catalog in
      func lookUp() async throws -> Status {
        try await refusal {
          try await catalog.books.lookUpIsbn(LookUpIsbnRequest(isbn: "9780439023481"), TestUser.ada.options)
        }
      }
      let none = try await lookUp()
      #expect(none.reason == "EDITION_NOT_FOUND" && none.message.hasSuffix("no records of books are loaded here"))
      let unrated = try await refusal {
        try await catalog.books.rateBook(RateBookRequest(isbn: "9780439023481", stars: 4), TestUser.ada.options)
      }
      #expect(unrated.message == none.message)
      try await catalog.know("9780441172719", ["Dune"], by: ["Frank Herbert"], year: 1965, language: "eng")
      #expect(try await lookUp().message == "Nothing is known about this ISBN")
    }
  }

  @Test("[CA-21] an ISBN is looked up in either length, and fills title, authors, year and language")
  func lookUp() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.know(
        "9780441172719", ["Dune (Dune, #1)", "Dune"], by: ["Frank Herbert"], year: 1965, language: "eng")

      for isbn in ["0441172717", "978-0-441-17271-9"] {
        let found = try await catalog.books.lookUpIsbn(LookUpIsbnRequest(isbn: isbn), TestUser.ada.options)
        #expect(
          found
            == Edition(
              isbn: "9780441172719", isbn10: "0441172717", title: "Dune (Dune, #1)", authors: ["Frank Herbert"],
              year: 1965, language: "eng"))
      }
      let unknown = try await refusal {
        try await catalog.books.lookUpIsbn(LookUpIsbnRequest(isbn: "9780439023481"), TestUser.ada.options)
      }
      let wrong = try await refusal {
        try await catalog.books.lookUpIsbn(LookUpIsbnRequest(isbn: "9780439023482"), TestUser.ada.options)
      }
      #expect(unknown.code == .notFound && unknown.reason == "EDITION_NOT_FOUND")
      #expect(wrong.code == .invalidArgument && wrong.reason == "INVALID_ISBN")
    }
  }

  @Test(
    "[CA-21] a title that is not the record's is refused unless its owner confirms it; what is left open is filled in")
  func titleMismatch() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.know("9780441172719", ["Dune (Dune, #1)"], by: ["Frank Herbert"], year: 1965, language: "eng")
      let book = Book(title: "Twilight", authors: ["S. Meyer"], isbn: "0441172717", description: "Mine")

      let status = try await refusal {
        try await catalog.books.addBook(AddBookRequest(book: book), TestUser.ada.options)
      }
      #expect(status.code == .failedPrecondition && status.reason == "ISBN_TITLE_MISMATCH")
      #expect(status.errorInfo?.metadata["title"] == "Dune (Dune, #1)")
      #expect(try await catalog.value("select count(*) from books") == "0")

      let confirmed = try await catalog.books.addBook(
        AddBookRequest(book: book, titleConfirmed: true), TestUser.ada.options)
      #expect(confirmed.title == "Twilight" && confirmed.year == 1965 && confirmed.language == "eng")

      var right = book
      (right.title, right.year, right.language) = ("dune", 1970, "en")
      let fitting = try await catalog.books.addBook(AddBookRequest(book: right), TestUser.ada.options)
      #expect(fitting.year == 1970 && fitting.language == "en")
    }
  }

  @Test("[CA-21] another book whose title is a part of the record's is not it")
  func partOfTitle() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.know(
        "9780439023481", ["The Hunger Games (The Hunger Games, #1)"], by: ["Suzanne Collins"], year: 2008,
        language: "eng")
      let book = Book(title: "Hunger", authors: ["Knut Hamsun"], isbn: "9780439023481", description: "Mine")
      let status = try await refusal {
        try await catalog.books.addBook(AddBookRequest(book: book), TestUser.ada.options)
      }
      #expect(status.reason == "ISBN_TITLE_MISMATCH")
    }
  }

  @Test("[C-4] of 32 repetitions of a request one adds the book and all get its answer; [C-6] a rehearsal adds none")
  func repeats() async throws {
    try await RunningCatalog.with { catalog in
      var call = AddBookRequest(
        book: Book(title: "Dune", authors: ["Frank Herbert"], isbn: "9780441172719", description: "Mine"),
        validateOnly: true)
      let dryRun = try await catalog.books.addBook(call, TestUser.ada.options)
      #expect(dryRun.title == "Dune")
      #expect(try await catalog.value("select count(*) from books") == "0")

      (call.validateOnly, call.requestID) = (false, "0190f000-0000-7000-8000-00000000000a")
      let repeated = call
      let results = await catalog.race(32) { books, _ in try await books.addBook(repeated, TestUser.ada.options) }

      #expect(results.successes().count == 32 && Set(results.successes().map(\.bookID)).count == 1)
      #expect(try await catalog.value("select count(*) from books") == "1")
      #expect(try await catalog.value("select count(*) from events where topic = 'catalog.books'") == "1")
    }
  }

  @Test("nobody has more than 10,000 books, however many are added at once")
  func limit() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.sql("update users set books = 9996 where username = 'ada'")
      let results = await catalog.race(24) { _, number in try await catalog.add("Book \(number)") }
      #expect(results.successes().count == 4)
      #expect(results.refusals().count == 20)
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted && $0.reason == "TOO_MANY_BOOKS" })
    }
  }

  @Test("[C-1] every method wants a token")
  func tokens() async throws {
    try await RunningCatalog.with { catalog in
      let status = try await refusal { try await catalog.books.searchBooks(SearchBooksRequest(query: "dune")) }
      #expect(status.code == .unauthenticated && status.reason == "TOKEN_MISSING")
    }
  }
}
