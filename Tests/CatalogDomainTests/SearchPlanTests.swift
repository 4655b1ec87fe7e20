import CatalogDomain
import Testing

@Suite("how a search is done")
struct SearchPlanTests {
  private static let million = WordFrequencies(
    books: 1_000_000,
    shares: [
      ("the", 0.6), ("theatre", 0.05), ("of", 0.4), ("love", 0.05), ("lover", 0.01), ("zebra", 0.0005), ("zoo", 0.001),
    ])

  /// The keywords that the index is searched for last; `nil` where the newest books are filtered.
  private func rare(_ query: String, _ frequencies: WordFrequencies = million) throws -> String? {
    guard case .ranked(_, let rare) = try plan(query, frequencies) else { return nil }
    return rare
  }

  private func plan(_ query: String, _ frequencies: WordFrequencies = million) throws -> SearchPlan {
    SearchPlan(for: try SearchQuery(query), given: frequencies)
  }

  @Test("[CA-25] the index looks up the rare keywords alone")
  func rare() throws {
    #expect(try rare("zoo the") == "('zoo' | 'zoo':*)")
    #expect(try rare("xylophone zebra") == "('xylophone' | 'xylophone':*) & ('zebra' | 'zebra':*)")
    #expect(try rare("xylophone zoo") == "('xylophone' | 'xylophone':*)", "1,000 entries or a few books")
  }

  @Test("[CA-25] where nearly every book has the keywords the newest are looked through")
  func newest() throws {
    #expect(try plan("the") == .newest && plan("the of") == .newest)
    #expect(try plan("theat of") == .newest, "beginnings count together")
  }

  @Test("[CA-25] keywords that are common each, but seldom together, are looked up")
  func seldomTogether() throws {
    #expect(try rare("love theatre") == SearchQuery("love theatre").query)
  }

  @Test("[CA-25] a list that is long, but short beside what the rarest keyword leaves, is looked up as well")
  func alsoLookedUp() throws {
    #expect(try rare("zoo love") == "('zoo' | 'zoo':*)", "60,000 entries or 1,000 books")
    #expect(try rare("lover love") == "('lover' | 'lover':*) & ('love' | 'love':*)")
  }

  @Test("[CA-25] while nothing is known of words, every one is looked up")
  func unknown() throws {
    #expect(try rare("the", .unknown) == "('the' | 'the':*)")
  }

  @Test("[CA-25] words that are rarer than what begins with them are looked up first, as words")
  func whole() throws {
    #expect(
      try plan("theat zebra") == .ranked(rareWhole: "'theat' & 'zebra'", rare: "('zebra' | 'zebra':*)"),
      "50,000 books have words that begin with it, few have it")
  }

  @Test("[CA-25] a keyword that is like a common word is common")
  func alike() throws {
    let query = try SearchQuery("zoos").orLike([["the"]])
    #expect(query.query == "(('zoos' | 'zoos':*) | 'the':AB)")
    #expect(SearchPlan(for: query, given: Self.million) == .newest)
  }
}
