import Blocks
import CatalogHandlers
import Foundation
import Postgres
import CatalogDomain
import CatalogStore
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import CatalogLoading
@testable import catalog

@Suite("searching books")
struct SearchBooksTests {
  private func search(
    _ catalog: RunningCatalog, _ query: String, _ scope: TandemCatalog.SearchScope = .unspecified, size: Int32 = 0,
    token: String = ""
  ) async throws -> SearchBooksResponse {
    try await catalog.books.searchBooks(
      SearchBooksRequest(query: query, scope: scope, pageSize: size, pageToken: token), TestUser.grace.options)
  }

  private func shelf(_ catalog: RunningCatalog) async throws {
    try await catalog.add("The Hobbit", by: ["J.R.R. Tolkien"], isbn: "9780547928227", description: "With maps")
    try await catalog.add("The Lord of the Rings", by: ["J.R.R. Tolkien"], isbn: "9780618640157", description: "Heavy")
    try await catalog.add("Les Misérables", by: ["Victor Hugo"], isbn: "9780451419439", description: "No hobbit in it")
  }

  @Test("[CA-25] every keyword must occur, in title, author, ISBN or description")
  func everyKeyword() async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
      func titles(_ query: String) async throws -> Set<String> {
        let found = try await search(catalog, query)
        return found.match == .exact ? Set(found.books.map(\.title)) : []
      }
      #expect(try await titles("tolkien") == ["The Hobbit", "The Lord of the Rings"])
      #expect(try await titles("tolkien heavy") == ["The Lord of the Rings"])
      #expect(try await titles("TOLKIEN maps hobbit") == ["The Hobbit"])
      #expect(try await titles("miserables") == ["Les Misérables"])
      #expect(try await titles("Misérables hugo") == ["Les Misérables"])
      #expect(try await titles("hob tolk") == ["The Hobbit"], "the beginning of a word will do")
      for isbn in ["978-0-547-92822-7", "054792822x", "978 0 547 92822 7", "0-547-92822-X maps", "97805479"] {
        #expect(try await titles(isbn) == ["The Hobbit"], "\(isbn)")
      }
      #expect(try await titles("9780547928228") == [])
      #expect(try await titles("tolkien hugo") == [])
    }
  }

  @Test("[CA-25] a title counts more than a description, and rows show description, owner and status")
  func ranking() async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
      let found = try await search(catalog, "hobbit")
      #expect(found.books.map(\.title) == ["The Hobbit", "Les Misérables"] && found.match == .exact)
      #expect(found.books.map(\.description) == ["With maps", "No hobbit in it"])
      #expect(found.books.allSatisfy { $0.ownerUsername == "ada" && $0.status == .available })
      #expect(found.notice.isEmpty)
    }
  }

  @Test(
    "[CA-25] [C-2] of a text without words something must be entered, and one that is too long is refused",
    arguments: [
      ("", "QUERY_REQUIRED"), (" \t\n", "QUERY_REQUIRED"), ("!!! ' - …", "QUERY_REQUIRED"), ("🙂", "QUERY_REQUIRED"),
      ("\u{200B}\u{202E}\u{AD}", "QUERY_REQUIRED"), ("\u{301}", "QUERY_REQUIRED"),
      (String(repeating: "x", count: 10_000), "QUERY_TOO_LONG"),
      (String(repeating: "a ", count: 5_000), "QUERY_TOO_LONG"),
      (String(repeating: "e\u{301}", count: 201), "QUERY_TOO_LONG"),
      ((1...21).map { "w\($0)" }.joined(separator: " "), "QUERY_TOO_LONG"),
    ])
  func noQuery(text: String, reason: String) async throws {
    try await RunningCatalog.with { catalog in
      let refused = try await refusal { try await search(catalog, text) }
      #expect(refused.code == .invalidArgument && refused.fields == ["query"] && refused.fieldReasons == [reason])
    }
  }

  @Test("[CA-25] titles in all scripts, of one letter and of signs are found as they are typed")
  func scripts() async throws {
    try await RunningCatalog.with { catalog in
      let titles = ["הנסיך הקטן", "ألف ليلة وليلة", "V", "8½", "İstanbul", "Straße", "とある日", "Война и мир", "C++"]
      for title in titles { try await catalog.add(title, isbn: "9780547928227") }
      for (query, title) in [
        ("הנסיך", "הנסיך הקטן"), ("\u{200F}הנסיך הקטן\u{200E}", "הנסיך הקטן"), ("ألف ليلة", "ألف ليلة وليلة"),
        ("v", "V"),
        ("8½", "8½"), ("istanbul", "İstanbul"), ("STRASSE", "Straße"), ("ある", "とある日"), ("ВОЙНА", "Война и мир"),
        ("c++", "C++"), ("Ｖ", "V"),
      ] {
        let found = try await search(catalog, query)
        #expect(found.books.first?.title == title && found.match == .exact, "\(query): \(found.books.map(\.title))")
      }
    }
  }

  /// Books of which other searches list wrong ones first: those that have the words more often, or in shorter texts.
  private func crowd(_ catalog: RunningCatalog) async throws {
    try await catalog.add("The Lord of the Rings (The Lord of the Rings, #1-3)", by: ["J.R.R. Tolkien"])
    try await catalog.add("The Lord of the Rings: Weapons and Warfare", by: ["Chris Smith"])
    try await catalog.add("Rings", by: ["A Lord"], description: "of the lord of the rings")
    try await catalog.add("The Secret (The Secret, #1)", by: ["Rhonda Byrne"])
    try await catalog.add("The Secret Garden", by: ["Frances Hodgson Burnett"], description: "the secret")
    try await catalog.add("Night (The Night Trilogy #1)", by: ["Elie Wiesel"])
    try await catalog.add("Night Night", by: ["Sandra Boynton"])
    try await catalog.add("Nightmare", by: ["Stephen Knight"])
    try await catalog.add("1984", by: ["George Orwell"])
    try await catalog.add("Animal Farm / 1984", by: ["George Orwell"])
    try await catalog.add("The Hunger Games (The Hunger Games, #1)", by: ["Suzanne Collins"])
    try await catalog.add("The Hunger Games Companion", by: ["Lois Gresh"])
    try await catalog.add("The Jane Austen Book Club", by: ["Karen Joy Fowler"])
    try await catalog.add("Emma", by: ["Jane Austen"])
    try await catalog.add("Green Rider", by: ["Kristen Britain"])
    try await catalog.add("Paper Towns", by: ["John Green"])
  }

  @Test("[CA-25] an exact title comes first, without the series and the article, then the author, then other books")
  func exactTitles() async throws {
    try await RunningCatalog.with { catalog in
      try await crowd(catalog)
      for (query, title) in [
        ("lord of the rings", "The Lord of the Rings (The Lord of the Rings, #1-3)"),
        ("the secret", "The Secret (The Secret, #1)"), ("night", "Night (The Night Trilogy #1)"), ("1984", "1984"),
        ("hunger games collins", "The Hunger Games (The Hunger Games, #1)"), ("jane austen", "Emma"),
        ("green", "Paper Towns"), ("rings", "Rings"),
      ] {
        let found = try await search(catalog, query)
        #expect(found.books.first?.title == title && found.match == .exact, "\(query)")
      }
    }
  }

  @Test(
    "[CA-25] letters that are exchanged are one slip, and the exact title comes first",
    arguments: [
      ("hunger gamse", "The Hunger Games (The Hunger Games, #1)"), ("ngiht", "Night (The Night Trilogy #1)"),
      ("the sceret", "The Secret (The Secret, #1)"),
      ("lord fo the rings", "The Lord of the Rings (The Lord of the Rings, #1-3)"),
    ])
  func exchanged(query: String, title: String) async throws {
    try await RunningCatalog.with { catalog in
      try await crowd(catalog)
      let found = try await search(catalog, query)
      #expect(found.books.first?.title == title && found.match == .similar)
    }
  }

  @Test("[CA-25] books with the word come before those with longer words that begin with it")
  func wholeWordsFirst() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("Artist")
      try await catalog.add("A history of what is called art", description: "long")
      try await catalog.add("Art Artists", description: "short")
      try await catalog.add("Arthur", description: "About the art of ruling, which is long and seldom read")
      let titles = try await search(catalog, "art").books.map(\.title)
      #expect(Set(titles.prefix(3)) == ["A history of what is called art", "Art Artists", "Arthur"])
      #expect(titles.last == "Artist")
    }
  }

  @Test("[CA-25] of an ISBN the first digits are enough, with hyphens or without")
  func partialISBN() async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
      for part in ["978-0-547", "97805479", "978-0-5479-2822", "054792"] {
        #expect(try await search(catalog, part).books.map(\.title) == ["The Hobbit"], "\(part)")
      }
      // The first ten digits of an ISBN-13 that are also an ISBN-10 with a right check digit.
      try await catalog.add("Prefix", isbn: "9781515303114")
      #expect(try await search(catalog, "9781515303").books.map(\.title) == ["Prefix"])
    }
  }

  @Test("[C-5] [CA-25] among the newest books exact titles come first, and pages skip none")
  func newestTitles() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("It")
      for number in 0..<4 { try await catalog.add("It was \(number)") }
      try await catalog.add("It")
      for number in 4..<6 { try await catalog.add("It was \(number)") }
      let (query, range) = (try SearchQuery("it"), SearchRange(.available, seenBy: TestUser.grace.id))
      var (seen, after) = ([String](), SearchPosition?.none)
      for _ in 0..<8 {
        let rows = try await catalog.own.rows(NewestBooksWithKeywords(query, range, after: after, limit: 1))
        seen += rows.map(\.book.fields.title.text)
        after = rows.last.map { SearchPosition(score: $0.score, id: $0.book.id) }
      }
      #expect(seen == ["It", "It"] + (0..<6).reversed().map { "It was \($0)" })
    }
  }

  @Test("[CA-25] finds available and requested books, and accepted and borrowed ones in the unavailable search")
  func scopes() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("Dune A")
      try await catalog.lend(catalog.add("Dune B"), .requested)
      try await catalog.lend(catalog.add("Dune C"), .accepted, to: .grace)
      try await catalog.lend(catalog.add("Dune D"), .borrowed, to: .grace)
      let (available, unavailable) = (
        try await search(catalog, "dune"), try await search(catalog, "dune", .unavailable)
      )
      #expect(Set(available.books.map(\.title)) == ["Dune A", "Dune B"])
      #expect(Set(unavailable.books.map(\.title)) == ["Dune C", "Dune D"])
      #expect(Set(unavailable.books.map(\.status)) == [.accepted, .borrowed])
      #expect(unavailable.books.allSatisfy { $0.borrowerID.isEmpty }, "who has it is its owner's business")
    }
  }

  @Test("[C-7] [CA-25] nothing found is no error, and says so in the words of the search")
  func notices() async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
      let (none, noneUnavailable) = (
        try await search(catalog, "xylophone"), try await search(catalog, "hobbit", .unavailable)
      )
      #expect(none.books.isEmpty && none.notice == "No match book" && none.match == .unspecified)
      #expect(noneUnavailable.books.isEmpty && noneUnavailable.notice == "No match book is found")
    }
  }

  @Test("[CA-25] an empty search is refused", arguments: ["", "   ", "?!"])
  func empty(query: String) async throws {
    try await RunningCatalog.with { catalog in
      let status = try await refusal { try await search(catalog, query) }
      #expect(status.code == .invalidArgument && status.message == "You must enter something")
      #expect(status.reason == "QUERY_REQUIRED" && status.fields == ["query"])
      let long = try await refusal {
        try await search(catalog, String(repeating: "a ", count: 300), size: -1)
      }
      #expect(long.fieldReasons == ["QUERY_TOO_LONG", "PAGE_SIZE_INVALID"])
      let unknown = try await refusal { try await search(catalog, query, .unrecognized(7)) }
      #expect(Set(unknown.fieldReasons) == ["QUERY_REQUIRED", "ENUM_VALUE_UNKNOWN"])
      #expect(Set(unknown.fields) == ["query", "scope"])
    }
  }

  @Test(
    "[CA-25] misspelt keywords find what they are like, and the answer says that it is a second step",
    arguments: [
      ("tolkeen hobit", "The Hobbit"), ("lord of the rigns", "The Lord of the Rings"),
      ("victer hugo", "Les Misérables"),
      ("miserabels", "Les Misérables"), ("tolkeen heavy", "The Lord of the Rings"),
    ])
  func typos(query: String, title: String) async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
      let found = try await search(catalog, query)
      #expect(found.books.first?.title == title && found.match == .similar && found.notice.isEmpty)
    }
  }

  @Test(
    "[CA-25] D-5: what was meant is found beside one misspelt record, in other divisions of words, and with a wrong word",
    arguments: [
      ("steven king", "The Shining"), ("to kill a mocking bird", "To Kill a Mockingbird"),
      ("tokill a mockingbird", "To Kill a Mockingbird"), ("jrr tolkien", "The Hobbit"), ("j r r tolkien", "The Hobbit"),
      ("harry potter and the philosopher's stone", "Harry Potter and the Sorcerer's Stone"),
      ("sun flower house", "The Sunflower House"), ("sunflowerhouse", "The Sunflower House"),
    ])
  func meant(query: String, title: String) async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
      try await catalog.add("Kings of the Road", by: ["Steven Kinghorn"], description: "by a king")
      try await catalog.add("A King's Letters", by: ["Steven Miller"])
      for title in ["The Shining", "Carrie"] { try await catalog.add(title, by: ["Stephen King"]) }
      try await catalog.add("To Kill a Mockingbird", by: ["Harper Lee"])
      try await catalog.add("Harry Potter and the Sorcerer's Stone", by: ["J.K. Rowling"])
      try await catalog.add("The Sunflower House", by: ["Adriana Allegri"])
      let found = try await search(catalog, query)
      let titles = found.books.map(\.title)
      if title == "The Shining" || title == "The Hobbit" {
        #expect(titles.prefix(2).contains(title), "\(titles)")
      } else {
        #expect(titles.first == title && found.match == .similar, "\(titles)")
      }
      let page = try await search(catalog, query, size: 1)
      #expect(page.books.map(\.bookID) == found.books.prefix(1).map(\.bookID))
      if !page.nextPageToken.isEmpty {
        let next = try await search(catalog, query, size: 1, token: page.nextPageToken)
        #expect(next.books.map(\.bookID) == found.books.dropFirst().prefix(1).map(\.bookID), "[C-5]")
      }
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
          let found = try await search(catalog, query)
          #expect(found.books.first?.title == title && found.match == .exact, "\(query)")
        }
      }
    }
  }

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
      #expect(try await search(catalog, "ΙΛΙΑΣ").books.isEmpty)
      #expect(try await catalog.searchGyms("first").gyms.isEmpty)
      try await fold()
      #expect(try await search(catalog, "ΙΛΙΑΣ").books.map(\.title) == ["Ἰλιάς"])
      #expect(try await catalog.searchGyms("fit first").gyms.map(\.name) == ["ﬁt ﬁrst"])
      #expect(
        try await catalog.sql("select kind, version from search_foldings order by kind")
          == [["BOOKS", "\(Words.foldingVersion)"], ["GYMS", "\(Words.foldingVersion)"]])
      try await catalog.sql(old[0])
      try await fold()
      #expect(try await search(catalog, "ΙΛΙΑΣ").books.isEmpty, "what was done is not read again")
      try await catalog.sql("update search_foldings set version = version + 1, last_id = '\(UUID())'")
      try await fold()
      #expect(try await search(catalog, "ΙΛΙΑΣ").books.isEmpty, "a later version has begun")
      try await catalog.sql("update search_foldings set version = 1, last_id = '00000000-0000-7000-8000-000000000000'")
      try await fold()
      #expect(try await search(catalog, "ΙΛΙΑΣ").books.map(\.title) == ["Ἰλιάς"])
    }
  }

  @Test("[CA-25] to look through the newest books finds the same as to look words up")
  func newest() async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
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
    try await RunningCatalog.with { catalog in
      try await catalog.add("Dune")
      try await catalog.sql(
        """
        insert into books (id, owner_id, isbn, title, authors, description, language, words, names, title_key, change, created_at, updated_at)
        select ('01910000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, owner_id, isbn, 'Dune ' || number, authors,
          description, language, (case when number % 249 = 0 then 'sequel:1A ' else '' end || 'dune:2A')::tsvector,
          names, 'dune ' || number, change + number, created_at, updated_at
        from books cross join generate_series(1, 8000) as number
        """)
      #expect(try await search(catalog, "sequel dune", size: 100).books.count == 32)
      var (seen, token) = ([String](), "")
      repeat {
        let page = try await search(catalog, "dune", size: 100, token: token)
        seen += page.books.map(\.bookID)
        token = page.nextPageToken
      } while !token.isEmpty && seen.count < 1_000
      #expect(seen.count == 500 && Set(seen).count == 500)

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

  @Test("[CA-25] what the keywords find exactly is not mixed with what is merely similar")
  func exactFirst() async throws {
    try await RunningCatalog.with { catalog in
      try await shelf(catalog)
      try await catalog.add("The Hobbits", by: ["Nobody"])
      let found = try await search(catalog, "hobbits")
      #expect(found.books.map(\.title) == ["The Hobbits"] && found.match == .exact)
    }
  }

  @Test(
    "[C-5] pages of a search skip none and repeat none, in either step", arguments: [("dune", 9), ("duen messiha", 9)])
  func pages(query: String, count: Int) async throws {
    try await RunningCatalog.with { catalog in
      for number in 0..<count { try await catalog.add("Dune Messiah \(number)") }
      var (seen, token, rounds) = ([String](), "", 0)
      repeat {
        let page = try await search(catalog, query, size: 2, token: token)
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
}
