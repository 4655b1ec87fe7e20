import Environment
import Glibc
import Identifiers
import Postgres
import Reflection
import TTRPC
import TTRPCClient

/// The way of a suite back to its beginning.
struct TestReset: Sendable {
  let folder: TestFolder

  /// Returns what the suite is then.
  func run() async throws -> TestDocument {
    var document = try folder.read()
    let url = document.text("databaseUrl")
    let snapshot = TestSnapshot(databaseURL: url)
    try await snapshot.settle()
    let sessions = TestSessions(databaseURL: url)
    let kept = try await sessions.kept(of: document.users)
    let ended = try await sessions.ended(of: kept)
    try await TestClock(path: folder.clock, databaseURL: url).set(ahead: .zero)
    try await snapshot.reset()
    for name in Files.names(in: folder.workspace.mail) { unlink("\(folder.workspace.mail)/\(name)") }
    document.users = try await renewed(kept, ended, url)
    if !ended.isEmpty { try await snapshot.keep() }
    document.keep([])
    try folder.write(document)
    return document
  }

  /// The users with tokens that are good for long enough. Services remember which sessions have ended, so who was logged out is logged
  /// in anew.
  private func renewed(_ users: [TestUser], _ ended: [TestUser], _ url: String) async throws -> [TestUser] {
    let tokens = try await TestTokens(databaseURL: url, secrets: folder.workspace.secrets)
    let now = SystemClock().now
    let others = try users.filter { !ended.contains($0) }.map { user in
      var user = user
      user.accessToken = try tokens.token(of: user, issuedAt: now)
      return user
    }
    if ended.isEmpty { return others }
    let returned = try await TestPeople.with(try folder.state) { people in
      var returned: [TestUser] = []
      for user in ended { returned.append(try await people.logIn(user)) }
      return returned
    }
    return others + returned
  }
}

/// The sessions of a suite's users in identity's database.
struct TestSessions: Sendable {
  let databaseURL: String

  /// Those of the users whose sessions work no more.
  func ended(of users: [TestUser]) async throws -> [TestUser] {
    let living = try await ids("select id from identity.sessions where revoked_at is null and id", of: users)
    return users.filter { !living.contains($0.sessionID) }
  }

  /// Those of the users whom a reset leaves.
  func kept(of users: [TestUser]) async throws -> [TestUser] {
    let source = try await Administration.session(databaseURL) { session in
      try session.run("select source from tandem_test.seeds where place = 'identity.sessions'::regclass").first?[0]
    }
    guard let source else { return [] }
    let kept = try await ids("select id from \(source) where id", of: users)
    return users.filter { kept.contains($0.sessionID) }
  }

  private func ids(_ query: String, of users: [TestUser]) async throws -> Set<String> {
    let list = "{\(users.map(\.sessionID).joined(separator: ","))}"
    return try await Administration.session(databaseURL) { session in
      Set(try session.run("\(query) = any ($1::uuid[])", [list]).compactMap { $0[0] })
    }
  }
}

/// The moment when every service refuses a token.
struct TestRefusal: Sendable {
  /// [ID-7] allows two seconds.
  private static let patience = Duration.seconds(5)
  /// A method of each service that changes nothing.
  private static let methods: [SuiteService: (service: String, method: String)] = [
    .identity: ("tandem.identity.v1.Accounts", "GetOwnAccount"),
    .matching: ("tandem.matching.v1.Sessions", "ListMySessions"),
    .catalog: ("tandem.catalog.v1.Books", "ListMyBooks"),
    .lending: ("tandem.lending.v1.Loans", "ListMyRequests"),
    .tracking: ("tandem.tracking.v1.Places", "ListPlaces"),
    .importer: ("tandem.importer.v1.Activities", "ListActivities"),
  ]

  let token: String
  let state: RunningSuite

  init(of token: String, by state: RunningSuite) { (self.token, self.state) = (token, state) }

  func wait() async throws {
    var connection = ConnectionOptions.forSuite
    connection.ca = state.authority
    let deadline = ContinuousClock.now + Self.patience
    for (service, method) in Self.methods {
      guard let address = state.services[service]?.rpc else { continue }
      try await ReflectingClient.with(try connection.target(at: address, state)) { client in
        while try await !isRefused(by: client, method) {
          guard ContinuousClock.now < deadline else { throw Complaint("\(service.rawValue) still takes the token") }
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }
  }

  private func isRefused(by client: ReflectingClient, _ method: (service: String, method: String)) async throws -> Bool
  {
    let descriptor = MethodDescriptor(
      service: method.service, name: method.method, kind: .unary, access: .public, idempotent: true)
    do {
      _ = try await client.connection.callSerialized(descriptor, [], .token(token, timeout: .seconds(5)))
      return false
    } catch let status as TTRPC.Status {
      if status.code == .unimplemented { throw status }
      return status.code == .unauthenticated
    }
  }
}
