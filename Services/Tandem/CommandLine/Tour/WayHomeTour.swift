import Environment
import Geography
import Identifiers
import Reflection
import TTRPC
import TandemTracking

/// A way home that a friend follows.
extension Tour {
  static let locations = "tandem.tracking.v1.Locations"
  static let journeys = "tandem.tracking.v1.Journeys"
  static let places = "tandem.tracking.v1.Places"
  static let chat = "tandem.chat.v1.Chat"

  /// Goes home while a member of the group looks on, with an alert on the way.
  func goHome(as name: String, _ access: String, seenBy friendAccess: String, in group: JSONValue)
    async throws
  {
    let conversation = try await groupConversation(friendAccess)
    let track = try await TourTrack.read()
    let destination = try place(track.destination)
    say("\(name) names a place, so that the group is told when \(name) arrives there. Where it is, it does not see.")
    let home: KeyValuePairs<String, JSONValue> = [
      "name": .string("Home"), "point": destination, "radiusM": .integer(100), "groupIds": .array([group]),
    ]
    _ = try await call(Self.places, "CreatePlace", ["place": .members(home)], token: access)
    say("\(name) goes home, and the group follows: it sees the journey, its promised end, and the position.")
    let start = SystemClock().now
    _ = try await call(
      Self.journeys, "StartJourney",
      [
        "groupIds": .array([group]), "destination": destination,
        "arrivalTime": .string("\(start + .seconds(1_800))"), "mode": .string("TRAVEL_MODE_WALKING"),
      ], token: access)
    let player = try player(of: name, access, track)
    for line in ReplayReport.lines(track.plan, of: track.name, as: name, speed: track.speed) {
      say("  " + palette.dim(line))
    }
    let half = player.plan.steps.count / 2
    try await replay(player, 0..<half, "the first half of the way")
    _ = try await call(Self.locations, "GetMembers", ["groupIds": .array([group])], token: friendAccess)

    let middle = try place(player.plan.steps[half].place)
    let alert = try await askForHelp(as: name, access, at: middle, seenBy: friendAccess, group)
    try await replay(player, half..<player.plan.steps.count, "the rest of the way", ahead: Self.clockError)
    _ = try await call(Self.journeys, "StopSOS", [:], token: access)
    _ = try await call(Self.notifications, "ListNotifications", ["pageSize": .integer(3)], token: friendAccess)
    _ = try await stream(
      "ExportPath", of: Self.journeys, [.members(["journeyId": .string(try text("journeyId", of: alert))])],
      friendAccess)

    say("The group has a chat, whose first lines say who joined.")
    _ = try await call(Self.chat, "ListMessages", ["conversationId": conversation], token: friendAccess)
  }

  /// By how much the clock of the phone is ahead in SOS.
  private static let clockError = Duration.seconds(90)

  /// Alerts every group with a position that has a time to come, and sees it as one of now ([TR-5]).
  private func askForHelp(
    as name: String, _ access: String, at point: JSONValue, seenBy friendAccess: String, _ group: JSONValue
  ) async throws -> JSONValue {
    say("Halfway \(name) needs help: an SOS alert with its position reaches every group, and ends the journey.")
    say("The phone's clock is 90 s ahead; it is seen at once all the same, with the time that is right.")
    let position = JSONValue.members([
      "latitude": point["latitude"] ?? .null, "longitude": point["longitude"] ?? .null, "accuracyM": .integer(8),
      "time": .string("\(SystemClock().now + Self.clockError)"),
    ])
    let alert = try await call(Self.journeys, "StartSOS", ["position": position], token: access)
    guard alert["alertedMembers"]?.integer == 1 else { throw Complaint("the alert did not reach the other member") }
    let seen = try await call(Self.locations, "GetMembers", ["groupIds": .array([group])], token: friendAccess)
    let members = seen["groups"]?.array?.first?["members"]?.array ?? []
    let time = members.compactMap { $0["position"]?["time"]?.string }.first ?? ""
    // Both are written in UTC, so that they are ordered as texts are.
    guard !time.isEmpty, time.prefix(19) <= "\(SystemClock().now + .seconds(30))".prefix(19) else {
      throw Complaint("the member in need is seen at \(time), which is to come")
    }
    say("It ends well: home is reached.")
    return alert
  }

  private func place(_ point: GeoPoint?) throws(Complaint) -> JSONValue {
    guard let point else { throw Complaint("the recorded track has no position with a time") }
    return .members(["latitude": .number("\(point.latitude)"), "longitude": .number("\(point.longitude)")])
  }

  /// Plays the recorded track as the user.
  private func player(of name: String, _ access: String, _ track: TourTrack) throws -> ReplayPlayer {
    let locations = LocationsClient(try client(of: Self.locations).connection)
    let user = ReplayUser(name: name, accessToken: access, locations: locations)
    return ReplayPlayer(user: user, plan: track.plan, speed: track.speed, times: .live)
  }

  private func replay(
    _ player: ReplayPlayer, _ steps: Range<Int>, _ what: String, ahead: Duration = .zero
  ) async throws {
    say("  " + palette.dim("`tandem replay` plays \(what)"))
    try await player.play(steps, ahead: ahead)
    say("    " + ReplayReport.line(player.progress, of: player.user.name))
  }

  /// The chat of the user's only group, once tracking has received the membership from identity.
  private func groupConversation(_ access: String) async throws -> JSONValue {
    for _ in 0..<200 {
      let listed = try await call(Self.chat, "ListConversations", [:], token: access, isShown: false)
      if let id = listed["conversations"]?.array?.first?["conversationId"] { return id }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Complaint("tracking did not receive the membership within 10 s")
  }
}
