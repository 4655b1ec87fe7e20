import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("text that others see")
struct VisibleTextTests {
  private func violations(_ status: Status) -> [String] {
    status.badRequest?.fieldViolations.map { "\($0.field): \($0.description)" } ?? []
  }

  @Test("[C-12] texts of a book that hide characters are all named at once, with the characters and their places")
  func book() async throws {
    try await RunningCatalog.with { catalog in
      let book = Book(
        title: "Du\u{200B}ne", authors: ["Frank Herbert", "\u{202E}trebreH"], isbn: "9780441172719",
        description: "Read\nonce\u{AD}.", language: "en\u{200D}")

      let status = try await refusal {
        try await catalog.books.addBook(AddBookRequest(book: book), TestUser.ada.options)
      }

      #expect(
        violations(status) == [
          "book.title: The title has the invisible character U+200B at position 3",
          "book.authors[1]: The author has the character U+202E, which changes the direction of text, at position 1",
          "book.description: The description has the invisible character U+00AD at position 10",
          "book.language: The language has the invisible character U+200D at position 3",
        ])
      #expect(status.fieldReasons == ["TITLE_INVALID", "AUTHOR_INVALID", "DESCRIPTION_INVALID", "LANGUAGE_INVALID"])
      #expect(try await catalog.value("select count(*) from books") == "0")
    }
  }

  @Test(
    "[C-12] a comment of hidden characters alone, or with one among others, is refused",
    arguments: [
      ("\u{200B}", "The comment has the invisible character U+200B at position 1"),
      ("\u{AD}", "The comment has the invisible character U+00AD at position 1"),
      (
        "see\n\u{202E}gnp.exe",
        "The comment has the character U+202E, which changes the direction of text, at position 5"
      ),
    ])
  func comment(text: String, complaint: String) async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")

      let status = try await refusal {
        try await catalog.books.createComment(
          CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: text)), TestUser.grace.options)
      }

      #expect(status.reason == "COMMENT_INVALID" && violations(status) == ["comment.text: \(complaint)"])
      #expect(try await catalog.value("select count(*) from comments") == "0")
    }
  }

  @Test("[C-12] a workout's name, description and notes hide nothing")
  func workout() async throws {
    try await RunningCatalog.withExercises { catalog in
      let entry = WorkoutEntry(
        exerciseID: try await catalog.exercise("plank"), sets: 1, reps: 1, note: "slow\u{202E}ly")
      let workout = Workout(name: "\u{200B}", description: "two\nlines\u{AD}", entries: [entry])

      let status = try await refusal {
        try await catalog.workouts.createWorkout(CreateWorkoutRequest(workout: workout), TestUser.ada.options)
      }

      #expect(
        violations(status) == [
          "workout.name: The name has the invisible character U+200B at position 1",
          "workout.description: The description has the invisible character U+00AD at position 10",
          "workout.entries[0].note: The note has the character U+202E, which changes the direction of text, at position 5",
        ])
      #expect(try await catalog.value("select count(*) from workouts") == "0")
    }
  }

  @Test("[C-12] a title is stored in NFC")
  func normalised() async throws {
    try await RunningCatalog.with { catalog in
      let made = try await catalog.add("Les Mise\u{301}rables")
      #expect(Array(made.title.unicodeScalars) == Array("Les Misérables".unicodeScalars))
    }
  }

  @Test("[C-12] an unknown enum value is refused with its path and its number")
  func enums() async throws {
    try await RunningCatalog.with { catalog in
      let status = try await refusal {
        try await catalog.books.listMyBooks(ListMyBooksRequest(status: .unrecognized(9)), TestUser.ada.options)
      }
      #expect(status.code == .invalidArgument && status.reason == "ENUM_VALUE_UNKNOWN")
      #expect(violations(status) == ["status: 9 is no value of tandem.catalog.v1.BookStatus"])
    }
  }
}
