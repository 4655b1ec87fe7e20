import Cryptography
import Environment
import Foundation
import Identifiers
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

/// Debian's glewlwyd as a provider's authorization server: it checks PKCE and replaces refresh tokens at each use; see `openid_provider.py`.
private struct Glewlwyd {
  static let scope = "accesslink.read_all"
  let folder: String
  let port: Int

  static func with(_ body: (Glewlwyd) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "tandem-glewlwyd-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (now, day) = (SystemClock().now, Duration.seconds(86_400))
    let root = try CertificateAuthority(name: "Test authority", now: now, lifetime: day)
    let own = try root.issue(
      commonName: "localhost", names: [.dns("localhost"), .ip("127.0.0.1")], now: now, lifetime: day)
    for (name, pem) in [
      ("ca", root.identity.certificatePEM), ("cert", own.certificatePEM), ("key", own.privateKeyPEM),
    ] {
      try pem.write(toFile: "\(folder)/\(name).pem", atomically: true, encoding: .utf8)
    }
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let python = tests.appendingPathComponent("../.venv/bin/python").standardized
    let process = Process()
    process.executableURL = python
    process.arguments = [
      tests.appendingPathComponent("IdentityTests/Support/openid_provider.py").path, folder, "\(folder)/cert.pem",
      "\(folder)/key.pem", "https://app.example/callback", scope,
    ]
    process.standardError = FileHandle.nullDevice
    // It ends when this closes: with the test, and when the test's own process is killed.
    process.standardInput = Pipe()
    try Children.start { try process.run() }
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = try await eventually("glewlwyd listens") {
      try #require(process.isRunning, "glewlwyd does not start; .ci/install installs what it needs")
      return FileManager.default.contents(atPath: "\(folder)/port").flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
    try await body(Glewlwyd(folder: folder, port: port))
  }

  /// The settings of an importer whose users consent here, and whose data is the simulator's.
  func arguments(_ simulator: TrackerSimulator) throws -> [String] {
    let authorities = [simulator.authority, "\(folder)/ca.pem"].compactMap { FileManager.default.contents(atPath: $0) }
    try Data(authorities.joined()).write(to: URL(fileURLWithPath: "\(folder)/both.pem"))
    try Data("glewlwyd-secret".utf8).write(to: URL(fileURLWithPath: "\(folder)/secret"))
    let base = "https://localhost:\(port)/api/oidc"
    let entry: [String: Any] = [
      "id": "polar", "client_id": "tandem", "client_secret_file": "secret", "scopes": ["openid", Self.scope],
      "endpoints": [
        "authorization": "\(base)/auth", "token": "\(base)/token", "revocation": "\(simulator.origin)/polar/v3/users",
        "data": "\(simulator.origin)/polar",
      ],
    ]
    let file = try JSONSerialization.data(withJSONObject: ["trackers": [entry]])
    try file.write(to: URL(fileURLWithPath: "\(folder)/trackers.json"))
    return [
      "--trackers", "\(folder)/trackers.json", "--tracker-ca", "\(folder)/both.pem", "--tracker-hosts", "any",
      "--tracker-redirect-uris", "https://app.example/callback",
    ]
  }

  /// Logs a user in there, grants what is requested, and returns what the browser comes back with.
  func visit(_ authorizationURL: String) async throws -> CompleteConnectionRequest {
    let name = "\(folder)/\(UUID().uuidString)"
    // glewlwyd speaks OpenID Connect, which other providers of trackers do not need.
    let wish = ["url": authorizationURL + "&nonce=n", "user": "ada", "grants": "openid \(Self.scope)"]
    try JSONSerialization.data(withJSONObject: wish).write(to: URL(fileURLWithPath: "\(name).visit"), options: .atomic)
    let arrived = try await eventually("the browser has come back") {
      FileManager.default.contents(atPath: "\(name).arrived").map { String(decoding: $0, as: UTF8.self) }
    }
    let items = URLComponents(string: arrived)?.queryItems ?? []
    let value = { (name: String) in items.first { $0.name == name }?.value ?? "" }
    return CompleteConnectionRequest(
      state: value("state"), code: value("code"), issuer: value("iss"), error: value("error"))
  }
}

@Suite("connections at a real authorization server", .ownThreads, .timeLimit(.minutes(5)))
struct GlewlwydTests {
  private static func serve(
    _ body: @escaping @Sendable (RunningImporter, Glewlwyd) async throws -> Void
  ) async throws {
    try await TrackerSimulator.with { simulator in
      simulator.answer("/v3/users") { _ in .json(#"{"polar-user-id":7001}"#) }
      for path in ["/v3/exercises", "/v3/users/activities", "/v3/users/sleep"] {
        simulator.answer(path) { ($0.token ?? "").hasPrefix("ey") ? .json("[]") : .json("{}", status: 401) }
      }
      try await Glewlwyd.with { glewlwyd in
        let arguments = try glewlwyd.arguments(simulator)
        try await RunningImporter.with(arguments) { importer in try await body(importer, glewlwyd) }
      }
    }
  }

  private static func arrived(_ importer: RunningImporter, _ glewlwyd: Glewlwyd) async throws
    -> CompleteConnectionRequest
  {
    let start = try await importer.trackers.startConnection(
      StartConnectionRequest(provider: "polar"), TestUser.ada.options)
    return try await glewlwyd.visit(start.authorizationURL)
  }

  @Test("[IM-2] [IM-3] a user connects by it, and its replaced refresh tokens are used on; an old one is not accepted")
  func refreshes() async throws {
    try await Self.serve { importer, glewlwyd in
      let call = try await Self.arrived(importer, glewlwyd)
      let tracker = try await importer.trackers.completeConnection(call, TestUser.ada.options)
      #expect(tracker.state == .connected)
      #expect(try await importer.ended(try #require(tracker.lastImport).importID).state == .succeeded)
      let first = try await importer.value("select sealed_tokens::text from tracker_connections")
      for _ in 0..<2 {
        importer.clock.advance(by: .seconds(600))
        #expect(try await importer.importAgain("polar").state == .succeeded)
      }
      #expect(try await importer.value("select token_version from tracker_connections") == "3")
      // As if the answers to both refreshes had been lost.
      importer.clock.advance(by: .seconds(600))
      try await importer.sql("update tracker_connections set sealed_tokens = '\(first ?? "")'::bytea")
      let failed = try await importer.importAgain("polar")
      #expect(failed.state == .failed && failed.message.hasPrefix("The data import failed."))
    }
  }

  @Test("[IM-2] it refuses a code of an attempt with another verifier")
  func codes() async throws {
    try await Self.serve { importer, glewlwyd in
      let other = try await Self.arrived(importer, glewlwyd)
      var injected = try await Self.arrived(importer, glewlwyd)
      injected.code = other.code
      let refused = try await refusal { try await importer.trackers.completeConnection(injected, TestUser.ada.options) }
      #expect(refused.code == .failedPrecondition && refused.reason == "PROVIDER_REFUSED")
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
    }
  }
}
