import FieldViolations
import Geography
import Identifiers
import MatchingDomain
import MatchingOperations
import Pagination
import TTRPC
import TandemMatching
import Timestamps

extension Sessions {
  /// The sessions that the caller could join, the best fit first ([MA-3], [MA-4]).
  package func browseSessions(
    _ call: BrowseSessionsRequest, _ context: CallContext
  ) async throws -> BrowseSessionsResponse {
    let user = try context.userID
    var bad = Violations()
    let filter = bad.filter(call)
    let page = try pages.page(of: call, context, &bad, by: SessionID.self, BrowsePosition.self)
    let wanted = try bad.all(filter)
    guard !wanted.isEmpty else { return BrowseSessionsResponse() }
    let viewer = try await operations.lookUpApplicant(user)
    let now = environment.clock.now
    let newest = page.after?.0 ?? Self.newestID(at: now)
    let position = page.after?.1 ?? BrowsePosition()
    let found = try await operations.browseSessions(
      wanted, for: viewer, after: position, limit: Int(page.limit), newest: newest, at: now)
    let (shown, next) = try page.cut(found.sessions) { _ in (newest, position.after(found, size: page.size)) }
    let matches = try await operations.show(shown, to: viewer, at: now).map { SessionMatch($0, at: now) }
    return BrowseSessionsResponse(matches: matches, nextPageToken: next)
  }

  /// The greatest id of a session that was posted by now.
  private static func newestID(at now: Instant) -> SessionID {
    let milliseconds = UInt64(max(0, now.wholeMilliseconds))
    return SessionID(UUID7(high: milliseconds << 16 | 0xFFFF, low: .max))
  }
}

extension SessionMatch {
  fileprivate init(_ found: FoundSession, at now: Instant) {
    self.init(
      session: Session(found.session, found.obstacles, at: now), fit: TandemMatching.Fit(found.ranked.fit),
      distanceM: found.ranked.distance.value)
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
