import CatalogDomain
import CatalogStore
import FieldViolations
import Geography
import Identifiers
import Pagination
import Postgres
import TTRPC
import TandemCatalog
import TandemLending

extension Gyms {
  /// A page of the gyms in which every keyword occurs, or of those with similar words if there are none ([CA-2], [C-7]).
  package func searchGyms(_ call: SearchGymsRequest, _ context: CallContext) async throws -> SearchGymsResponse {
    let user = try context.userID
    var bad = Violations()
    let keywords = bad.query(call.query, "query") { text throws(SearchQuery.Refusal) in try GymKeywords(text) }
    let page = try pages.page(of: call, context, &bad, by: Int64.self, Double.self, GymID.self)
    let origin = try await origin(of: call, for: user, &bad)
    let search = GymSearch(try bad.all(keywords), around: origin, limit: page.limit, now: environment.clock.now)
    let (found, step) = try await turns.run(for: user) { try await search.run(after: page.after, database) }
    let (rows, next) = try page.cut(found) { (step.rawValue, $0.score, $0.gym.id) }
    return SearchGymsResponse(
      gyms: try await shown(rows.map(\.gym)),
      distancesM: origin == nil ? [] : rows.map { GeoPoint.distance(ofChord: $0.score).value },
      match: rows.isEmpty ? .unspecified : step.wire,
      notice: rows.isEmpty ? GymQuery.emptyNotice : "", nextPageToken: next)
  }
}

extension Gyms {
  /// The point that distances are measured from; `nil` without one, and for an invalid one, to which it adds a violation.
  private func origin(
    of call: SearchGymsRequest, for user: UserID, _ bad: inout Violations
  ) async throws -> GeoPoint? {
    if let point = call.point {
      if !call.near.isEmpty {
        bad.add("near", "Give a point or a place, not both", CatalogReason.placeUnknown)
      }
      return bad.require(
        "point", GeoPoint(latitude: point.latitude, longitude: point.longitude),
        "A latitude is between -90 and 90 degrees, a longitude between -180 and 180", CatalogReason.pointInvalid)
    }
    guard !call.near.isEmpty else { return nil }
    var origin: GeoPoint?
    if let place = GymPlace(call.near) {
      origin = try await turns.run(for: user) { try await middle(of: place) }
      if origin == nil { origin = try await town(named: call.near) }
    }
    return bad.require("near", origin, "No gym or town is known by this", CatalogReason.placeUnknown)
  }

  /// The middle of the gyms with a postcode or in a town; `nil` if there are none.
  private func middle(of place: CatalogDomain.GymPlace) async throws -> GeoPoint? {
    let found = try await database.rows(GymsAtPlace(place)).filter {
      place.isThat(postcode: $0.postcode, city: $0.city)
    }
    return GeoPoint(inTheMiddleOf: found.compactMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) })
  }

  /// A town without gyms, which lending knows; `nil` if it does not know it either.
  ///
  /// - Throws: `LENDING_UNAVAILABLE` if it does not answer: the town may exist.
  private func town(named name: String) async throws -> GeoPoint? {
    guard let lending else { return nil }
    let found: TandemLending.Point?
    do {
      let options = CallOptions(timeout: Self.patience)
      found = try await LoansClient(lending).findTown(FindTownRequest(name: name), options).point
    } catch let status as Status {
      if status.code == .invalidArgument { return nil }
      throw Status.townsUnavailable
    }
    return found.flatMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// Short, as the caller waits for the answer.
  private static let patience = Duration.seconds(2)
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

  /// A found gym; its score is the chord of its distance where there is a point to measure from.
  typealias Found = (gym: StoredGym, score: Double)

  let keywords: GymKeywords
  /// The point that the gyms found are listed by; `nil` to list the best match first.
  let point: GeoPoint?
  let limit: Int64
  let now: Instant

  init(_ keywords: GymKeywords, around point: GeoPoint? = nil, limit: Int64, now: Instant) {
    self.keywords = keywords
    self.point = point
    self.limit = limit
    self.now = now
  }

  func run(
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
