import CatalogStore
import Images
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("links to books", .ownThreads, .timeLimit(.minutes(5)))
struct BookShareTests {
  private func read(_ token: String, _ catalog: RunningCatalog) async throws -> SharedBook {
    try await catalog.books.getSharedBook(GetSharedBookRequest(token: token))
  }

  private func share(
    _ book: Book, _ catalog: RunningCatalog, as someone: TestUser = .ada
  ) async throws -> ShareBookResponse {
    try await catalog.books.shareBook(ShareBookRequest(bookID: book.bookID), someone.options)
  }

  @Test("[CA-15] 31 item 10: a link reads without login: title, authors and cover, neither the owner nor who has it")
  func reads() async throws {
    let file = try TestPictures.bytes("plain.jpg")
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune", by: ["Frank Herbert", "Brian Herbert"])
      try await catalog.lend(book, .borrowed, to: .grace)
      let shared = try await share(book, catalog)
      let bare = try await read(shared.token, catalog)
      #expect(bare.photo.isEmpty && bare.photoMediaType.isEmpty)
      _ = try await catalog.books.upload(file, of: book, .ada)

      let seen = try await read(shared.token, catalog)

      #expect(seen.bookID == book.bookID && seen.title == "Dune" && seen.isbn == "9780441172719")
      #expect(seen.authors == ["Frank Herbert", "Brian Herbert"])
      #expect(seen.preview?.title == "Dune" && seen.preview?.text == "Frank Herbert, Brian Herbert")
      #expect(seen.preview?.picture == "book")
      #expect(ImageFormat(content: seen.photo) == .jpeg && seen.photoMediaType == "image/jpeg")
      let text = "\(seen)"
      for secret in ["ada", "grace", "\(TestUser.ada.id)", "\(TestUser.grace.id)", "A copy that was read once"] {
        #expect(!text.contains(secret))
      }
      let stored = try await catalog.sql("select book_shares::text from book_shares")
      #expect(stored.count == 1 && stored[0][0]?.contains(shared.token) == false)
    }
  }

  @Test("[CA-15] 31 item 10: an owner lists and revokes links; a revoked one is as unknown as any, others go on")
  func revokes() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let (first, second) = (try await share(book, catalog), try await share(book, catalog))
      let list = ListBookSharesRequest(bookID: book.bookID)
      let listed = try await catalog.books.listBookShares(list, TestUser.ada.options)
      #expect(Set(listed.shares.map(\.shareID)) == Set([first, second].compactMap(\.share?.shareID)))
      let others = try await refusal { try await catalog.books.listBookShares(list, TestUser.grace.options) }
      #expect(others.reason == "NOT_THE_OWNER")

      let call = RevokeBookShareRequest(shareID: first.share?.shareID ?? "")
      let foreign = try await refusal { try await catalog.books.revokeBookShare(call, TestUser.grace.options) }
      var tried = call
      tried.validateOnly = true
      _ = try await catalog.books.revokeBookShare(tried, TestUser.ada.options)
      #expect(try await read(first.token, catalog).title == "Dune")
      _ = try await catalog.books.revokeBookShare(call, TestUser.ada.options)

      let (revoked, unknown) = (
        try await refusal { try await read(first.token, catalog) },
        try await refusal { try await read(String(repeating: "A", count: 43), catalog) }
      )
      #expect(foreign.reason == "SHARE_NOT_FOUND" && revoked.reason == "SHARE_NOT_FOUND")
      #expect(revoked.code == unknown.code && revoked.reason == unknown.reason && revoked.message == unknown.message)
      #expect(try await read(second.token, catalog).title == "Dune")
    }
  }

  @Test("[CA-15] [CA-29] [CA-24] 31 item 10: on hold or deleted, its link leads nowhere; a released one is back")
  func gone() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let token = try await share(book, catalog).token
      try await catalog.sql("update books set on_hold = true")
      #expect(try await refusal { try await read(token, catalog) }.reason == "SHARE_NOT_FOUND")
      try await catalog.sql("update books set on_hold = false")
      #expect(try await read(token, catalog).title == "Dune")
      let (now, id) = (catalog.clock.now, try #require(BookID(book.bookID)))
      try await catalog.inTransaction { tx in
        try await tx.execute(MarkBookDeleted(now: now, change: 1_000, bookID: id))
      }
      #expect(try await refusal { try await read(token, catalog) }.reason == "SHARE_NOT_FOUND")
      #expect(try await catalog.value("select count(*) from book_shares") == "0")
    }
  }

  @Test("[CA-15] [C-9] 31 item 10: who deletes the account takes the links along")
  func departure() async throws {
    try await RunningCatalog.with { catalog in
      let (mine, theirs) = (try await catalog.add("Dune"), try await catalog.add("Emma", as: .grace))
      let (first, second) = (try await share(mine, catalog), try await share(theirs, catalog, as: .grace))
      try await catalog.forget(.ada)
      #expect(try await refusal { try await read(first.token, catalog) }.reason == "SHARE_NOT_FOUND")
      #expect(try await read(second.token, catalog).title == "Emma")
      #expect(try await catalog.value("select count(*) from book_shares") == "1")
    }
  }

  @Test("[CA-15] [C-2] 31 item 10: only the owner makes links, and bad ids are named")
  func bad() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let foreign = try await refusal { try await share(book, catalog, as: .grace) }
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_OWNER")
      let malformed = try await refusal {
        try await catalog.books.shareBook(ShareBookRequest(bookID: "x", requestID: "y"), TestUser.ada.options)
      }
      #expect(malformed.code == .invalidArgument)
      #expect(Set(malformed.fieldReasons) == ["BOOK_ID_INVALID", "REQUEST_ID_INVALID"])
      let revocation = try await refusal {
        try await catalog.books.revokeBookShare(RevokeBookShareRequest(shareID: "x"), TestUser.ada.options)
      }
      #expect(revocation.fieldReasons == ["SHARE_ID_INVALID"])
      let anonymous = try await refusal { try await catalog.books.shareBook(ShareBookRequest(bookID: book.bookID)) }
      #expect(anonymous.code == .unauthenticated)
      let tried = ShareBookRequest(bookID: book.bookID, validateOnly: true)
      _ = try await catalog.books.shareBook(tried, TestUser.ada.options)
      #expect(try await catalog.value("select count(*) from book_shares") == "0")
      for token in ["", "x", String(repeating: "é", count: 43)] {
        #expect(try await refusal { try await read(token, catalog) }.reason == "SHARE_NOT_FOUND")
      }
      #expect(try await catalog.value("select misses from share_misses") == "3")
    }
  }

  @Test("[CA-15] 31 item 10: a book has at most 20 links, also of many made at once; [C-4] repeating makes none")
  func limit() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Dune")
      let call = ShareBookRequest(bookID: book.bookID, requestID: "0190f000-0000-7000-8000-00000000000c")
      let (first, second) = (
        try await catalog.books.shareBook(call, TestUser.ada.options),
        try await catalog.books.shareBook(call, TestUser.ada.options)
      )
      #expect(first == second)
      let results = await catalog.race(32) { books, _ in
        try await books.shareBook(ShareBookRequest(bookID: book.bookID), TestUser.ada.options)
      }
      #expect(results.successes().count == 19)
      #expect(results.refusals().count == 13 && results.refusals().allSatisfy { $0.reason == "TOO_MANY_SHARES" })
      _ = try await catalog.books.revokeBookShare(
        RevokeBookShareRequest(shareID: first.share?.shareID ?? ""), TestUser.ada.options)
      #expect(!(try await share(book, catalog).token.isEmpty))
    }
  }
}
