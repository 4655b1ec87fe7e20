import CatalogStore
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("comments on books")
struct CommentTests {
  private func say(
    _ text: String, about book: Book, _ catalog: RunningCatalog, as someone: TestUser = .grace
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
        ListCommentsRequest(bookID: book.bookID, pageSize: 3), TestUser.ada.options)
      let rest = try await catalog.books.listComments(
        ListCommentsRequest(bookID: book.bookID, pageSize: 3, pageToken: first.nextPageToken), TestUser.ada.options)
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

  @Test("[CA-27] an author edits and deletes a comment; [C-4] a repeat has no effect")
  func editAndDelete() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let said = try await say("Wonderful", about: book, catalog)
      #expect(said.editTime == nil)
      catalog.clock.advance(by: .seconds(60))
      let call = UpdateCommentRequest(
        comment: TandemCatalog.Comment(commentID: said.commentID, text: " Sandy \n"),
        requestID: TestUser.ada.id.description)
      for _ in 0..<2 {
        let edited = try await catalog.books.updateComment(call, TestUser.grace.options)
        #expect(edited.text == "Sandy" && edited.createTime == said.createTime)
        #expect(edited.editTime?.seconds == catalog.clock.now.wholeSeconds && edited.authorUsername == "grace.h")
      }
      let empty = try await refusal {
        try await catalog.books.updateComment(
          UpdateCommentRequest(comment: TandemCatalog.Comment(commentID: "x", text: " ")), TestUser.grace.options)
      }
      #expect(empty.fieldReasons == ["COMMENT_ID_INVALID", "COMMENT_EMPTY"])
      let removal = DeleteCommentRequest(commentID: said.commentID)
      _ = try await catalog.books.deleteComment(
        DeleteCommentRequest(commentID: said.commentID, validateOnly: true), TestUser.grace.options)
      #expect(try await catalog.value("select text from comments") == "Sandy")
      _ = try await catalog.books.deleteComment(removal, TestUser.grace.options)
      #expect(try await catalog.value("select count(*) from comments") == "0")
      let again = try await refusal { try await catalog.books.deleteComment(removal, TestUser.grace.options) }
      #expect(again.code == .notFound && again.reason == "COMMENT_NOT_FOUND")
    }
  }

  @Test("[CA-27] the owner of a book deletes a comment on it and edits none, and other users do neither")
  func deletionByOthers() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let said = try await say("Terrible", about: book, catalog)
      let edit = UpdateCommentRequest(comment: TandemCatalog.Comment(commentID: said.commentID, text: "Wonderful"))
      let removal = DeleteCommentRequest(commentID: said.commentID)
      let stranger = TestUser(77, "stranger")
      for someone in [TestUser.ada, stranger] {
        let refused = try await refusal { try await catalog.books.updateComment(edit, someone.options) }
        #expect(refused.code == .permissionDenied && refused.reason == "NOT_THE_AUTHOR")
      }
      let refused = try await refusal { try await catalog.books.deleteComment(removal, stranger.options) }
      #expect(refused.reason == "NOT_THE_AUTHOR")
      _ = try await catalog.books.deleteComment(removal, TestUser.ada.options)
      #expect(try await catalog.value("select count(*) from comments") == "0")
    }
  }

  @Test("[CA-27] of 64 comments of a user on one book 20 are saved, however many are made at once")
  func bound() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let results = await catalog.race(64) { books, number in
        try await books.createComment(
          CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: "Comment \(number)")),
          TestUser.grace.options)
      }
      #expect(results.successes().count == 20)
      let refused = results.compactMap { if case .failure(let error) = $0 { (error as? Status)?.reason } else { nil } }
      #expect(refused == Array(repeating: "TOO_MANY_COMMENTS", count: 44))
      _ = try await say("Another user's", about: book, catalog, as: .ada)
    }
  }

  @Test(
    "[CA-27] A6: what is stored of a user is shown with its limits; of 40 comments at once behind 1,990 others 10 are saved"
  )
  func quota() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let other = try await catalog.add("Emma")
      _ = try await say("Mine", about: book, catalog)
      let shown = try await catalog.books.getStorage(GetStorageRequest(), TestUser.grace.options)
      #expect(shown.used?.comments == 1 && shown.limits?.comments == 2_000, "\(shown)")
      #expect(shown.used?.books == 0 && shown.limits?.books == 10_000, "\(shown)")
      let owner = try await catalog.books.getStorage(GetStorageRequest(), TestUser.ada.options)
      #expect(owner.used?.books == 2 && owner.used?.comments == 0, "\(owner)")
      try await catalog.sql(
        """
        insert into comments (id, book_id, author_id, text, created_at)
        select gen_random_uuid(), '\(other.bookID)', '\(TestUser.grace.id)', 'More', now() from generate_series(1, 1989)
        """)
      let results = await catalog.race(40) { books, number in
        try await books.createComment(
          CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: "Comment \(number)")),
          TestUser.grace.options)
      }
      #expect(results.successes().count == 10)
      #expect(results.refusals().map(\.reason) == Array(repeating: "STORAGE_QUOTA_EXCEEDED", count: 30))
      let full = try await catalog.books.getStorage(GetStorageRequest(), TestUser.grace.options)
      #expect(full.used?.comments == 2_000)
      let refused = try await refusal { try await say("One more", about: book, catalog) }
      #expect(refused.code == .resourceExhausted && refused.reason == "STORAGE_QUOTA_EXCEEDED", "\(refused)")
      #expect(refused.errorInfo?.metadata["kind"] == "comments")
      _ = try await say("Another user's", about: book, catalog, as: .ada)
    }
  }

  @Test("[CA-27] there are no comments on a book that is not there")
  func deletedBook() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      _ = try await say("Mine", about: book, catalog)
      _ = try await catalog.books.deleteBook(DeleteBookRequest(bookID: book.bookID), TestUser.ada.options)
      let (saying, listing) = (
        try await refusal { try await say("Too late", about: book, catalog) },
        try await refusal {
          try await catalog.books.listComments(ListCommentsRequest(bookID: book.bookID), TestUser.ada.options)
        }
      )
      #expect(saying.reason == "BOOK_NOT_FOUND" && listing.reason == "BOOK_NOT_FOUND")
    }
  }
}
