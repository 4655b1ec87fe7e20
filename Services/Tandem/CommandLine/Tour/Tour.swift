import Glibc
import Reflection
import TTRPC

/// The journey of new users through the services of the suite, call by call.
struct Tour: Sendable {
  static let accounts = "tandem.identity.v1.Accounts"
  static let federatedLogins = "tandem.identity.v1.FederatedLogins"
  static let profiles = "tandem.identity.v1.Profiles"
  static let groups = "tandem.identity.v1.Groups"
  static let invitations = "tandem.identity.v1.Invitations"
  static let notifications = "tandem.notification.v1.Notifications"
  static let badges = "tandem.notification.v1.Badges"
  static let books = "tandem.catalog.v1.Books"
  static let exercises = "tandem.catalog.v1.Exercises"
  static let workouts = "tandem.catalog.v1.Workouts"
  static let gyms = "tandem.catalog.v1.Gyms"
  static let loans = "tandem.lending.v1.Loans"
  static let sessions = "tandem.matching.v1.Sessions"
  static let activities = "tandem.importer.v1.Activities"

  /// A client of each service.
  let clients: [SuiteService: ReflectingClient]
  /// The folder of `.eml` files.
  let mail: String
  let palette: Palette

  func walk() async throws {
    let (name, password) = try await newcomer("ada", isShown: true)
    let login = try await logIn(name, password)
    let access = try text("accessToken", of: login)
    try await findWaysIn(access)
    try await settle(as: name, access)

    let book = try await addBook(of: name, access)
    try await lend(book, by: access)
    try await train(as: name, access)
    let meeting = try await meetPartner(as: name, access)
    try await bringTrackersIn(as: name, access)
    try await bringTakeoutIn(as: name, access)
    try await lookAtSessions(of: name, password, access)
    try await findGyms(as: name, access)
    if let meeting { try await train(in: meeting) }
    try await leave(name, try text("refreshToken", of: login))
    say("That was the tour.")
  }

  private func findGyms(as name: String, _ access: String) async throws {
    say("\(name) looks for the nearest gym, and for one whose name was misheard.")
    _ = try await call(
      Self.gyms, "FindNearestGyms",
      ["point": .members(["latitude": .number("51.5033"), "longitude": .number("-0.1276")]), "pageSize": .integer(1)],
      token: access)
    _ = try await call(
      Self.gyms, "SearchGyms", ["query": .string("ketlebell london"), "pageSize": .integer(1)], token: access)
  }

  // MARK: Calls

  func client(of service: String) throws -> ReflectingClient {
    guard let client = clients[SuiteService(answering: service) ?? .identity] else {
      throw Complaint("the tour calls no service that has \(service)")
    }
    return client
  }

  @discardableResult
  func call(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, token: String? = nil,
    isShown: Bool = true
  ) async throws -> JSONValue {
    let client = try client(of: service)
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

  /// The answer to a call that nothing is shown of.
  ///
  /// - Throws: the status of a call that was refused.
  func request(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, token: String? = nil
  ) async throws -> JSONValue {
    let client = try client(of: service)
    let schema = try await client.schema(of: service, Self.options(nil))
    guard let type = schema.services[service]?.method(named: method) else {
      throw Complaint("\(client.target.address) has no \(service)/\(method)")
    }
    return try await client.call(type, of: service, .members(request), schema: schema, Self.options(token))
  }

  func refused(
    _ service: String, _ method: String, _ request: KeyValuePairs<String, JSONValue>, expecting code: Code,
    token: String? = nil
  ) async throws {
    let client = try client(of: service)
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

  /// Waits for the mail to the address and returns the token in its link.
  func mailedToken(for email: String, isShown: Bool) async throws -> String {
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
      // The folder does not report new mail, so it is polled.
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

/// Removes secrets and file contents from what is shown.
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

  /// Enough to distinguish two secrets, too little to use one.
  static func shortened(_ text: String) -> String { text.count > 12 ? text.prefix(6) + "…" : "…" }
}
