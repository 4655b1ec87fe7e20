import Reflection
import TTRPC

/// Books that are lent, asked for and given back.
extension Demo {
  private struct Title {
    let owner: Int
    let name: String
    let author: String
    let isbn: String
    let description: String
  }

  private static let shelf = [
    Title(
      owner: 3, name: "Dune", author: "Frank Herbert", isbn: "978-0-441-17271-9",
      description: "Some sand between the pages."),
    Title(
      owner: 3, name: "Brave New World", author: "Aldous Huxley", isbn: "978-0-06-085052-4",
      description: "With notes in pencil."),
    Title(
      owner: 4, name: "Frankenstein", author: "Mary Shelley", isbn: "978-0-14-143947-1",
      description: "The text of 1831."),
    Title(
      owner: 0, name: "Pride and Prejudice", author: "Jane Austen", isbn: "978-0-14-143951-8",
      description: "A present, read twice."),
    Title(
      owner: 1, name: "Crime and Punishment", author: "Fyodor Dostoevsky", isbn: "978-0-14-044913-6",
      description: "Its spine has seen better days."),
  ]

  func addBooks(_ people: DemoPeople) async throws {
    let mine = try await call(Tour.books, "ListMyBooks", [:], token: people[3].token)
    guard mine["books"]?.array?.isEmpty ?? true else { return }
    var ids: [String] = []
    for (index, title) in Self.shelf.enumerated() { ids.append(try await add(title, index, people)) }
    try await lend(ids[0], Self.shelf[0], to: people[4], from: people[3])
    // One that waits for an answer, and one that is promised.
    try await call(Tour.loans, "RequestBook", ["bookId": .string(ids[1])], token: people[2].token)
    _ = try await promise(ids[3], to: people[1], from: people[0])
  }

  private func add(_ title: Title, _ index: Int, _ people: DemoPeople) async throws -> String {
    let token = people[title.owner].token
    let book = JSONValue.members([
      "title": .string(title.name), "authors": .array([.string(title.author)]), "isbn": .string(title.isbn),
      "description": .string(title.description),
    ])
    let id = try tour.text("bookId", of: try await call(Tour.books, "AddBook", ["book": book], token: token))
    let photo = [
      JSONValue.members(["bookId": .string(id)]),
      JSONValue.members(["chunk": .string(DemoPicture.cover(index).base64)]),
    ]
    _ = try await tour.stream("UploadBookPhoto", photo, token, isShown: false)
    return id
  }

  private func promise(
    _ book: String, to borrower: DemoPeople.Person, from owner: DemoPeople.Person
  ) async throws -> String {
    let loan = try await call(Tour.loans, "RequestBook", ["bookId": .string(book)], token: borrower.token)
    let id = try tour.text("loanId", of: loan)
    let point = JSONValue.members(["latitude": .number("51.52995"), "longitude": .number("-0.12768")])
    try await call(
      Tour.loans, "AcceptRequest", ["loanId": .string(id), "pickup": .members(["point": point])], token: owner.token)
    return id
  }

  private func lend(
    _ book: String, _ title: Title, to borrower: DemoPeople.Person, from owner: DemoPeople.Person
  ) async throws {
    let loan = try await promise(book, to: borrower, from: owner)
    for person in [owner, borrower] {
      try await call(
        Tour.loans, "ConfirmHandover", ["loanId": .string(loan), "isbn": .string(title.isbn)], token: person.token)
    }
  }
}
