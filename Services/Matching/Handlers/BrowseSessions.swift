import FieldViolations
import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching
import Timestamps

extension Sessions {
  /// The sessions that the caller could join, the best fit first ([MA-3], [MA-4]).
  ///
  /// The database finds a bounded number of candidates by its indexes, the domain ranks them; what else fits follows by its start.
  package func browseSessions(
    _ call: BrowseSessionsRequest, _ context: CallContext
  ) async throws -> BrowseSessionsResponse {
    let user = try context.userID
    var bad = Violations()
    let filter = bad.filter(call)
    let page = try pages.page(of: call, context, &bad, by: SessionID.self, BrowsePosition.self)
    let wanted = try bad.all(filter)
    guard !wanted.isEmpty else { return BrowseSessionsResponse() }
    let viewer = try await applicants.applicant(user)
    let now = environment.clock.now
    let newest = page.after?.0 ?? Self.newestID(at: now)
    let search = SessionSearch(wanted, for: viewer, newest: newest, now: now)
    let position = page.after?.1 ?? BrowsePosition()
    let found = try await search.page(after: position, Int(page.limit), in: database)
    let (shown, next) = try page.cut(found.sessions) { _ in (newest, position.after(found, size: page.size)) }
    return BrowseSessionsResponse(matches: try await matches(shown, viewer, now), nextPageToken: next)
  }

  /// The greatest id of a session that was posted by now.
  private static func newestID(at now: Instant) -> SessionID {
    let milliseconds = UInt64(max(0, now.wholeMilliseconds))
    return SessionID(UUID7(high: milliseconds << 16 | 0xFFFF, low: .max))
  }

  private func matches(_ ranked: [RankedSession], _ viewer: Applicant, _ now: Instant) async throws -> [SessionMatch] {
    guard !ranked.isEmpty else { return [] }
    let sessions = try await database.rows(SessionsByIDs(sessionIDs: ranked.map(\.id)))
    let byID = Dictionary(sessions.map { ($0.id, $0) }) { first, _ in first }
    let shown = ranked.compactMap { one in byID[one.id].map { (one, $0) } }
    let slots = shown.map(\.1.slot)
    guard let since = slots.map(\.start).min(), let until = slots.map(\.end).max() else { return [] }
    let taken = try await database.rows(SlotsTakenOf(userID: viewer.id, since: since, until: until))
      .compactMap { Slot(from: $0.startsAt, to: $0.endsAt) }
    return shown.map { one, session in
      let obstacles = session.facts.obstacles(
        for: viewer, hasOverlap: taken.contains { $0.overlaps(session.slot) }, at: now)
      return SessionMatch(
        session: Session(session, obstacles, at: now), fit: TandemMatching.Fit(one.fit), distanceM: one.distance.value)
    }
  }
}

/// The parsed filter of a browse request.
struct SessionFilter: Sendable {
  var since: Instant?
  var until: Instant?
  var gymID: GymID?
  var point: GeoPoint?
  var radius = GeoPoint.farthest
  var focuses: [Focus] = []
  var genders: [Gender] = []
  var levels: [Level] = []

  /// Whether it asks for nothing.
  var isEmpty: Bool {
    since == nil && until == nil && gymID == nil && point == nil && focuses.isEmpty && genders.isEmpty
      && levels.isEmpty
  }
}

extension Violations {
  fileprivate mutating func filter(_ call: BrowseSessionsRequest) -> SessionFilter? {
    var filter = SessionFilter()
    filter.since = bound("start_time", call.startTime.map { time in Result { try Instant(wire: time) } })
    filter.until = bound("end_time", call.endTime.map { time in Result { try Instant(wire: time) } })
    if let since = filter.since, let until = filter.until, since >= until {
      add("end_time", "The slot must end after its start", MatchingReason.slotInvalid)
    }
    if !call.gymID.isEmpty { filter.gymID = gymID(call.gymID) }
    if call.point != nil {
      filter.point = point(call.point)
      if let radius = require(
        "radius_m", call.radiusM > 0 ? call.radiusM : nil, "The radius must be above 0", MatchingReason.radiusInvalid)
      {
        filter.radius = Metres(min(radius, GeoPoint.farthest.value))
      }
      if !call.gymID.isEmpty { add("point", "Ask for a gym or a point", MatchingReason.placeAmbiguous) }
    }
    (filter.focuses, filter.genders, filter.levels) = kinds(call.focuses, call.genders, call.levels)
    return isEmpty ? filter : nil
  }

  /// Focuses, genders and levels of a filter, each once, in the order of the request.
  ///
  /// - Parameter prefix: of the fields' names.
  mutating func kinds(
    _ focuses: [TandemMatching.Focus], _ genders: [TandemMatching.Gender], _ levels: [TandemMatching.Level],
    in prefix: String = ""
  ) -> (focuses: [Focus], genders: [Gender], levels: [Level]) {
    (
      choices("\(prefix)focuses", focuses.map { Focus($0) }, "A focus is not specified", MatchingReason.focusesInvalid),
      choices(
        "\(prefix)genders", genders.map { Gender($0) }, "A gender is not specified", MatchingReason.gendersInvalid),
      choices("\(prefix)levels", levels.map { Level($0) }, "A level is not specified", MatchingReason.levelsInvalid)
    )
  }

  private mutating func choices<Value: Hashable>(
    _ field: String, _ named: [Value?], _ description: String, _ reason: MatchingReason
  ) -> [Value] {
    let values = named.compactMap { $0 }
    if values.count < named.count { add(field, description, reason) }
    return Self.unique(values)
  }

  /// Values without repetitions, in the order of their first occurrence.
  static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  private mutating func bound(_ field: String, _ read: Result<Instant, any Error>?) -> Instant? {
    switch read {
    case nil: nil
    case .success(let time): time
    case .failure: require(field, nil, "This is not a time", MatchingReason.slotInvalid)
    }
  }
}
