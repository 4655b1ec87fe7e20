import CatalogStore
import TTRPC
import TandemCatalog
import TestSupport
import Testing

@Suite("comments on books")
struct CommentTests {
  private func say(
    _ text: String, about book: Book, _ catalog: RunningCatalog, as someone: Someone = .grace
  ) async throws -> TandemCatalog.Comment {
    try await catalog.books.createComment(
      CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: text)), someone.options)
  }

  @Test("[CA-27] comments are listed with their authors, the newest first")
  func newestFirst() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      for number in 0..<5 {
        catalog.clock.advance(by: .seconds(1))
        _ = try await say("Comment \(number)", about: book, catalog, as: number == 4 ? .ada : .grace)
      }
      let first = try await catalog.books.listComments(
        ListCommentsRequest(bookID: book.bookID, pageSize: 3), Someone.ada.options)
      let rest = try await catalog.books.listComments(
        ListCommentsRequest(bookID: book.bookID, pageSize: 3, pageToken: first.nextPageToken), Someone.ada.options)
      #expect((first.comments + rest.comments).map(\.text) == (0..<5).reversed().map { "Comment \($0)" })
      #expect(first.comments.map(\.authorUsername) == ["ada", "grace.h", "grace.h"])
      #expect(rest.nextPageToken.isEmpty && first.comments.first?.createTime?.seconds == catalog.clock.now.wholeSeconds)
    }
  }

  @Test("[CA-27] an empty comment is not saved", arguments: ["", " \n\t"])
  func empty(text: String) async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let status = try await refusal { try await say(text, about: book, catalog) }
      #expect(status.code == .invalidArgument && status.reason == "COMMENT_EMPTY" && status.fields == ["comment.text"])
      let long = try await refusal { try await say(String(repeating: "x", count: 2_001), about: book, catalog) }
      #expect(long.reason == "COMMENT_INVALID")
      #expect(try await catalog.value("select count(*) from comments") == "0")
    }
  }

  @Test("[CA-27] there are no comments on a book that is not there")
  func deletedBook() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      _ = try await say("Mine", about: book, catalog)
      _ = try await catalog.books.deleteBook(DeleteBookRequest(bookID: book.bookID), Someone.ada.options)
      let (saying, listing) = (
        try await refusal { try await say("Too late", about: book, catalog) },
        try await refusal {
          try await catalog.books.listComments(ListCommentsRequest(bookID: book.bookID), Someone.ada.options)
        }
      )
      #expect(saying.reason == "BOOK_NOT_FOUND" && listing.reason == "BOOK_NOT_FOUND")
    }
  }
}
