import Ambient
import Glibc
import Identifiers
import Reflection
import TTRPC

/// The journey of new people through identity, the catalog and lending, call by call.
struct Tour: Sendable {
  static let accounts = "tandem.identity.v1.Accounts"
  private static let federatedLogins = "tandem.identity.v1.FederatedLogins"
  private static let profiles = "tandem.identity.v1.Profiles"
  private static let groups = "tandem.identity.v1.Groups"
  private static let notifications = "tandem.notification.v1.Notifications"
  private static let badges = "tandem.notification.v1.Badges"
  static let books = "tandem.catalog.v1.Books"
  private static let exercises = "tandem.catalog.v1.Exercises"
  private static let workouts = "tandem.catalog.v1.Workouts"
  private static let gyms = "tandem.catalog.v1.Gyms"
  static let loans = "tandem.lending.v1.Loans"

  /// Calls identity.
  let client: ReflectingClient
  /// Calls the catalog.
  let catalog: ReflectingClient
  /// Calls lending.
  let lending: ReflectingClient
  /// The folder of `.eml` files.
  let mail: String
  let palette: Palette

  func walk() async throws {
    let (name, password) = try await newcomer("ada", isShown: true)

    say("\(name) logs in and makes a profile.")
    let login = try await call(
      Self.accounts, "Login",
      ["emailOrUsername": .string(name), "password": .string(password), "deviceLabel": .string("tandem tour")])
    let access = try text("accessToken", of: login)
    _ = try await call(Self.profiles, "CreateProfile", ["profile": try await profile()], token: access)
    _ = try await call(Self.profiles, "GetProfile", ["username": .string(name)], token: access)

    say("People can also log in by whom the setting `providers` names, and link that to an account that they have.")
    _ = try await call(Self.federatedLogins, "ListProviders", [:])
    _ = try await call(Self.federatedLogins, "ListLinkedIdentities", [:], token: access)

    say("The level changes, and only the level, because the mask says so.")
    _ = try await call(
      Self.profiles, "UpdateProfile",
      ["profile": .members(["level": .string("LEVEL_INTERMEDIATE")]), "updateMask": .string("level")], token: access)

    say("\(name) wants to be reminded of training; the next time is reckoned in the profile's zone.")
    _ = try await call(Self.notifications, "SetReminder", ["reminder": Self.reminder], token: access)
    _ = try await call(Self.notifications, "CountUnread", [:], token: access)

    say("Badges are awarded for training, lending and importing; \(name) has none yet.")
    _ = try await call(Self.badges, "ListBadges", [:], token: access)

    say("\(name) makes a group; the last one to leave it deletes it.")
    let group = try await call(
      Self.groups, "CreateGroup", ["group": .members(["name": .string("Early birds")])], token: access)
    _ = try await call(
      Self.groups, "LeaveGroup", ["groupId": .string(try text("groupId", of: group))], token: access)

    let book = try await addBook(of: name, access)
    try await lend(book, by: access)

    try await train(as: name, access)

    try await lookAtSessions(of: name, password, access)

    say("\(name) looks for the nearest gym, and for one whose name was misheard.")
    _ = try await call(
      Self.gyms, "FindNearestGyms",
      ["point": .members(["latitude": .number("51.5033"), "longitude": .number("-0.1276")]), "pageSize": .integer(1)],
      token: access)
    _ = try await call(
      Self.gyms, "SearchGyms", ["query": .string("ketlebell london"), "pageSize": .integer(1)], token: access)

    say("The session goes on with a new pair of tokens, then ends.")
    let refresh = try await call(
      Self.accounts, "Refresh", ["refreshToken": .string(try text("refreshToken", of: login))])
    let newAccess = try text("accessToken", of: refresh)
    _ = try await call(Self.accounts, "Logout", [:], token: newAccess)

    say("What was logged out is refused.")
    try await refused(
      Self.accounts, "Refresh", ["refreshToken": .string(try text("refreshToken", of: refresh))],
      expecting: .unauthenticated)
    try await refused(
      Self.accounts, "Login", ["emailOrUsername": .string(name), "password": .string("not the password")],
      expecting: .unauthenticated)
    say("That was the tour.")
  }

  /// A workout is made, shared and logged; without exercises, in a database of somebody's own, there is none.
  private func train(as name: String, _ access: String) async throws {
    say("\(name) finds an exercise though its name is misspelt.")
    let found = try await call(
      Self.exercises, "SearchExercises",
      ["name": .string("dedlift"), "muscles": .array([.string("BACK"), .string("LEGS")]), "pageSize": .integer(1)],
      token: access)
    guard let exercise = found["exercises"]?.array?.first?["exerciseId"]?.string else {
      return say("No exercises are loaded here; `catalog load exercises` does that.")
    }
    say("A workout for back and legs is filled with exercises, and a link shows it to anybody who has it.")
    let made = try await call(
      Self.workouts, "CreateWorkout",
      [
        "workout": .members(["name": .string("Friday"), "muscleGroups": .array([.string("BACK"), .string("LEGS")])]),
        "suggestedExercises": .integer(2),
      ], token: access)
    let workout = try text("workoutId", of: made)
    let share = try await call(Self.workouts, "ShareWorkout", ["workoutId": .string(workout)], token: access)
    _ = try await call(Self.workouts, "GetSharedWorkout", ["token": .string(try text("token", of: share))])
    say("What was lifted is kept, and tells what could be lifted just once.")
    let sets = [(5, 80), (3, 90)].map { JSONValue.members(["reps": .integer($0), "weightKg": .integer($1)]) }
    let done = JSONValue.members(["exerciseId": .string(exercise), "sets": .array(sets)])
    let start = SystemClock().now - .seconds(3_600)
    _ = try await call(
      Self.workouts, "LogWorkout",
      [
        "log": .members([
          "workoutId": .string(workout), "startTime": .string("\(start)"), "exercises": .array([done]),
        ])
      ], token: access)
    _ = try await call(
      Self.workouts, "GetExerciseProgress", ["exerciseId": .string(exercise), "pageSize": .integer(1)], token: access)
  }

  /// Registers and verifies somebody whose name begins so.
  func newcomer(_ beginning: String, isShown: Bool) async throws -> (name: String, password: String) {
    let name = "\(beginning)_" + SystemRandomness().bytes(4).hexadecimal
    let email = "\(name)@example.org"
    // Strong, and different each time.
    let password = "Analytical-\(SystemRandomness().bytes(6).hexadecimal)"
    if isShown { say("Someone new, \(name), registers and follows the link in the mail.") }
    _ = try await call(
      Self.accounts, "Register", ["email": .string(email), "username": .string(name), "password": .string(password)],
      isShown: isShown)
    let token = try await mailedToken(for: email, isShown: isShown)
    _ = try await call(Self.accounts, "VerifyEmail", ["token": .string(token)], isShown: isShown)
    return (name, password)
  }

  private func lookAtSessions(of name: String, _ password: String, _ access: String) async throws {
    say("\(name) looks at where they are logged in: another device is, too, until it is logged out from here.")
    _ = try await call(
      Self.accounts, "Login",
      ["emailOrUsername": .string(name), "password": .string(password), "deviceLabel": .string("a lost phone")])
    _ = try await call(Self.accounts, "ListSessions", [:], token: access)
    _ = try await call(
      Self.accounts, "LogoutEverywhere", ["scope": .string("LOGOUT_SCOPE_OTHER_SESSIONS")], token: access)

    say("\(name) wants to be called otherwise; the old name stays theirs for a while.")
    _ = try await call(Self.accounts, "ChangeUsername", ["username": .string("\(name).l")], token: access)
    _ = try await call(Self.accounts, "ChangeUsername", ["username": .string(name)], token: access)
  }

  /// A profile that fits what the server offers.
  private func profile() async throws -> JSONValue {
    let options = try await call(Self.profiles, "ListProfileOptions", [:], isShown: false)
    let interest = options["interests"]?.array?.first?["id"]
    let strength = options["strengths"]?.array?.first?["id"]
    return .members([
      "gender": .string("GENDER_FEMALE"),
      "dateOfBirth": .members(["year": .integer(1990), "month": .integer(12), "day": .integer(10)]),
      "level": .string("LEVEL_BEGINNER"), "interests": .array([interest].compactMap { $0 }),
      "strengths": .array([strength].compactMap { $0 }), "timeZone": .string("Europe/London"),
    ])
  }

  private static let reminder = JSONValue.members([
    "enabled": .bool(true), "localTime": .members(["hours": .integer(18), "minutes": .integer(30)]),
    "weekdays": .array([.string("MONDAY"), .string("THURSDAY")]),
  ])

  // MARK: Calls

  private func client(of service: String) -> ReflectingClient {
    switch SuiteService(answering: service) {
    case .catalog: catalog
    case .lending: lending
    default: client
    }
  }

  @discardableResult
  func call(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, token: String? = nil,
    isShown: Bool = true
  ) async throws -> JSONValue {
    let client = client(of: service)
    let schema = try await client.schema(of: service, Self.options(nil))
    guard let type = schema.services[service]?.method(named: method) else {
      throw Complaint("\(client.target.address) has no \(service)/\(method)")
    }
    if isShown { show(service, method, .members(request)) }
    do {
      let answer = try await client.call(
        type, of: service, .members(request), schema: schema, Self.options(token))
      if isShown { show(answer: Shortening.shortened(answer).text(.oneLine), palette.good("OK")) }
      return answer
    } catch let status as Status {
      if isShown { show(answer: status.message, palette.bad(status.code.name)) }
      throw Complaint(
        "\(method) was refused: \(status.text(schema))", exitStatus: 1)
    }
  }

  func refused(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, expecting code: Code,
    token: String? = nil
  ) async throws {
    let client = client(of: service)
    let schema = try await client.schema(of: service, Self.options(nil))
    guard let type = schema.services[service]?.method(named: method) else {
      throw Complaint("\(client.target.address) has no \(service)/\(method)")
    }
    show(service, method, .members(request))
    do {
      _ = try await client.call(type, of: service, .members(request), schema: schema, Self.options(token))
    } catch let status as Status where status.code == code {
      let reason = status.errorInfo.map { " \($0.reason)" } ?? ""
      return show(answer: "\"\(status.message)\"" + palette.dim(" as it should be"), palette.good(code.name + reason))
    }
    throw Complaint("\(method) succeeded, but it should have been refused with \(code.name)")
  }

  static func options(_ token: String?) -> CallOptions {
    token.map { CallOptions.token($0, timeout: .seconds(10)) } ?? CallOptions(timeout: .seconds(10))
  }

  func text(_ name: String, of answer: JSONValue) throws(Complaint) -> String {
    guard let text = answer[name]?.string else { throw Complaint("the answer has no \(name)") }
    return text
  }

  // MARK: Mail

  /// Waits for the mail to the address and takes the token from its link.
  private func mailedToken(for email: String, isShown: Bool) async throws -> String {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      for name in Files.names(in: mail).reversed() where name.hasSuffix(".eml") {
        guard let text = Files.text("\(mail)/\(name)"), text.contains("To: <\(email)>") else { continue }
        guard let start = text.firstRange(of: "token=")?.upperBound else { continue }
        let token = text[start...].prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        if isShown {
          say(palette.dim("  mail \(mail)/\(name) has the link ?token=\(Shortening.shortened(String(token)))"))
        }
        return String(token)
      }
      // A folder tells nobody that a mail came: so it is looked into again, at a pace that no reader notices.
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Complaint("no mail to \(email) came to \(mail) within 10 s")
  }

  // MARK: Showing

  func say(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  func show(_ service: String, _ method: String, _ request: JSONValue) {
    say("  \(palette.bold("\(service)/\(method)")) \(Shortening.shortened(request).text(.oneLine))")
  }

  func show(answer: String, _ outcome: String) { say("    \(outcome) \(answer)") }
}

/// Keeps secrets, and the bytes of files, out of what is shown.
enum Shortening {
  private static let names: Set<String> = ["password", "token", "accessToken", "refreshToken", "chunk"]

  /// The value with the secrets among its members cut to their first characters.
  static func shortened(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.map { member in
          guard names.contains(member.name), case .string(let text) = member.value else {
            return JSONMember(member.name, shortened(member.value))
          }
          return JSONMember(member.name, .string(member.name == "password" ? "…" : shortened(text)))
        })
    case .array(let elements): .array(elements.map(shortened))
    default: value
    }
  }

  /// Enough to tell two apart, too little to use.
  static func shortened(_ text: String) -> String { text.count > 12 ? text.prefix(6) + "…" : "…" }
}
