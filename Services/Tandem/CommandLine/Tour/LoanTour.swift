import Reflection
import TTRPC

/// The loan of a book.
extension Tour {
  /// Lends a book to another user and returns it.
  func lend(_ book: String, by owner: String) async throws {
    let (name, password) = try await newcomer("grace", isShown: false)
    let login = try await call(
      Self.accounts, "Login", ["emailOrUsername": .string(name), "password": .string(password)], isShown: false)
    let borrower = try text("accessToken", of: login)
    say("\(name), who joined meanwhile, reads books and has no gym profile: nobody is asked for one but by matching.")
    try await refused(
      Self.sessions, "BrowseSessions", ["focuses": .array([.string("FOCUS_STRENGTH")])],
      expecting: .failedPrecondition, token: borrower)
    say("\(name) asks for the book; the owner accepts, and says where to meet.")
    let loan = try await call(Self.loans, "RequestBook", ["bookId": .string(book)], token: borrower)
    let id = JSONValue.string(try text("loanId", of: loan))
    _ = try await call(Self.loans, "AcceptRequest", ["loanId": id, "pickup": Self.pickup], token: owner)
    say("Both scan the ISBN when the book changes hands, from their profiles: what it means here they are told.")
    for (token, meaning) in [(owner, "SCAN_MEANING_HAND_OVER"), (borrower, "SCAN_MEANING_RECEIVE")] {
      let scanned = try await scan(meaning, token)
      _ = try await call(Self.loans, "ConfirmHandover", ["loanId": scanned, "isbn": Self.isbn], token: token)
    }
    say("One that is borrowed is not deleted.")
    try await refused(
      Self.books, "DeleteBook", ["bookId": .string(book)], expecting: .failedPrecondition, token: owner)
    say("They scan it again when it comes back; what \(name) says becomes a comment on the book.")
    _ = try await call(
      Self.loans, "ConfirmReturn", ["loanId": id, "isbn": Self.isbn, "comment": .string("Could not put it down.")],
      token: borrower)
    _ = try await call(Self.loans, "ConfirmReturn", ["loanId": id, "isbn": Self.isbn], token: owner)
    try await comment(on: book, as: owner)
    try await recommend(to: name, borrower, from: owner)
  }

  /// Scans the book without naming a loan, and returns the loan that the scan is about ([LE-16]).
  private func scan(_ meaning: String, _ token: String) async throws -> JSONValue {
    let found = try await call(Self.loans, "FindScanned", ["isbn": Self.isbn], token: token)
    let option = (found["options"]?.array ?? []).first { $0["meaning"] == .string(meaning) }
    guard let loan = option?["loan"]?["loanId"] else { throw Complaint("the scan does not mean \(meaning)") }
    return loan
  }

  /// Shows recommendations for the borrower once the catalog has received the loan's event and learnt from the sample ratings; without
  /// those, in the operator's own database, there may be none.
  private func recommend(to name: String, _ borrower: String, from owner: String) async throws {
    _ = try await call(Self.books, "AddBook", ["book": Self.anotherBook], token: owner, isShown: false)
    say("\(name) liked it, and says so: what others read who read it is recommended, if somebody lends it.")
    _ = try await call(Self.books, "RateBook", ["isbn": Self.isbn, "stars": .integer(5)], token: borrower)
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      if try await isRecommended(to: borrower) { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    _ = try await call(Self.books, "RecommendBooks", ["count": .integer(1)], token: borrower)
  }

  private func isRecommended(to borrower: String) async throws -> Bool {
    do {
      let answer = try await call(
        Self.books, "RecommendBooks", ["count": .integer(1)], token: borrower, isShown: false)
      return answer["recommendations"]?.array?.first?["becauseRated"] != nil
    } catch is Complaint {
      // The catalog has not received the loan's event yet.
      return false
    }
  }

  private static let anotherBook = JSONValue.members([
    "title": .string("Brave New World"), "authors": .array([.string("Aldous Huxley")]),
    "isbn": .string("978-0-06-085052-4"), "description": .string("With notes in pencil."),
  ])

  /// Shows the comment on the book once the catalog has received its event.
  private func comment(on book: String, as token: String) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    let request: KeyValuePairs<String, JSONValue> = ["bookId": .string(book)]
    while ContinuousClock.now < deadline {
      let answer = try await call(Self.books, "ListComments", request, token: token, isShown: false)
      if answer["comments"]?.array?.isEmpty == false { break }
      // The catalog does not report when it has received the event, so it is polled.
      try await Task.sleep(for: .milliseconds(20))
    }
    _ = try await call(Self.books, "ListComments", request, token: token)
  }

  private static let pickup = JSONValue.members([
    "point": .members(["latitude": .number("51.52995"), "longitude": .number("-0.12768")])
  ])
}
