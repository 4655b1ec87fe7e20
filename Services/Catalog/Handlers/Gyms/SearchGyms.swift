import CatalogDomain
import CatalogStore
import FieldViolations
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemCatalog

extension Gyms {
  /// A page of the gyms in which every keyword occurs, or of those with similar words if there are none ([CA-2], [C-7]).
  package func searchGyms(_ call: SearchGymsRequest, _ context: CallContext) async throws -> SearchGymsResponse {
    var bad = Violations()
    let keywords = bad.query(call.query, "query") { text throws(SearchQuery.Refusal) in try GymKeywords(text) }
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, GymID.self)
    let search = GymSearch(try bad.all(keywords), limit: page.limit, now: environment.clock.now)
    let (found, step) = try await search.run(after: page.after, database)
    let (rows, next) = try page.cut(found) { (step.rawValue, $0.score, $0.gym.id) }
    return SearchGymsResponse(
      gyms: try await shown(rows.map(\.gym)), match: rows.isEmpty ? .unspecified : step.wire,
      notice: rows.isEmpty ? GymQuery.emptyNotice : "", nextPageToken: next)
  }
}

/// The search for one page, in two steps; the second runs only if the first finds nothing.
struct GymSearch {
  /// The raw value is part of page tokens: all pages of a search come from the same step.
  enum Step: Int64 {
    case exact = 1
    case similar = 2

    var wire: GymMatch {
      switch self {
      case .exact: .exact
      case .similar: .similar
      }
    }
  }

  let keywords: GymKeywords
  let limit: Int64
  let now: Instant

  init(_ keywords: GymKeywords, limit: Int64, now: Instant) {
    self.keywords = keywords
    self.limit = limit
    self.now = now
  }

  func run(
    after position: (Int64, Double, GymID)?, _ database: Database
  ) async throws -> (found: [GymsWithWords.Row], step: Step) {
    let after = position.map { ($0.1, $0.2) }
    var words = meant(try await database.rows(WordsBeginning(keywords: keywords.words)))
    if position == nil || position?.0 == Step.exact.rawValue {
      let found = try await gyms(words, similar: [], after: after, database)
      if !found.isEmpty || position != nil { return (found, .exact) }
    }
    let similar = meant(try await database.rows(WordsSpeltLike(keywords: keywords.words)))
    words = zip(words, similar).map { beginning, similar in beginning + similar.filter { !beginning.contains($0) } }
    return (try await gyms(words, similar: similar, after: after, database), .similar)
  }

  private func gyms(
    _ words: [[String]], similar: [[String]], after: (Double, GymID)?, _ database: Database
  ) async throws -> [GymsWithWords.Row] {
    guard let query = GymQuery(words, of: keywords, similar: similar) else { return [] }
    return try await database.rows(GymsWithWords(query, after: after, limit: limit, now: now))
  }

  /// For each keyword the indexed words that it may mean.
  private func meant(_ found: [MeantWord]) -> [[String]] {
    var words = [[String]](repeating: [], count: keywords.words.count)
    for word in found { words[Int(word.place) - 1].append(word.word) }
    return words
  }
}
