import Blocks
import CatalogBackground
import CatalogDomain
import CatalogStore
import Foundation
import Postgres
import TandemCatalog
import Testing
import TestServices
import TestSupport
import TTRPC

@testable import CatalogLoading
@testable import catalog

@Suite("how words of books are kept for searches, and looked up")
struct SearchIndexTests {
  /// Keeps the service, which makes words anew at its start, from those that a test makes: on a busy machine it comes to them late.
  private static let noFolding = """
    insert into search_foldings (kind, version, last_id)
    select kind, \(Words.foldingVersion), 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    from unnest(array['BOOKS', 'GYMS', 'WORKOUTS']) as kind
    """

  @Test("[CA-25] [CA-2] D-9: what was stored with other words gets its words anew, once, and not by an older version")
  func foldedAgain() async throws {
    try await RunningCatalog.with { catalog in
      for (title, _) in Self.scripts { try await catalog.add(title) }
      try await catalog.load([
        GymFixture(id: "node/1", name: "ﬁt ﬁrst", latitude: 1, longitude: 2),
        GymFixture(id: "node/2", name: "Ἰλιάς", latitude: 1, longitude: 2),
      ])
      let fold: @Sendable () async throws -> Void = {
        try await catalog.database.opened(as: "catalog") { own in
          try await SearchFolding(database: own, logger: .criticalOnly("folding")).fold()
        }
      }
      // As a version before stored them.
      let old = [
        "update books set words = 'ἰλιάς:1A', names = 'ἰλιάς', title_key = 'ἰλιάς' where title = 'Ἰλιάς'",
        "update gyms set words = 'ﬁt:1A ﬁrst:2A', name_key = 'ﬁt ﬁrst' where name = 'ﬁt ﬁrst'",
        "delete from gym_words where word in ('fit', 'first')",
      ]
      for statement in old { try await catalog.sql(statement) }
      try await catalog.sql("delete from search_foldings")
      #expect(try await catalog.search("ΙΛΙΑΣ").books.isEmpty)
      #expect(try await catalog.searchGyms("first").gyms.isEmpty)
      try await fold()
      #expect(try await catalog.search("ΙΛΙΑΣ").books.map(\.title) == ["Ἰλιάς"])
      #expect(try await catalog.searchGyms("fit first").gyms.map(\.name) == ["ﬁt ﬁrst"])
      #expect(
        try await catalog.sql("select kind, version from search_foldings order by kind")
          == [["BOOKS", "\(Words.foldingVersion)"], ["GYMS", "\(Words.foldingVersion)"]])
      try await catalog.sql(old[0])
      try await fold()
      #expect(try await catalog.search("ΙΛΙΑΣ").books.isEmpty, "what was done is not read again")
      try await catalog.sql("update search_foldings set version = version + 1, last_id = '\(UUID())'")
      try await fold()
      #expect(try await catalog.search("ΙΛΙΑΣ").books.isEmpty, "a later version has begun")
      try await catalog.sql("update search_foldings set version = 1, last_id = '00000000-0000-7000-8000-000000000000'")
      try await fold()
      #expect(try await catalog.search("ΙΛΙΑΣ").books.map(\.title) == ["Ἰλιάς"])
    }
  }

  @Test("[CA-25] to look through the newest books finds the same as to look words up")
  func newest() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.addShelf()
      try await catalog.lend(catalog.add("The Hobbit again"), .borrowed, to: .ada)
      try await catalog.add("The Hobbit once more")
      try await catalog.add("The Hobbit of Alan", as: TestUser.alan)
      try await catalog.own.write(AddBlocks([Blocks.Block(of: TestUser.alan.id, by: TestUser.grace.id)]))
      for (scope, count) in [(CatalogDomain.SearchScope.available, 2), (.unavailable, 1)] {
        let (query, range) = (try SearchQuery("hob the"), SearchRange(scope, seenBy: TestUser.grace.id))
        let ranked = try await catalog.own.rows(
          BooksWithKeywords(query, rareWhole: "'hob'", rare: "'hobbit'", range, after: nil, limit: 10))
        let listed = try await catalog.own.rows(NewestBooksWithKeywords(query, range, after: nil, limit: 10))
        let newest = listed.map(\.book)
        #expect(Set(ranked.map(\.book.id)) == Set(newest.map(\.id)) && newest.count == count, "\(scope)")
        #expect(newest.map(\.id) == newest.map(\.id).sorted(by: >))
        let after = listed.first.map { SearchPosition(score: $0.score, id: $0.book.id) }
        let rest = try await catalog.own.rows(NewestBooksWithKeywords(query, range, after: after, limit: 10))
        #expect(rest.map(\.book.id) == newest.dropFirst().map(\.id))
      }
    }
  }

  @Test("[CA-25] the database's own statistics say how common words are")
  func termStatistics() async throws {
    try await RunningCatalog.with { catalog in
      #expect(try await catalog.own.rows(CommonWords()).isEmpty)
      for number in 0..<40 { try await catalog.add("Dune \(number)") }
      try await catalog.sql("analyze books")
      let common = try await catalog.own.rows(CommonWords())
      #expect(common.first { $0.word == "dune" }?.share == 1 && common.first?.books == 40)
    }
  }

  @Test("[CA-25] of thousands of books with a word 500 are found, and a plan for any words reads an index")
  func thousands() async throws {
    try await RunningCatalog.with(after: Self.noFolding) { catalog in
      try await catalog.add("Dune")
      try await catalog.sql(
        """
        insert into books (id, owner_id, isbn, title, authors, description, language, words, names, title_key, change, created_at, updated_at)
        select ('01910000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, owner_id, isbn, 'Dune ' || number, authors,
          description, language, (case when number % 249 = 0 then 'sequel:1A ' else '' end || 'dune:2A')::tsvector,
          names, 'dune ' || number, change + number, created_at, updated_at
        from books cross join generate_series(1, 8000) as number
        """)
      #expect(try await catalog.search("sequel dune", size: 100).books.count == 32)
      var (seen, token) = ([String](), "")
      repeat {
        let page = try await catalog.search("dune", size: 100, token: token)
        seen += page.books.map(\.bookID)
        token = page.nextPageToken
      } while !token.isEmpty && seen.count < 1_000
      #expect(seen.count == 500 && Set(seen).count == 500, "\(seen.count) found, \(Set(seen).count) different ones")

      try await catalog.sql("analyze books")
      func plan(_ statement: String, _ arguments: String) async throws -> String {
        try await catalog.sql(
          """
          set plan_cache_mode = force_generic_plan;
          prepare search as \(statement);
          explain execute search(\(arguments))
          """
        ).compactMap(\.first).compactMap(\.self).joined(separator: "\n")
      }
      let (words, among) = ("'dune'", "array['AVAILABLE'], gen_random_uuid()")
      let ranked = try await plan(
        BooksWithKeywords.sql,
        "array['dune'], null, array['dune'], \(words), \(words), \(words), \(among), \(words), \(words), null, null, 20"
      )
      let newest = try await plan(NewestBooksWithKeywords.sql, "array['dune'], \(words), \(among), null, null, 20")
      #expect(ranked.contains("Bitmap Index Scan on books_words_idx") && !ranked.contains("Seq Scan on books"))
      #expect(newest.contains("Index Scan Backward using books_pkey") && !newest.contains("Seq Scan on books"))
    }
  }

  @Test(
    "[C-5] pages of a search skip none and repeat none, in either step", arguments: [("dune", 9), ("duen messiha", 9)])
  func pages(query: String, count: Int) async throws {
    try await RunningCatalog.with { catalog in
      for number in 0..<count { try await catalog.add("Dune Messiah \(number)") }
      var (seen, token, rounds) = ([String](), "", 0)
      repeat {
        let page = try await catalog.search(query, size: 2, token: token)
        seen += page.books.map(\.title)
        token = page.nextPageToken
        rounds += 1
      } while !token.isEmpty && rounds < 20
      #expect(Set(seen) == Set((0..<count).map { "Dune Messiah \($0)" }) && seen.count == count)
    }
  }

  @Test(
    "[CA-25] books that replicas of the version before have added get their title keys, unless they were edited meanwhile"
  )
  func filledTitleKeys() async throws {
    try await RunningCatalog.with { catalog in
      for title in ["The Dune (Dune #1)", "Dune Messiah", "!!!", "Edited"] { _ = try await catalog.add(title) }
      try await catalog.sql("update books set title_key = '', surname = '' where title <> 'Edited'")
      // More than a page.
      try await catalog.sql(
        """
        insert into books (id, owner_id, isbn, title, authors, description, year, language, words, names, change,
          created_at, updated_at)
        select gen_random_uuid(), owner_id, isbn, 'Copy ' || number, authors, 'A copy.', null, '', '', '', change + 10 + number,
          created_at, updated_at
        from books, generate_series(1, 1200) as number where title = '!!!'
        """)
      try await catalog.database.opened(as: "catalog") { own in
        for _ in 0..<2 { try await TitleKeyBackfill(database: own, logger: .criticalOnly("backfill")).fill() }
      }
      let filled = try await catalog.sql(
        "select title_key, surname from books where title not like 'Copy %' order by title_key")
      #expect(filled == [["", ""], ["dune", "herbert"], ["dune messiah", "herbert"], ["edited", "herbert"]])
      #expect(try await catalog.value("select count(*) from books where title_key = ''") == "1")
    }
  }

  private static let scripts = [
    (title: "الكتاب الأخضر", queries: ["كتاب", "الكتاب", "اخضر"]), ("ﾊﾘｰ･ﾎﾟｯﾀｰ", ["ハリー", "ポッター"]),
    ("Ἰλιάς", ["ΙΛΙΑΣ", "Ιλιάς"]), ("เจ้าชายน้อยกับดอกไม้", ["น้อย", "ดอกไม้", "เจ้าชาย"]), ("The ﬁnal ﬂow", ["final flow"]),
  ]

  @Test("[CA-25] D-9: a title is found by other spellings of its script, and Thai by words within a sentence")
  func otherScripts() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("Another book")
      for (title, _) in Self.scripts { try await catalog.add(title) }
      for (title, queries) in Self.scripts {
        for query in queries {
          let found = try await catalog.search(query)
          #expect(found.books.first?.title == title && found.match == .exact, "\(query)")
        }
      }
    }
  }
}
