import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

/// Finds the sessions that a filter admits: so many of each kind as keep the search short, however many sessions there are.
struct SessionSearch: Sendable {
  private let filter: SessionFilter
  private let viewer: Applicant
  private let newest: SessionID
  private let now: Instant
  private let levels: [Level]
  private let wish: Wish

  /// Candidates that are ranked where all kinds are asked for, or one.
  private static let most = 200
  /// Candidates of each kind where there are many.
  private static let fewest = 25

  init(_ filter: SessionFilter, for viewer: Applicant, newest: SessionID, now: Instant) {
    self.filter = filter
    self.viewer = viewer
    self.newest = newest
    self.now = now
    let asked = filter.levels.isEmpty ? Level.allCases : filter.levels
    levels = viewer.level.isExperienced ? asked : asked.filter(\.isExperienced)
    wish = Wish(
      since: filter.since, until: filter.until, point: filter.point, focuses: filter.focuses, level: viewer.level)
  }

  private var since: Instant { max(filter.since ?? now, now) }
  private var until: Instant { filter.until ?? now + Slot.horizon + Slot.longest }
  private var bit: Int16 { GenderSet(viewer.gender).rawValue }

  /// The kinds asked for; `nil` for all.
  private var kinds: [Int16]? {
    if filter.focuses.isEmpty, filter.genders.isEmpty, levels.count == Level.allCases.count { return nil }
    return SessionKind.all(
      filter.focuses.isEmpty ? Focus.allCases : filter.focuses, levels,
      filter.genders.isEmpty ? Gender.allCases : filter.genders
    ).map(\.number)
  }

  /// The candidates, in any order; some may be farther from the point than asked for.
  func candidates(in database: Database) async throws -> [BrowseCandidate] {
    guard since < until, !levels.isEmpty else { return [] }
    let kinds = kinds
    let limit = Int64(kinds.map { max(Self.fewest, 4 * Self.most / max(1, $0.count)) } ?? Self.most)
    if let gym = filter.gymID { return try await inGym(gym, kinds, min(limit, Int64(Self.most)), database) }
    if let point = filter.point { return try await near(point, kinds, min(limit, Int64(Self.most)), database) }
    return try await bySlot(kinds, min(limit, Int64(Self.most)), database)
  }

  private func bySlot(_ kinds: [Int16]?, _ limit: Int64, _ database: Database) async throws -> [BrowseCandidate] {
    guard let kinds else {
      return try await database.rows(
        CandidatesBySlot(
          now: now, until: until, since: since, viewerBit: bit, newestID: newest, limit: limit, viewerID: viewer.id))
    }
    return try await database.rows(
      CandidatesOfKinds(
        kinds: kinds, now: now, until: until, since: since, viewerBit: bit, newestID: newest, limit: limit,
        viewerID: viewer.id))
  }

  private func inGym(
    _ gym: GymID, _ kinds: [Int16]?, _ limit: Int64, _ database: Database
  ) async throws -> [BrowseCandidate] {
    guard let kinds else {
      return try await database.rows(
        CandidatesInGym(
          gymID: gym, now: now, until: until, since: since, viewerBit: bit, newestID: newest, limit: limit,
          viewerID: viewer.id))
    }
    return try await database.rows(
      CandidatesOfKindsInGym(
        kinds: kinds, gymID: gym, now: now, until: until, since: since, viewerBit: bit, newestID: newest, limit: limit,
        viewerID: viewer.id))
  }

  private func near(
    _ point: GeoPoint, _ kinds: [Int16]?, _ limit: Int64, _ database: Database
  ) async throws -> [BrowseCandidate] {
    // A little more than the ball, so that no rounding leaves out what is at its edge.
    let chord = GeoPoint.chord(ofDistance: filter.radius) * 1.000_001 + 1e-9
    let times = (SpaceTime.coordinate(of: since), SpaceTime.coordinate(of: until))
    let lower = point.vector.map { $0 - chord } + [times.0]
    let upper = point.vector.map { $0 + chord } + [times.1]
    let centre = (point.vector + [times.0], point.vector + [times.1])
    guard let kinds else {
      return try await database.rows(
        CandidatesNearPoint(
          lowerCorner: lower, upperCorner: upper, now: now, until: until, since: since, viewerBit: bit,
          newestID: newest, lowerCentre: centre.0, upperCentre: centre.1, limit: limit, viewerID: viewer.id))
    }
    return try await database.rows(
      CandidatesOfKindsNearPoint(
        kinds: kinds, lowerCorner: lower, upperCorner: upper, now: now, until: until, since: since, viewerBit: bit,
        newestID: newest, lowerCentre: centre.0, upperCentre: centre.1, limit: limit, viewerID: viewer.id))
  }

  /// A candidate's rank; `nil` for one that is too far away.
  func ranked(_ candidate: BrowseCandidate) -> RankedSession? {
    guard let slot = Slot(from: candidate.startsAt, to: candidate.endsAt),
      let gym = GeoPoint(latitude: candidate.gymLatitude, longitude: candidate.gymLongitude)
    else { return nil }
    let distance = filter.point?.distance(to: gym) ?? Metres(0)
    guard distance <= filter.radius else { return nil }
    let reputation = Reputation(
      ratings: candidate.ratingCount, sum: candidate.ratingSum, attended: candidate.attended, missed: candidate.missed)
    let offer = Offer(
      slot: slot, gym: gym, focus: candidate.focus, level: candidate.level, reputation: reputation)
    return RankedSession(id: candidate.id, fit: Fit(offer, for: wish), distance: distance)
  }
}

/// A session with its rank: the best fit first, then the earlier post.
struct RankedSession: Sendable, Comparable {
  let id: SessionID
  let fit: Fit
  let distance: Metres

  /// Whether it comes after another one in the list.
  func isBehind(_ score: Double, _ other: SessionID) -> Bool {
    fit.score != score ? fit.score < score : other < id
  }

  static func < (one: RankedSession, other: RankedSession) -> Bool { other.isBehind(one.fit.score, one.id) }
}
