import FieldViolations
import Geography
import GoogleType
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import TTRPC
import TandemMatching
import VisibleText

extension SavedSearches {
  /// Saves a search.
  package func saveSearch(_ call: SaveSearchRequest, _ context: CallContext) async throws -> SavedSearch {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let name = bad.require("name", SearchName.read(call.name), MatchingReason.nameInvalid)
    let wire = call.filter ?? TandemMatching.SearchFilter()
    let draft = MatchingStore.SearchFilter(wire, &bad)
    try await check(zone: wire.timeZone, &bad)
    let (chosen, filter) = try bad.all(name, draft)
    let key = context.requestKey(requestID)
    if let first: SavedSearch = try await idempotency.firstAnswer(to: call, key) { return first }
    try await operations.prepareSearch(of: user)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      SavedSearch(try await operations.saveSearch(named: chosen, filter, of: user, tx))
    }
  }

  private func check(zone: String, _ bad: inout Violations) async throws {
    guard !zone.isEmpty, !(try await operations.isTimeZone(zone)) else { return }
    bad.add("filter.time_zone", "There is no such time zone", MatchingReason.timeZoneInvalid)
  }
}

extension MatchingStore.SearchFilter {
  private static let maxRadius = 100_000.0

  /// `nil`, with violations, for a filter that is empty or makes no sense.
  fileprivate init?(_ wire: TandemMatching.SearchFilter, _ bad: inout Violations) {
    let place = Self.place(wire, &bad)
    let times = Self.times(wire, &bad)
    let kinds = bad.kinds(wire.focuses, wire.genders, wire.levels, in: "filter.")
    guard let place, let times else { return nil }
    self.init(place: place, times: times, focuses: kinds.focuses, genders: kinds.genders, levels: kinds.levels)
    if isEmpty {
      bad.add("filter", "Say what you are looking for", MatchingReason.filterRequired)
      return nil
    }
  }

  private static func place(_ wire: TandemMatching.SearchFilter, _ bad: inout Violations) -> SearchPlace? {
    var gym: GymID?
    if !wire.gymID.isEmpty {
      gym = bad.require(
        "filter.gym_id", GymID(wire.gymID), "This is not the id of a gym", MatchingReason.gymIDInvalid)
      if wire.point != nil {
        bad.add("filter.point", "Name a gym or a point, not both", MatchingReason.placeAmbiguous)
      }
    }
    guard let point = wire.point else { return wire.gymID.isEmpty ? .anywhere : gym.map { .gym($0) } }
    let center = bad.partnerPoint(point, "filter.point")
    let isRadius = wire.radiusM > 0 && wire.radiusM <= maxRadius
    let radius = bad.require(
      "filter.radius_m", isRadius ? Metres(wire.radiusM) : nil, "A radius is above 0 and at most 100,000 metres",
      MatchingReason.radiusInvalid)
    guard let center, let radius else { return nil }
    return .around(center, radius)
  }

  private static func times(_ wire: TandemMatching.SearchFilter, _ bad: inout Violations) -> SearchTimes? {
    let days = wire.weekdays.map { Int($0.rawValue) }
    var minutes: SearchTimes.Minutes?
    var isValid = (wire.earliestStart == nil) == (wire.latestStart == nil)
    if let earliest = wire.earliestStart, let latest = wire.latestStart {
      minutes = earliest.minuteOfDay.flatMap { first in
        latest.minuteOfDay.flatMap { SearchTimes.Minutes(earliest: first, latest: $0) }
      }
      isValid = minutes != nil
    }
    let zone = wire.timeZone.isEmpty ? nil : wire.timeZone
    return bad.require(
      "filter.earliest_start", isValid ? SearchTimes(days: days, minutes: minutes, zone: zone) : nil,
      "Name days once each, both times of day or none, and their time zone", MatchingReason.slotInvalid)
  }
}

extension TimeOfDay {
  /// `nil` for what is no whole minute of a day.
  fileprivate var minuteOfDay: Int? {
    guard (0...23).contains(hours), (0...59).contains(minutes), seconds == 0, nanos == 0 else { return nil }
    return Int(hours) * 60 + Int(minutes)
  }
}
