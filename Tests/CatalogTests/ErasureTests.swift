import CatalogStore
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import catalog

@Suite("what is left of users who deleted their accounts", .timeLimit(.minutes(5)))
struct ErasureTests {
  @Test(
    "[C-9] 29 B2: 150 books, 6,000 comments and 120 logs go in parts, are seen by no user from then on, and a user whose removal fails holds up no other"
  )
  func parts() async throws {
    try await RunningCatalog.with { catalog in
      let third = TestUser.alan
      let (mine, graces) = (try await catalog.add("Dune of Ada"), try await catalog.add("Dune of Grace", as: .grace))
      let alans = try await catalog.add("Dune of Alan", as: third)
      let shared = try await catalog.books.shareBook(ShareBookRequest(bookID: mine.bookID), TestUser.ada.options)
      for (book, someone) in [(mine, TestUser.grace), (alans, .ada), (alans, .grace), (alans, third)] {
        _ = try await catalog.books.createComment(
          CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: "By \(someone.name)")),
          someone.options)
      }
      try await catalog.seed(mine)
      try await catalog.note("books", "comments", "workout_logs")
      try await catalog.refuse(.ada)

      for someone in [TestUser.ada, .grace] { try await catalog.begin(toForget: someone) }

      #expect(
        try await catalog.value("select count(*) from books where owner_id = '\(TestUser.ada.id)'") == "151",
        "nothing of hers can be removed")
      let found = try await catalog.books.searchBooks(SearchBooksRequest(query: "dune"), third.options)
      #expect(found.books.map(\.title) == ["Dune of Alan"])
      let comments = try await catalog.books.listComments(ListCommentsRequest(bookID: alans.bookID), third.options)
      #expect(comments.comments.map(\.text) == ["By alan"])
      for book in [mine, graces] {
        let refused = try await refusal {
          try await catalog.books.getBook(GetBookRequest(bookID: book.bookID), third.options)
        }
        #expect(refused.reason == "BOOK_NOT_FOUND")
      }
      let link = try await refusal {
        try await catalog.books.getSharedBook(GetSharedBookRequest(token: shared.token), CallOptions())
      }
      #expect(link.code == .notFound)

      _ = try await eventually("nothing is left of the other user") {
        try await catalog.value("select count(*) from erasures where user_id = '\(TestUser.grace.id)'") == "0"
          ? true : nil
      }
      #expect(try await catalog.value("select count(*) from books where owner_id = '\(TestUser.grace.id)'") == "0")
      // In one transaction the locks of three tables would wait for removals that wait for them.
      for table in ["books", "comments", "workout_logs"] { try await catalog.sql("drop trigger refused on \(table)") }
      _ = try await eventually("nothing is left of both") {
        try await catalog.value("select count(*) from erasures") == "0" ? true : nil
      }
      let left = try await catalog.sql("select title from books union all select text from comments")
      #expect(left == [["Dune of Alan"], ["By alan"]])
      #expect(try await catalog.value("select count(*) from workout_logs") == "0")
      let most = try await catalog.sql(
        "select kind, max(rows)::text, (count(*) > 1)::text from parts group by kind order by kind")
      #expect(most == [["books", "20", "true"], ["comments", "5000", "true"], ["workout_logs", "50", "true"]])
    }
  }
}

extension RunningCatalog {
  /// Gives Ada as much as takes several parts to remove, like one of her books.
  fileprivate func seed(_ book: Book) async throws {
    let (ada, grace) = (TestUser.ada.id, TestUser.grace.id)
    try await sql(
      """
      insert into books (
        id, owner_id, isbn, title, authors, description, language, words, names, title_key, surname, change, created_at,
        updated_at
      )
      select gen_random_uuid(), owner_id, isbn, title, authors, description, language, words, names, title_key, surname,
        change + number, created_at, updated_at
      from books cross join generate_series(1, 150) as number where id = '\(book.bookID)';
      insert into comments (id, book_id, author_id, text, created_at)
      select gen_random_uuid(), id, '\(grace)', 'By grace.h', created_at
      from books cross join generate_series(1, 40) where owner_id = '\(ada)' and id <> '\(book.bookID)';
      insert into workout_logs (id, owner_id, name, note, started_at, created_at, change)
      select gen_random_uuid(), '\(ada)', 'Log', '', now(), now(), number from generate_series(1, 120) as number
      """)
  }

  /// Notes how many rows each transaction deletes from some tables.
  fileprivate func note(_ tables: String...) async throws {
    try await sql(
      """
      create table parts (transaction xid8 not null, kind text not null, rows bigint not null);
      create function note_part() returns trigger language plpgsql security definer set search_path from current as $$
      begin
        insert into parts select pg_current_xact_id(), tg_table_name, count(*) from gone having count(*) > 0;
        return null;
      end
      $$
      """)
    for table in tables {
      try await sql(
        """
        create trigger noted after delete on \(table) referencing old table as gone for each statement
        execute function note_part()
        """)
    }
  }

  /// Has every removal of something that belongs to a user fail.
  fileprivate func refuse(_ user: TestUser) async throws {
    try await sql(
      """
      create function refuse_removal() returns trigger language plpgsql as $$
      begin
        if '\(user.id)' in (to_jsonb(old)->>'owner_id', to_jsonb(old)->>'author_id') then
          raise exception 'not this one';
        end if;
        return old;
      end
      $$
      """)
    for table in ["books", "comments", "workout_logs"] {
      try await sql(
        "create trigger refused before delete on \(table) for each row execute function refuse_removal()")
    }
  }
}
