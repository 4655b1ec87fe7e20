import CatalogDomain
import CatalogStore
import Geography
import Identifiers
import Postgres

extension GymOperations {
  /// The raw value is part of page tokens: all pages of a search come from the same step.
  package enum Step: Int64, Sendable {
    case exact = 1
    case similar = 2
  }

  /// A found gym; its score is the chord of its distance where there is a point to measure from.
  package typealias Found = (gym: StoredGym, score: Double)

  /// A page of the gyms in which every keyword occurs, or of those with similar words if there are none ([CA-2]).
  ///
  /// - Parameters:
  ///   - point: the point that the gyms found are listed by; `nil` to list the best match first.
  ///   - position: the raw value of a step, and the score and the id of the last gym of the previous page.
  package func searchGyms(
    for keywords: GymKeywords, around point: GeoPoint?, after position: (Int64, Double, GymID)?, limit: Int64,
    at now: Instant
  ) async throws -> (found: [Found], step: Step) {
    try await GymSearch(keywords, around: point, limit: limit, now: now).run(after: position, database)
  }
}

/// The search for one page, in two steps; the second runs only if the first finds nothing.
package struct GymSearch {
  package typealias Step = GymOperations.Step
  package typealias Found = GymOperations.Found

  let keywords: GymKeywords
  /// The point that the gyms found are listed by; `nil` to list the best match first.
  let point: GeoPoint?
  let limit: Int64
  let now: Instant

  package init(_ keywords: GymKeywords, around point: GeoPoint? = nil, limit: Int64, now: Instant) {
    self.keywords = keywords
    self.point = point
    self.limit = limit
    self.now = now
  }

  package func run(
    after position: (Int64, Double, GymID)?, _ database: Database
  ) async throws -> (found: [Found], step: Step) {
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
  ) async throws -> [Found] {
    guard let query = GymQuery(words, of: keywords, similar: similar) else { return [] }
    if let point {
      return try await database.rows(
        GymsWithWordsNear(query, around: point, after: after.map { ($0.0, $0.1) }, limit: limit, now: now)
      ).map { ($0.gym, $0.chord) }
    }
    return try await database.rows(GymsWithWords(query, after: after, limit: limit, now: now)).map {
      ($0.gym, $0.score)
    }
  }

  /// For each keyword the indexed words that it may mean.
  private func meant(_ found: [MeantWord]) -> [[String]] {
    var words = [[String]](repeating: [], count: keywords.words.count)
    for word in found { words[Int(word.place) - 1].append(word.word) }
    return words
  }
}
