import Foundation
import Identifiers
import IdentityStore
import LoopExecutor
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingStore

@testable import identity
@testable import tracking

/// Identity and tracking side by side, over TLS, as they are deployed.
struct TrackingSuite: Sendable {
  let users: ThreeServices
  let identityPort: Int
  let certificates: SuiteCertificates

  var groups: GroupsClient { GroupsClient(users.identity) }
  var invitations: InvitationsClient { InvitationsClient(users.identity) }

  static let schemas = [
    TestSchema(IdentitySchema.name, IdentitySchema.migrations),
    TestSchema(TrackingSchema.name, TrackingSchema.migrations),
  ]

  /// Runs `body` with identity on a database of its own.
  static func with(_ body: @escaping @Sendable (TrackingSuite) async throws -> Void) async throws {
    try await TestDatabase.with(schemas) { database in try await run(on: database, body) }
  }

  /// Runs `body` with identity on a database.
  static func run(
    on database: TestDatabase, _ body: @escaping @Sendable (TrackingSuite) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    let mail = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: mail) }
    try await RunningService.with(
      CheapIdentity.self, on: database, certificates: certificates, ["--mail", "folder:\(mail.path)"]
    ) { identity in
      // Of the three identity alone is called.
      let users = ThreeServices(
        database: database, identity: identity.client, catalog: identity.client, lending: identity.client)
      try await body(TrackingSuite(users: users, identityPort: identity.port, certificates: certificates))
    }
  }

  /// Runs `body` with tracking in this process.
  func withTracking(_ body: @escaping @Sendable (LocationsClient) async throws -> Void) async throws {
    try await serving { try await body(LocationsClient($0)) }
  }

  /// The same, with a client for any of its services.
  func serving(_ body: @escaping @Sendable (RPCClient) async throws -> Void) async throws {
    try await RunningService.with(
      Tracking.self, on: users.database, certificates: certificates,
      ["--identity-address", "127.0.0.1:\(identityPort)"]
    ) { try await body($0.client) }
  }

  /// Runs `body` with a client of a replica.
  func withClient(of replica: TrackingProcess, _ body: (RPCClient) async throws -> Void) async throws {
    let loops = LoopGroup(threads: 1)
    let client = RPCClient(
      host: "127.0.0.1", port: replica.port, security: try certificates.client(of: "tracking"), on: loops.executors[0])
    let result: Result<Void, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    await client.close()
    try await loops.shutdown()
    try result.get()
  }

  /// A group of members who invited and accepted.
  func group(of members: [ThreeServices.Member]) async throws -> String {
    let group = try await groups.createGroup(
      CreateGroupRequest(group: Group(name: "Home")), members[0].options)
    for member in members.dropFirst() {
      let invitation = try await groups.addGroupMember(
        AddGroupMemberRequest(groupID: group.groupID, email: "\(member.name)@example.com"), members[0].options)
      _ = try await invitations.acceptInvitation(
        AcceptInvitationRequest(invitationID: invitation.invitationID), member.options)
    }
    return group.groupID
  }

  /// Returns once tracking knows the token, and the members of a group.
  func wait(for locations: LocationsClient, toShow count: Int, of group: String, to member: ThreeServices.Member)
    async throws
  {
    // A view begins anew when a name becomes known.
    try await until("tracking knows \(count) members and their names") {
      do {
        let found = try await locations.getMembers(GetMembersRequest(groupIds: [group]), member.options)
        let members = found.groups.first?.members ?? []
        return members.count == count && members.allSatisfy { !$0.username.isEmpty }
      } catch let status as Status where status.code == .unavailable || status.code == .notFound { return false }
    }
  }
}

/// A replica of tracking as a process of its own, which can be killed.
final class TrackingProcess: Sendable {
  let port: Int
  private let process: Process

  /// - Parameters:
  ///   - arguments: further settings, as options.
  ///   - port: where it listens; by default at one that is free.
  init(_ suite: TrackingSuite, _ arguments: [String] = [], port: Int? = nil) throws {
    self.port = try port ?? FreePort.take()
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("tracking")
    process.arguments =
      try suite.certificates.settings(of: "tracking") + [
        "--listen", "127.0.0.1:\(self.port)", "--database-url", suite.users.database.url(of: "tracking"), "--seal-key",
        RunningService.sealKey, "--log-level", "critical", "--identity-address", "127.0.0.1:\(suite.identityPort)",
      ] + arguments
    try Children.start { try process.run() }
  }

  deinit { kill() }

  /// Ends it as by `kill -9`.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
