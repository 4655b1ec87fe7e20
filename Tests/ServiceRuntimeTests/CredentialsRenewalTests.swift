import Cryptography
import Logging
import TTRPC
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("Renewed certificates", .timeLimit(.minutes(5)))
struct CredentialsRenewalTests {
  let folder: TemporaryFolder
  let old: TestAuthority
  let new: TestAuthority

  init() throws {
    folder = try TemporaryFolder()
    old = try TestAuthority(folder, name: "old")
    new = try TestAuthority(folder, name: "new")
  }

  @Test("new connections get the new certificate and authority, those that are open go on")
  func renewal() async throws {
    let lending = ServiceIdentity.name(of: "lending")
    try await GuardedServer.run(try old.settings(try old.issue())) { server in
      let before = server.client(try old.client(try old.issue([lending])))
      #expect(try await server.caller(GuardedServer.forServices, by: before) == "lending")
      #expect(try await server.refusal(GuardedServer.open, with: try new.client()).code == .unavailable)

      _ = try new.settings(try new.issue())
      #expect(server.credentials.renew().isUnchanged)
      guard case .renewed = server.credentials.renew() else {
        Issue.record("not renewed")
        return
      }

      let after = try new.client(try new.issue([lending]))
      #expect(try await server.caller(GuardedServer.forServices, with: after) == "lending")
      #expect(try await server.refusal(GuardedServer.open, with: try old.client()).code == .unavailable)
      #expect(try await server.caller(GuardedServer.forServices, by: before) == "lending")
      #expect(server.credentials.renew().isUnchanged)
      await before.close()
    }
  }

  @Test("broken files are told of once and the old ones stay in use until good ones come")
  func brokenFiles() async throws {
    let settings = try old.settings(try old.issue())
    try await GuardedServer.run(settings) { server in
      _ = try folder.file("own.key", try new.issue().privateKeyPEM)
      #expect(server.credentials.renew().isUnchanged)
      guard case .refused(let refusal) = server.credentials.renew() else {
        Issue.record("not refused")
        return
      }
      #expect(refusal.description.contains("does not belong to the certificate"))
      #expect(server.credentials.renew().isUnchanged)
      #expect(try await server.caller(GuardedServer.open, with: try old.client()) == "nobody")

      _ = try new.settings(try new.issue())
      _ = server.credentials.renew()
      guard case .renewed = server.credentials.renew() else {
        Issue.record("not renewed")
        return
      }
      #expect(try await server.caller(GuardedServer.open, with: try new.client()) == "nobody")
    }
  }

  @Test("the running service looks by itself")
  func byItself() async throws {
    try await GuardedServer.run(try old.settings(try old.issue())) { server in
      let renewal = CredentialsRenewal(
        server.credentials, every: .milliseconds(2), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await renewal.run() }
        _ = try new.settings(try new.issue())
        #expect(try await eventually { try await isReachable(server, with: new) })
        group.cancelAll()
      }
    }
  }

  private func isReachable(_ server: GuardedServer, with authority: TestAuthority) async throws -> Bool {
    do {
      _ = try await server.caller(GuardedServer.open, with: try authority.client())
      return true
    } catch let status as Status where status.code == .unavailable {
      return false
    }
  }
}

extension TransportCredentials.Renewal {
  fileprivate var isUnchanged: Bool {
    if case .unchanged = self { true } else { false }
  }
}
