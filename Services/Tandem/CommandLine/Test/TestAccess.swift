import Identifiers
import TTRPC
import TandemIdentity

/// Access tokens of a running suite's users.
struct TestAccess: Sendable {
  private static let timeout = Duration.seconds(20)

  let folder: TestFolder

  /// A token that is good by the suite's clock, or one whose time has just been over.
  func token(of name: String, isExpired: Bool = false) async throws -> String {
    let (document, user) = try find(name)
    let url = document.text("databaseUrl")
    if !isExpired, try await !TestSessions(databaseURL: url).ended(of: [user]).isEmpty {
      // Its session was logged out; another one belongs to no variable that a test has.
      return try await TestPeople.with(try folder.state) { try await $0.logIn(user) }.accessToken
    }
    let now = try TestClock(path: folder.clock, databaseURL: url).now
    let tokens = try await TestTokens(databaseURL: url, secrets: folder.workspace.secrets)
    let age = isExpired ? TestTokens.lifetime + .seconds(60) : .zero
    return try tokens.token(of: user, issuedAt: now - age)
  }

  /// A token of a session that was logged out, once every service refuses it.
  func revokedToken(of name: String) async throws -> String {
    let (_, user) = try find(name)
    let state = try folder.state
    let token = try await TestPeople.with(state) { people in
      let token = try await people.logIn(user).accessToken
      _ = try await people.accounts.logout(LogoutRequest(), .token(token, timeout: Self.timeout))
      return token
    }
    try await TestRefusal(of: token, by: state).wait()
    return token
  }

  private func find(_ name: String) throws(Complaint) -> (TestDocument, TestUser) {
    let document = try folder.read()
    guard let user = document.users.first(where: { $0.username == name }) else {
      throw Complaint("the suite has no user \(name); `tandem test users add \(name)` makes one")
    }
    return (document, user)
  }
}
