import Ambient
import Glibc
import Reflection
import TTRPC

/// The journey of a new person through identity and the catalog, call by call.
struct Tour: Sendable {
  private static let accounts = "tandem.identity.v1.Accounts"
  private static let federatedLogins = "tandem.identity.v1.FederatedLogins"
  private static let profiles = "tandem.identity.v1.Profiles"
  private static let groups = "tandem.identity.v1.Groups"
  private static let notifications = "tandem.notification.v1.Notifications"
  private static let books = "tandem.catalog.v1.Books"

  /// Calls identity.
  let client: ReflectingClient
  /// Calls the catalog.
  let catalog: ReflectingClient
  /// The folder of `.eml` files.
  let mail: String
  let palette: Palette

  func walk() async throws {
    let name = "ada_" + SystemRandomness().bytes(4).hexadecimal
    let email = "\(name)@example.org"
    // Strong, and different each time.
    let password = "Analytical-\(SystemRandomness().bytes(6).hexadecimal)"
    say("Someone new, \(name), registers and follows the link in the mail.")
    _ = try await call(
      Self.accounts, "Register", ["email": .string(email), "username": .string(name), "password": .string(password)])
    let token = try await mailedToken(for: email)
    _ = try await call(Self.accounts, "VerifyEmail", ["token": .string(token)])

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

    say("\(name) makes a group; the last one to leave it deletes it.")
    let group = try await call(
      Self.groups, "CreateGroup", ["group": .members(["name": .string("Early birds")])], token: access)
    _ = try await call(
      Self.groups, "LeaveGroup", ["groupId": .string(try text("groupId", of: group))], token: access)

    say("\(name) has a book to lend. Its ISBN is understood as it is printed, and a search finds it though misspelt.")
    _ = try await call(Self.books, "AddBook", ["book": Self.book(of: name)], token: access)
    _ = try await call(
      Self.books, "SearchBooks", ["query": .string("herbret \(name)"), "pageSize": .integer(1)], token: access)
    _ = try await call(Self.books, "ListMyBooks", [:], token: access)

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

  /// What the owner says about it is theirs alone, so that the search finds this one.
  private static func book(of name: String) -> JSONValue {
    .members([
      "title": .string("Dune"), "authors": .array([.string("Frank Herbert")]), "isbn": .string("0-441-17271-7"),
      "description": .string("The copy of \(name), read once."),
    ])
  }

  private static let reminder = JSONValue.members([
    "enabled": .bool(true), "localTime": .members(["hours": .integer(18), "minutes": .integer(30)]),
    "weekdays": .array([.string("MONDAY"), .string("THURSDAY")]),
  ])

  // MARK: Calls

  @discardableResult
  private func call(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, token: String? = nil,
    isShown: Bool = true
  ) async throws -> JSONValue {
    let client = service == Self.books ? catalog : client
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

  private func refused(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, expecting code: Code
  ) async throws {
    let client = service == Self.books ? catalog : client
    let schema = try await client.schema(of: service, Self.options(nil))
    guard let type = schema.services[service]?.method(named: method) else {
      throw Complaint("\(client.target.address) has no \(service)/\(method)")
    }
    show(service, method, .members(request))
    do {
      _ = try await client.call(type, of: service, .members(request), schema: schema, Self.options(nil))
    } catch let status as Status where status.code == code {
      let reason = status.errorInfo.map { " \($0.reason)" } ?? ""
      return show(answer: "\"\(status.message)\"" + palette.dim(" as it should be"), palette.good(code.name + reason))
    }
    throw Complaint("\(method) succeeded, but it should have been refused with \(code.name)")
  }

  private static func options(_ token: String?) -> CallOptions {
    token.map { CallOptions.token($0, timeout: .seconds(10)) } ?? CallOptions(timeout: .seconds(10))
  }

  private func text(_ name: String, of answer: JSONValue) throws(Complaint) -> String {
    guard let text = answer[name]?.string else { throw Complaint("the answer has no \(name)") }
    return text
  }

  // MARK: Mail

  /// Waits for the mail to the address and takes the token from its link.
  private func mailedToken(for email: String) async throws -> String {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      for name in Files.names(in: mail).reversed() where name.hasSuffix(".eml") {
        guard let text = Files.text("\(mail)/\(name)"), text.contains("To: <\(email)>") else { continue }
        guard let start = text.firstRange(of: "token=")?.upperBound else { continue }
        let token = text[start...].prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        say(palette.dim("  mail \(mail)/\(name) has the link ?token=\(Shortening.shortened(String(token)))"))
        return String(token)
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Complaint("no mail to \(email) came to \(mail) within 10 s")
  }

  // MARK: Showing

  private func say(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  private func show(_ service: String, _ method: String, _ request: JSONValue) {
    say("  \(palette.bold("\(service)/\(method)")) \(Shortening.shortened(request).text(.oneLine))")
  }

  private func show(answer: String, _ outcome: String) { say("    \(outcome) \(answer)") }
}

/// Keeps secrets out of what is shown.
enum Shortening {
  private static let names: Set<String> = ["password", "token", "accessToken", "refreshToken"]

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
