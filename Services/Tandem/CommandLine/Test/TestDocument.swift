import Reflection

/// What a test is told of its suite: where everything is, and its users.
struct TestDocument: Sendable {
  private(set) var json: JSONValue
  var users: [TestUser]

  /// - Parameter janitor: the process that removes what the suite leaves behind.
  init(_ ready: ReadySuite, _ folder: TestFolder, janitor: Int32, users: [TestUser]) {
    let (state, workspace) = (ready.state, ready.workspace)
    let services = SuiteService.allCases.compactMap { service in
      state.services[service].map { address in
        JSONMember(service.rawValue, .members(["rpc": .string(address.rpc), "admin": .string(address.admin)]))
      }
    }
    json = .members([
      "home": .string(folder.home), "pid": .integer(state.pid), "janitor": .integer(janitor),
      "authority": .string(state.authority), "gateway": .string("https://\(state.gateway)"),
      "gatewayCertificate": .string(workspace.certificate(named: GatewayProgram.name)),
      "gatewayKey": .string(workspace.key(named: GatewayProgram.name)),
      "services": .object(services), "mail": .string(state.mail), "databaseUrl": .string(ready.databaseURL),
      "log": .string(folder.log),
    ])
    self.users = users
    json = withUsers
  }

  init(_ text: String) throws(Complaint) {
    do { json = try JSONValue(parsing: text) } catch { throw Complaint("the suite's test.json is not JSON: \(error)") }
    users = (json["users"]?.members ?? []).compactMap { TestUser($0.name, $0.value) }
  }

  /// The document with ``users``.
  var withUsers: JSONValue {
    let members = (json.members ?? []).filter { $0.name != "users" }
    return .object(members + [JSONMember("users", .object(users.map { JSONMember($0.username, $0.json) }))])
  }

  mutating func keep(_ changed: [TestUser]) {
    users = users.filter { user in !changed.contains { $0.username == user.username } } + changed
    json = withUsers
  }

  func text(_ name: String) -> String { json[name]?.string ?? "" }
  func integer(_ name: String) -> Int32 { Int32(truncatingIfNeeded: json[name]?.integer ?? 0) }

  /// The variables of a shell, and of the environment of a command.
  var variables: [(name: String, value: String)] {
    var found = [("TANDEM_HOME", text("home")), ("TANDEM_CA", text("authority"))]
    for (name, key) in [
      ("GATEWAY", "gateway"), ("GATEWAY_CERT", "gatewayCertificate"), ("GATEWAY_KEY", "gatewayKey"), ("MAIL", "mail"),
      ("DATABASE", "databaseUrl"),
    ] {
      found.append(("TANDEM_TEST_\(name)", text(key)))
    }
    for service in json["services"]?.members ?? [] {
      found.append(("TANDEM_TEST_\(service.name.uppercased())", service.value["rpc"]?.string ?? ""))
    }
    return found + users.flatMap(\.variables)
  }

  /// What `eval` sets.
  var shellText: String {
    variables.map { "export \($0.name)=\(ShellWord.quoted($0.value))\n" }.joined()
  }
}

/// A verified user with a profile and a session.
struct TestUser: Sendable, Equatable {
  var username: String
  var id: String
  var email: String
  var password: String
  var sessionID: String
  var accessToken: String
  var refreshToken: String

  init(
    username: String, id: String, email: String, password: String, sessionID: String, accessToken: String,
    refreshToken: String
  ) {
    (self.username, self.id, self.email, self.password) = (username, id, email, password)
    (self.sessionID, self.accessToken, self.refreshToken) = (sessionID, accessToken, refreshToken)
  }

  init?(_ username: String, _ json: JSONValue) {
    func text(_ name: String) -> String { json[name]?.string ?? "" }
    guard let id = json["id"]?.string else { return nil }
    self.init(
      username: username, id: id, email: text("email"), password: text("password"), sessionID: text("sessionId"),
      accessToken: text("accessToken"), refreshToken: text("refreshToken"))
  }

  var json: JSONValue {
    .members([
      "id": .string(id), "username": .string(username), "email": .string(email), "password": .string(password),
      "sessionId": .string(sessionID), "accessToken": .string(accessToken), "refreshToken": .string(refreshToken),
    ])
  }

  /// `TANDEM_TEST_ADA_TOKEN` and the like.
  fileprivate var variables: [(String, String)] {
    let name = "TANDEM_TEST_" + username.uppercased().map { $0.isLetter || $0.isNumber ? "\($0)" : "_" }.joined()
    return [
      ("\(name)_ID", id), ("\(name)_EMAIL", email), ("\(name)_PASSWORD", password), ("\(name)_TOKEN", accessToken),
      ("\(name)_REFRESH_TOKEN", refreshToken),
    ]
  }
}
