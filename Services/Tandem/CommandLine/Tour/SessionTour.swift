import Environment
import Identifiers
import Reflection
import TTRPC

/// A training session with a partner.
extension Tour {
  /// A session for which both have checked in.
  struct Meeting {
    let session: JSONValue
    let startTime: Instant
    let token: String
  }

  /// What posting and joining may take, on a busy machine too. The tour goes on elsewhere until the session starts.
  static let timeToMeet = Duration.seconds(20)

  /// Finds a partner, and checks in with them; `nil` where no gym is loaded.
  func meetPartner(as name: String, _ access: String) async throws -> Meeting? {
    let near = try await call(
      Self.gyms, "FindNearestGyms",
      ["point": .members(["latitude": .number("51.5033"), "longitude": .number("-0.1276")]), "pageSize": .integer(1)],
      token: access, isShown: false)
    guard let gym = near["gyms"]?.array?.first?["gym"], let gymID = gym["gymId"]?.string, let point = gym["point"]
    else {
      say("No gym is loaded, so \(name) posts no session.")
      return nil
    }
    let (partner, partnerAccess) = try await trainingPartner()
    say(
      "\(name) posts a training session; \(partner), who joined meanwhile, finds and joins it. Nobody is in two places."
    )
    let start = SystemClock().now + Self.timeToMeet
    let session: KeyValuePairs<String, JSONValue> = [
      "startTime": .string("\(start)"), "endTime": .string("\(start + .seconds(3_600))"), "gymId": .string(gymID),
      "focus": .string("FOCUS_STRENGTH"), "level": .string("LEVEL_ADVANCED"),
    ]
    let posted = try await call(Self.sessions, "PostSession", session, token: access)
    try await refused(Self.sessions, "PostSession", session, expecting: .failedPrecondition, token: access)
    _ = try await call(
      Self.sessions, "BrowseSessions",
      [
        "point": point, "radiusM": .integer(1_000), "focuses": .array([.string("FOCUS_STRENGTH")]),
        "pageSize": .integer(1),
      ],
      token: partnerAccess)
    let id = JSONValue.string(try text("sessionId", of: posted))
    _ = try await call(Self.sessions, "JoinSession", ["sessionId": id], token: partnerAccess)
    try await readOfMatch(as: name, access)
    _ = try await call(
      Self.sessions, "GetMatchingProfile", ["userId": .string(try await ownID(partnerAccess))], token: access)
    say("Both check in at the gym.")
    for token in [access, partnerAccess] {
      _ = try await call(
        Self.sessions, "CheckIn", ["sessionId": id, "point": point, "accuracyM": .integer(5)], token: token)
    }
    return Meeting(session: id, startTime: start, token: access)
  }

  /// Reads the notice of the match once identity has it ([MA-15]).
  private func readOfMatch(as name: String, _ access: String) async throws {
    say("\(name) is told of the match at once, and reads who comes.")
    let unread: KeyValuePairs<String, JSONValue> = ["unreadOnly": .bool(true), "pageSize": .integer(20)]
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      let listed = try await call(Self.notifications, "ListNotifications", unread, token: access, isShown: false)
      let told = (listed["notifications"]?.array ?? []).first {
        $0["kind"] == .string("NOTIFICATION_KIND_SESSION_MATCHED")
      }
      if let told, let id = told["notificationId"] {
        show(answer: told.text(.oneLine), palette.good("notice"))
        _ = try await call(Self.notifications, "MarkRead", ["notificationIds": .array([id])], token: access)
        return
      }
      // The event of the match is on its way to identity, which does not report when it has it: it is polled.
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Complaint("nobody told \(name) of the match within 10 s")
  }

  /// Tries to end the session once it has started.
  func train(in meeting: Meeting) async throws {
    say("The session starts. How it was they can say once they have trained for half of the time.")
    try await Task.sleep(for: max(.zero, meeting.startTime - SystemClock().now) + .milliseconds(100))
    try await refused(
      Self.sessions, "FinishSession", ["sessionId": meeting.session], expecting: .failedPrecondition,
      token: meeting.token)
  }

  /// Another user, with a profile.
  private func trainingPartner() async throws -> (name: String, access: String) {
    let (name, password) = try await newcomer("mary", isShown: false)
    let login = try await call(
      Self.accounts, "Login", ["emailOrUsername": .string(name), "password": .string(password)], isShown: false)
    let access = try text("accessToken", of: login)
    _ = try await call(
      Self.profiles, "CreateProfile",
      [
        "profile": .members([
          "gender": .string("GENDER_FEMALE"), "level": .string("LEVEL_ADVANCED"), "timeZone": .string("Europe/London"),
          "dateOfBirth": .members(["year": .integer(1990), "month": .integer(12), "day": .integer(10)]),
        ])
      ], token: access, isShown: false)
    return (name, access)
  }

  private func ownID(_ access: String) async throws -> String {
    try text("userId", of: try await call(Self.accounts, "GetOwnAccount", [:], token: access, isShown: false))
  }
}
