import Environment
import Identifiers
import Reflection
import TTRPC

/// A way home that a friend follows.
extension Tour {
  static let locations = "tandem.tracking.v1.Locations"
  static let journeys = "tandem.tracking.v1.Journeys"
  static let chat = "tandem.chat.v1.Chat"

  /// Goes home while a member of the group looks on, with an alert on the way.
  func goHome(as name: String, _ access: String, seenBy friendAccess: String, in group: JSONValue)
    async throws
  {
    let conversation = try await groupConversation(friendAccess)
    say("\(name) goes home, and the group follows: it sees the journey, its promised end, and the position.")
    let start = SystemClock().now
    _ = try await call(
      Self.journeys, "StartJourney",
      [
        "groupIds": .array([group]), "destination": .members(Self.home),
        "arrivalTime": .string("\(start + .seconds(1_800))"), "mode": .string("TRAVEL_MODE_WALKING"),
      ], token: access)
    try await report(["latitude": .number("51.5033"), "longitude": .number("-0.1276")], at: start, access)
    _ = try await call(Self.locations, "GetMembers", ["groupIds": .array([group])], token: friendAccess)

    say("Halfway \(name) needs help: an SOS alert reaches every group, and ends the journey. It ends well.")
    let alert = try await call(Self.journeys, "StartSOS", [:], token: access)
    try await report(Self.home, at: SystemClock().now, access)
    _ = try await call(Self.journeys, "StopSOS", [:], token: access)
    _ = try await call(Self.notifications, "ListNotifications", ["pageSize": .integer(3)], token: friendAccess)
    _ = try await stream(
      "ExportPath", of: Self.journeys, [.members(["journeyId": .string(try text("journeyId", of: alert))])],
      friendAccess)

    say("The group has a chat, whose first lines say who joined.")
    _ = try await call(Self.chat, "ListMessages", ["conversationId": conversation], token: friendAccess)
  }

  private static let home: KeyValuePairs<String, JSONValue> = [
    "latitude": .number("51.5007"), "longitude": .number("-0.1246"),
  ]

  private func report(_ place: KeyValuePairs<String, JSONValue>, at time: Instant, _ access: String) async throws {
    let point = JSONValue.object(
      place.map { JSONMember($0.key, $0.value) } + [JSONMember("time", .string("\(time)"))])
    _ = try await call(Self.locations, "ReportBatch", ["points": .array([point])], token: access)
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
