import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

/// Finds the sessions that a filter admits: first as many as keep the search short, however many sessions there are, to be ranked; then the
/// others by their start ([MA-3]).
struct SessionSearch: Sendable {
  private let filter: SessionFilter
  private let viewer: Applicant
  private let newest: SessionID
  private let now: Instant
  private let levels: [Level]
  private let wish: Wish

  /// Candidates on either side of the slot's beginning where all kinds are asked for, or one; and half of those around a point.
  private static let maxCount = 200
  /// Candidates of each kind where there are many; of all kinds it makes 900 on either side.
  private static let fewest = 5
  /// The gyms around a point that are looked at; beyond them the distance makes up for no fit.
  private static let nearestGyms = 1_000
  /// Sessions around a point that are looked at, of whatever kind, for those of the kinds asked for.
  private static let visits = 3_000
  /// In a greater radius there are so many gyms that sessions are read by their start.
  private static let wideRadius = Metres(50_000)
  /// The cube exceeds the ball by six metres, so that rounding excludes nothing.
  private static let cubeMargin = 1e-6
  /// As many of one gym, on either side of the slot's beginning.
  private static let visitsOfGym = 100
  /// So many focuses are looked up by the index; for more it costs less to look at all sessions.
  private static let indexedFocuses = 3

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
  private var until: Instant { filter.until ?? now + Slot.horizon + Slot.maxDuration }
  private var bit: Int16 { GenderSet(viewer.gender).rawValue }

  /// The kinds asked for; `nil` for all.
  private var kinds: [Int16]? {
    if filter.focuses.isEmpty, filter.genders.isEmpty, levels.count == Level.allCases.count { return nil }
    return SessionKind.all(
      filter.focuses.isEmpty ? Focus.allCases : filter.focuses, levels,
      filter.genders.isEmpty ? Gender.allCases : filter.genders
    ).map(\.number)
  }

  /// The candidates to be ranked, in any order; some may be farther from the point than asked for.
  ///
  /// - Returns: and whether nothing else can fit.
  func candidates(in database: Database) async throws -> (found: [BrowseCandidate], areAll: Bool) {
    guard since < until, !levels.isEmpty else { return ([], true) }
    let found = try await searched(in: database)
    // Of few none was left out: every part of a search has room for so many. Around a point gyms may have been left out, too.
    return (found, found.count < room && filter.point == nil)
  }

  private func searched(in database: Database) async throws -> [BrowseCandidate] {
    if let gym = filter.gymID {
      guard let kinds else { return try await database.rows(inGym(gym)) }
      return try await database.rows(
        CandidatesOfKindsInGym(
          kinds: kinds, gymID: gym, now: now, until: until, since: since, viewerBit: bit, newestID: newest,
          viewerID: viewer.id, limit: Int64(room)))
    }
    if let point = filter.point {
      guard (1...Self.indexedFocuses).contains(filter.focuses.count) else {
        return try await database.rows(near(point))
      }
      return try await database.rows(ofFocuses(near: point))
    }
    return try await bySlot(database)
  }

  private func bySlot(_ database: Database) async throws -> [BrowseCandidate] {
    guard let kinds else {
      return try await database.rows(
        CandidatesBySlot(
          now: now, until: until, since: since, viewerBit: bit, newestID: newest, viewerID: viewer.id,
          limit: Int64(room)))
    }
    return try await database.rows(
      CandidatesOfKinds(
        kinds: kinds, now: now, until: until, since: since, viewerBit: bit, newestID: newest,
        viewerID: viewer.id, limit: Int64(room)))
  }

  /// Candidates of each kind on either side of the slot's beginning, or of all.
  private var room: Int {
    guard let kinds else { return Self.maxCount }
    return min(Self.maxCount, max(Self.fewest, 4 * Self.maxCount / max(1, kinds.count)))
  }

  private func inGym(_ gym: GymID) -> CandidatesInGym {
    CandidatesInGym(
      gymID: gym, now: now, until: until, since: since, viewerBit: bit, newestID: newest, viewerID: viewer.id,
      limit: Int64(room))
  }

  private func near(_ point: GeoPoint) -> CandidatesNearPoint {
    CandidatesNearPoint(
      vector: point.vector, gyms: Int64(Self.nearestGyms), chord: chord, now: now, until: until, since: since,
      viewerBit: bit, newestID: newest, viewerID: viewer.id, each: Int64(Self.visitsOfGym),
      visits: Int64(kinds == nil ? 2 * Self.maxCount : Self.visits), kinds: kinds, limit: Int64(2 * Self.maxCount))
  }

  private func ofFocuses(near point: GeoPoint) -> CandidatesOfFocusesNearPoint {
    let genders = filter.genders.isEmpty ? Gender.allCases : filter.genders
    let kinds = filter.focuses.map { SessionKind.all([$0], levels, genders).map(\.number) }
    return CandidatesOfFocusesNearPoint(
      vector: point.vector, gyms: Int64(Self.nearestGyms / filter.focuses.count), chord: chord,
      firstKinds: kinds.compactMap { $0.min() }, lastKinds: kinds.compactMap { $0.max() }, kinds: kinds.flatMap { $0 },
      now: now, until: until, since: since, viewerBit: bit, newestID: newest, viewerID: viewer.id,
      each: Int64(Self.visitsOfGym), limit: Int64(2 * Self.maxCount))
  }

  /// What fits by its start, after a session; with those that were ranked.
  func later(
    after position: (start: Instant, id: SessionID)?, limit: Int64, in database: Database
  ) async throws -> [BrowseCandidate] {
    guard since < until, !levels.isEmpty else { return [] }
    let (start, id) = (position?.start, position?.id)
    if let gym = filter.gymID {
      return try await database.rows(
        LaterSessionsInGym(
          gymID: gym, now: now, until: until, since: since, viewerBit: bit, newestID: newest, viewerID: viewer.id,
          afterStart: start, afterSessionID: id, kinds: kinds, limit: limit))
    }
    if let point = filter.point {
      if filter.radius > Self.wideRadius {
        return try await database.rows(
          LaterSessionsFarAround(
            now: now, until: until, since: since, viewerBit: bit, newestID: newest, viewerID: viewer.id,
            afterStart: start, afterSessionID: id, kinds: kinds, vector: point.vector, chord: chord, limit: limit))
      }
      return try await database.rows(
        LaterSessionsNear(
          vector: point.vector, cubeSize: chord + Self.cubeMargin, chord: chord, now: now, until: until, since: since,
          viewerBit: bit, newestID: newest, viewerID: viewer.id, afterStart: start, afterSessionID: id, kinds: kinds,
          limit: limit))
    }
    if let kinds {
      return try await database.rows(
        LaterSessionsOfKinds(
          kinds: kinds, now: now, until: until, since: since, viewerBit: bit, newestID: newest, viewerID: viewer.id,
          afterStart: start, afterSessionID: id, limit: limit))
    }
    return try await database.rows(
      LaterSessions(
        now: now, until: until, since: since, viewerBit: bit, newestID: newest, viewerID: viewer.id,
        afterStart: start, afterSessionID: id, limit: limit))
  }

  /// A little more than the radius, so that no rounding leaves out what is at its edge.
  private var chord: Double { GeoPoint.chord(ofDistance: filter.radius) * 1.000_001 + 1e-9 }

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
    return RankedSession(id: candidate.id, start: slot.start, fit: Fit(offer, for: wish), distance: distance)
  }
}

extension SessionSearch {
  /// The sessions after a position, as many as there are up to a limit.
  func page(after position: BrowsePosition, _ limit: Int, in database: Database) async throws -> BrowsedSessions {
    var page = BrowsedSessions()
    if position.last == nil {
      let (found, areAll) = try await candidates(in: database)
      let best = found.filter { !position.hasShown($0.id) }.compactMap { ranked($0) }.sorted()
      page.sessions = Array(best.prefix(min(limit, BrowsePosition.maxRanked - position.ranked.count)))
      page.ranked = page.sessions.count
      let isWhole = areAll && page.sessions.count == best.count
      if isWhole || page.sessions.count == limit { return page }
    }
    let shown = Set(page.sessions.map(\.id))
    let wanted = limit - page.sessions.count
    // Those that were ranked come again, and are left out.
    let following = try await later(
      after: position.last, limit: Int64(wanted + position.ranked.count + shown.count), in: database)
    let rest = following.filter { !position.hasShown($0.id) && !shown.contains($0.id) }.compactMap { ranked($0) }
    page.sessions += rest.prefix(wanted)
    return page
  }
}

/// A session with its rank: the best fit first, then the earlier post.
package struct RankedSession: Sendable, Comparable {
  package let id: SessionID
  package let start: Instant
  package let fit: Fit
  package let distance: Metres

  /// Whether it comes after another one in the list.
  func isBehind(_ score: Double, _ other: SessionID) -> Bool {
    fit.score != score ? fit.score < score : other < id
  }

  package static func < (one: RankedSession, other: RankedSession) -> Bool { other.isBehind(one.fit.score, one.id) }
}
