import Environment
import GoogleType
import TTRPC
import TandemIdentity

/// Makes users as people become users: they register, follow the mailed link, log in and fill in their profile.
struct TestPeople: Sendable {
  private static let timeout = Duration.seconds(20)

  let accounts: AccountsClient
  let profiles: ProfilesClient
  let mailbox: TestMailbox

  /// Calls `body` with the running suite's identity service.
  static func with<R: Sendable>(
    _ state: RunningSuite, _ body: @Sendable (TestPeople) async throws -> R
  ) async throws -> R {
    var connection = ConnectionOptions.forSuite
    connection.ca = state.authority
    guard let address = state.services[.identity]?.rpc else { throw Complaint("the suite has no identity service") }
    return try await ReflectingClient.with(try connection.target(at: address, state)) { client in
      try await body(
        TestPeople(
          accounts: AccountsClient(client.connection), profiles: ProfilesClient(client.connection),
          mailbox: TestMailbox(folder: state.mail)))
    }
  }

  /// Users of these names, all at the same time, in their order.
  func add(_ names: [String]) async throws -> [TestUser] {
    try await withThrowingTaskGroup(of: (Int, TestUser).self) { group in
      for (place, name) in names.enumerated() { group.addTask { (place, try await add(name)) } }
      var users: [Int: TestUser] = [:]
      for try await (place, user) in group { users[place] = user }
      return names.indices.compactMap { users[$0] }
    }
  }

  private func add(_ name: String) async throws -> TestUser {
    let (email, password) = ("\(name)@example.org", "Analytical-\(SystemRandomness().bytes(6).hexadecimal)")
    do {
      let registration = try await accounts.register(
        RegisterRequest(email: email, username: name, password: password), Self.options)
      guard let token = try await mailbox.awaited(to: email).lazy.compactMap(\.token).first else {
        throw Complaint("the mail to \(email) has no link")
      }
      _ = try await accounts.verifyEmail(
        VerifyEmailRequest(token: token, registrationSecret: registration.registrationSecret), Self.options)
      let user = try await logIn(name, email, password)
      var request = CreateProfileRequest()
      request.profile = Self.profile
      _ = try await profiles.createProfile(request, .token(user.accessToken, timeout: Self.timeout))
      return user
    } catch let status as Status {
      throw Complaint("\(name) cannot become a user: \(status.text(.ofErrors))", exitStatus: status.exitStatus)
    }
  }

  /// A new session of a user.
  func logIn(_ name: String, _ email: String, _ password: String) async throws -> TestUser {
    let login = try await accounts.login(
      LoginRequest(emailOrUsername: name, password: password, deviceLabel: "tandem test"), Self.options)
    return TestUser(
      username: name, id: login.userID, email: email, password: password, sessionID: login.sessionID,
      accessToken: login.accessToken, refreshToken: login.refreshToken)
  }

  func logIn(_ user: TestUser) async throws -> TestUser { try await logIn(user.username, user.email, user.password) }

  static var options: CallOptions { CallOptions(timeout: timeout) }

  private static var profile: Profile {
    var profile = Profile()
    profile.gender = .female
    profile.level = .advanced
    profile.timeZone = "Europe/London"
    var birth = GoogleType.Date()
    (birth.year, birth.month, birth.day) = (1990, 12, 10)
    profile.dateOfBirth = birth
    return profile
  }
}
