import CatalogDomain
import Testing

@Suite("how a search is done")
struct SearchPlanTests {
  private static let million = WordFrequencies(
    books: 1_000_000,
    shares: [
      ("the", 0.6), ("theatre", 0.05), ("of", 0.4), ("love", 0.05), ("lover", 0.01), ("zebra", 0.0005), ("zoo", 0.001),
    ])

  private func plan(_ query: String, _ frequencies: WordFrequencies = million) throws -> SearchPlan {
    SearchPlan(for: try SearchQuery(query), given: frequencies)
  }

  @Test("[CA-25] the index looks up the rare keywords alone")
  func rare() throws {
    #expect(try plan("zoo the") == .ranked(rare: "('zoo' | 'zoo':*)"))
    #expect(try plan("xylophone zebra") == .ranked(rare: "('xylophone' | 'xylophone':*) & ('zebra' | 'zebra':*)"))
    #expect(try plan("xylophone zoo") == .ranked(rare: "('xylophone' | 'xylophone':*)"), "1,000 entries or a few books")
  }

  @Test("[CA-25] where nearly every book has the keywords the newest are looked through")
  func newest() throws {
    #expect(try plan("the") == .newest && plan("the of") == .newest)
    #expect(try plan("theat of") == .newest, "beginnings count together")
  }

  @Test("[CA-25] keywords that are common each, but seldom together, are looked up")
  func seldomTogether() throws {
    let query = try SearchQuery("love theatre")
    #expect(SearchPlan(for: query, given: Self.million) == .ranked(rare: query.query))
  }

  @Test("[CA-25] a list that is long, but short beside what the rarest keyword leaves, is looked up as well")
  func alsoLookedUp() throws {
    #expect(try plan("zoo love") == .ranked(rare: "('zoo' | 'zoo':*)"), "60,000 entries or 1,000 books")
    #expect(try plan("lover love") == .ranked(rare: "('lover' | 'lover':*) & ('love' | 'love':*)"))
  }

  @Test("[CA-25] while nothing is known of words, every one is looked up")
  func unknown() throws {
    #expect(try plan("the", .unknown) == .ranked(rare: "('the' | 'the':*)"))
  }

  @Test("[CA-25] a keyword that is like a common word is common")
  func alike() throws {
    let query = try SearchQuery("zoos").orLike([["the"]])
    #expect(query.query == "(('zoos' | 'zoos':*) | 'the':AB)")
    #expect(SearchPlan(for: query, given: Self.million) == .newest)
  }
}
