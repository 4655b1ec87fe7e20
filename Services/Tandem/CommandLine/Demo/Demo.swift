import Base64
import Environment
import Glibc
import Identifiers
import Reflection
import TTRPC

/// Some people with everything that they do in the suite, made by the calls that anybody makes. What is there is left as it is, so that it
/// can be made again where it was cut short.
struct Demo: Sendable {
  static let groupName = "Weekend walkers"

  let tour: Tour

  @discardableResult
  func call(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, token: String? = nil
  ) async throws -> JSONValue {
    try await tour.call(service, method, request, token: token, isShown: false)
  }

  /// Makes what is missing; returns the people.
  func seed() async throws -> DemoPeople {
    let people = try await people()
    let group = try await group(of: people)
    try await addBooks(people)
    try await postSessions(people)
    try await importActivities(people)
    try await chat(people, in: group)
    return people
  }

  // MARK: The group

  /// The group that all are in; its id.
  func group(of people: DemoPeople) async throws -> String {
    if let id = try await groupID(people) { return id }
    let made = try await call(
      Tour.groups, "CreateGroup", ["group": .members(["name": .string(Self.groupName)])], token: people[0].token)
    let id = try tour.text("groupId", of: made)
    for person in people.all.dropFirst() {
      let invitation = try await call(
        Tour.groups, "AddGroupMember",
        ["groupId": .string(id), "email": .string(DemoPeople.email(of: person.name))], token: people[0].token)
      try await call(
        Tour.invitations, "AcceptInvitation",
        ["invitationId": .string(try tour.text("invitationId", of: invitation))], token: person.token)
    }
    return id
  }

  /// `nil` before it was made.
  func groupID(_ people: DemoPeople) async throws -> String? {
    let listed = try await call(Tour.groups, "ListGroups", [:], token: people[0].token)
    return listed["groups"]?.array?.first { $0["name"]?.string == Self.groupName }?["groupId"]?.string
  }

  // MARK: The chat

  private func chat(_ people: DemoPeople, in group: String) async throws {
    let conversation = JSONValue.string(group)
    try await awaitConversation(group, people[0].token)
    let listed = try await call(
      Tour.chat, "ListMessages", ["conversationId": conversation], token: people[0].token)
    // What the group itself says has a notice's kind.
    let isBegun = (listed["messages"]?.array ?? []).contains { $0["notice"] == nil }
    guard !isBegun else { return }
    for (index, text) in Self.messages {
      try await awaitConversation(group, people[index].token)
      try await send(text, to: conversation, as: people[index])
    }
  }

  /// Who writes has the conversation open.
  private func send(_ text: String, to conversation: JSONValue, as person: DemoPeople.Person) async throws {
    let message = JSONValue.members([
      "conversationId": conversation, "text": .string(text),
      "clientMessageId": .string("\(SystemRandomness().uuid7(at: SystemClock().now))"),
    ])
    let said = [
      JSONValue.members(["open": .members(["conversationId": conversation])]), .members(["send": message]),
    ]
    let events = try await tour.stream("Connect", of: Tour.chat, said, person.token, isShown: false)
    guard events.contains(where: { $0["sent"] != nil }) else { throw Complaint("a message was not stored") }
  }

  /// Waits until tracking has learnt from identity that the user is a member. A group's conversation has the group's id.
  private func awaitConversation(_ group: String, _ token: String) async throws {
    for _ in 0..<200 {
      let listed = try await call(Tour.chat, "ListConversations", [:], token: token)
      if (listed["conversations"]?.array ?? []).contains(where: { $0["conversationId"]?.string == group }) { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Complaint("tracking did not receive the membership within 10 s")
  }

  private static let messages = [
    (0, "Good morning! I start at London Bridge and walk along the river. Meet at Waterloo?"),
    (1, "I come through St James's Park. The pelicans are out ☀️"),
    (2, "From the British Museum, a bit late. Follow me on the map."),
    (3, "Cannot walk today, but I have Dune for one of you: it is in my shelf."),
    (4, "Taken! I bring back Frankenstein then."),
    (0, "The first of us gets the table by the window."),
  ]

  // MARK: Training and activities

  private func postSessions(_ people: DemoPeople) async throws {
    let mine = try await call(Tour.sessions, "ListMySessions", [:], token: people[3].token)
    guard mine["sessions"]?.array?.isEmpty ?? true else { return }
    let near = try await call(
      Tour.gyms, "FindNearestGyms",
      ["point": .members(["latitude": .number("51.5033"), "longitude": .number("-0.1276")]), "pageSize": .integer(3)],
      token: people[3].token)
    // A database without samples has none.
    let gyms = (near["gyms"]?.array ?? []).compactMap { $0["gym"]?["gymId"]?.string }
    for (index, gym) in gyms.enumerated() {
      let start = Self.evening(inDays: index + 1)
      let posted = try await call(
        Tour.sessions, "PostSession",
        [
          "startTime": .string("\(start)"), "endTime": .string("\(start + .seconds(3_600))"), "gymId": .string(gym),
          "focus": .string("FOCUS_STRENGTH"), "level": .string("LEVEL_INTERMEDIATE"),
        ], token: people[3].token)
      // The others are open to all who try it.
      guard index == 0 else { continue }
      try await call(
        Tour.sessions, "JoinSession", ["sessionId": .string(try tour.text("sessionId", of: posted))],
        token: people[4].token)
    }
  }

  /// Half past five in the afternoon, UTC.
  private static func evening(inDays days: Int) -> Instant {
    let day = Duration.seconds(86_400)
    let midnight = Instant(microseconds: SystemClock().now.wholeSeconds / 86_400 * 86_400 * 1_000_000)
    return midnight + day * days + .seconds(17 * 3_600 + 1_800)
  }

  private func importActivities(_ people: DemoPeople) async throws {
    for person in [people[0], people[2]] {
      let listed = try await call(Tour.activities, "ListActivities", ["pageSize": .integer(1)], token: person.token)
      guard listed["activities"]?.array?.isEmpty ?? true else { continue }
      for (days, pace) in [(2, 2.9), (5, 3.1), (9, 2.7)] {
        let track = DemoTrack(corners: DemoTrack.lap, speed: pace, interval: .seconds(4))
        let start = Self.evening(inDays: -days) - .seconds(10 * 3_600)
        let gpx = track.gpx(named: "Lap of Hyde Park", type: "running", from: start)
        let file = JSONValue.members([
          "chunk": .string(Base64URL.encode(Array(gpx.utf8))), "timeZone": .string("Europe/London"),
        ])
        _ = try await tour.stream("ImportFile", of: Tour.activities, [file], person.token, isShown: false)
      }
    }
  }
}
