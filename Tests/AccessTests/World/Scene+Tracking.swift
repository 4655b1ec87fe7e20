import Environment
import TTRPC
import TandemTracking
import TestSupport
import Testing

/// Groups and journeys that the table's requests are about.
extension Scene {
  /// Performs the steps of `before` that concern journeys; `false` for any other.
  mutating func performOnJourneys(_ step: String) async throws -> Bool {
    switch step {
    // The caller is on no journey, on one that no group sees, or in SOS.
    case "rested": try await rest()
    case "onJourney", "inSOS":
      try await rest()
      let id = try await insertJourney(of: subject, step == "inSOS" ? .alert : .journey)
      try await world.sql("update tracking.trackers set journey_id = '\(id)' where user_id = '\(subject.id)'")
    default: return false
    }
    return true
  }

  /// Prepares a name in braces that concerns groups in tracking: of the owner and the member.
  mutating func prepareJourney(_ name: String) async throws {
    switch name {
    case "home": values[name] = try await home()
    case "journey":
      let (group, id) = (try await home(), try await insertJourney(of: world.cast.owner, .ended))
      try await world.sql(
        """
        insert into tracking.journey_groups values ('\(id)', '\(group)');
        -- Who joined later sees what is recorded from then on.
        update tracking.memberships set joined_at = '\(Self.start)' where group_id = '\(group)';
        insert into tracking.path_points (user_id, recorded_at, latitude, longitude)
        values ('\(world.cast.owner.id)', '\(Self.start)', 1.3, 103.8) on conflict do nothing
        """)
      values[name] = id
    case "place":
      values[name] = try await PlacesClient(try world.server("tracking").client()).createPlace(
        CreatePlaceRequest(
          place: NamedPlace(name: "Home", point: Place(latitude: 1.3, longitude: 103.8), radiusM: 100)),
        try await world.cast.owner.options(at: world.identity)
      ).placeID
    case "ongoing": values[name] = try await ongoingJourney()
    case "journeyLink", "journeyLinkToken", "linkedJourney": try await makeLink()
    default: break
    }
  }

  /// A new journey of the owner.
  private func ongoingJourney() async throws -> String {
    try await world.sql(
      """
      update tracking.journeys set ended_at = started_at, outcome = 'STOPPED'
      where user_id = '\(world.cast.owner.id)' and ended_at is null
      """)
    return try await insertJourney(of: world.cast.owner, .journey)
  }

  private mutating func makeLink() async throws {
    let journey = try await ongoingJourney()
    let made = try await JourneySharesClient(try world.server("tracking").client()).createShare(
      CreateShareRequest(journeyID: journey), try await world.cast.owner.options(at: world.identity))
    values["linkedJourney"] = journey
    (values["journeyLink"], values["journeyLinkToken"]) = (made.share?.shareID ?? "", made.token)
    // The name comes from identity by itself.
    try await until("tracking knows the name") {
      try await world.sql("select count(*) from tracking.users where username = '\(world.cast.owner.username)'")
        == [["1"]]
    }
  }

  private enum Kind { case journey, ended, alert }

  /// When the clock of every world starts.
  private static let start = "2026-01-15 12:00:00+00"

  private func rest() async throws {
    try await world.sql(
      """
      insert into tracking.trackers (user_id) values ('\(subject.id)') on conflict do nothing;
      update tracking.trackers set journey_id = null where user_id = '\(subject.id)';
      update tracking.journeys set ended_at = started_at, outcome = 'STOPPED'
      where user_id = '\(subject.id)' and ended_at is null;
      update tracking.memberships set state = 'INACTIVE', warnings = 0, shared_since = null
      where user_id = '\(subject.id)'
      """)
  }

  private func insertJourney(of user: CastMember, _ kind: Kind) async throws -> String {
    let id = "\(SystemRandomness().uuid7(at: world.clock.now))"
    let plan = kind == .alert ? "null, null, null, null" : "1.3, 103.8, '\(Self.start)', 'WALKING'"
    let end = kind == .ended ? "'\(Self.start)', 'STOPPED'" : "null, null"
    try await world.sql(
      """
      insert into tracking.journeys
      (id, user_id, kind, started_at, latitude, longitude, arrival_at, mode, ended_at, outcome)
      values ('\(id)', '\(user.id)', '\(kind == .alert ? "SOS" : "JOURNEY")', '\(Self.start)', \(plan), \(end))
      """)
    return id
  }

  /// A new group of the owner and the member, which tracking knows.
  private func home() async throws -> String {
    let group = try await group(
      with: world.cast.member, try await world.cast.owner.options(at: world.identity))
    try await until("tracking knows the members") {
      try await world.sql("select count(*) from tracking.memberships where group_id = '\(group)'") == [["2"]]
    }
    return group
  }
}
