import Cryptography
import Environment
import Foundation
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing
import TrackerSimulator

/// PyPI's `oidc-provider-mock` as a provider's authorization server; see `consent_mock.py`.
private struct ConsentMock {
  let folder: String
  let port: Int

  static func with(_ body: (ConsentMock) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "tandem-test-consent-\(UUID().uuidString)"
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
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let process = Process()
    process.executableURL = tests.appendingPathComponent("../../.venv/bin/python").standardized
    process.arguments = [
      tests.appendingPathComponent("Support/consent_mock.py").path, folder, "\(folder)/cert.pem", "\(folder)/key.pem",
    ]
    process.standardError = FileHandle.nullDevice
    // It ends when this closes: with the test, and when the test's own process is killed.
    process.standardInput = Pipe()
    try Children.start { try process.run() }
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = try await eventually("the provider listens") {
      try #require(process.isRunning, "oidc-provider-mock does not start; .ci/install installs it")
      return FileManager.default.contents(atPath: "\(folder)/port").flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
    try await body(ConsentMock(folder: folder, port: port))
  }

  /// The settings of an importer whose users consent here, and whose data is the simulator's.
  func arguments(_ simulator: TrackerSimulator) throws -> [String] {
    let authorities = [simulator.authority, "\(folder)/ca.pem"].compactMap { FileManager.default.contents(atPath: $0) }
    try Data(authorities.joined()).write(to: URL(fileURLWithPath: "\(folder)/both.pem"))
    try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(folder)/secret"))
    let base = "https://localhost:\(port)/oauth2"
    let entry: [String: Any] = [
      "id": "polar", "client_id": "tandem", "client_secret_file": "secret", "scopes": ["openid"],
      "endpoints": [
        "authorization": "\(base)/authorize", "token": "\(base)/token", "data": "\(simulator.origin)/polar",
      ],
    ]
    let file = try JSONSerialization.data(withJSONObject: ["trackers": [entry]])
    try file.write(to: URL(fileURLWithPath: "\(folder)/trackers.json"))
    return [
      "--trackers", "\(folder)/trackers.json", "--tracker-ca", "\(folder)/both.pem", "--tracker-hosts", "any",
      "--tracker-redirect-uris", "https://app.example/callback",
    ]
  }

  /// Goes there as a user who presses "Deny", and returns what the browser comes back with.
  func refuse(_ authorizationURL: String) async throws -> CompleteConnectionRequest {
    let name = "\(folder)/\(UUID().uuidString)"
    try authorizationURL.write(toFile: "\(name).visit", atomically: true, encoding: .utf8)
    let arrived = try await eventually("the browser has come back") {
      FileManager.default.contents(atPath: "\(name).arrived").map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(arrived.hasPrefix("https://app.example/callback?"), "\(arrived)")
    let items = URLComponents(string: arrived)?.queryItems ?? []
    let value = { (name: String) in items.first { $0.name == name }?.value ?? "" }
    return CompleteConnectionRequest(
      state: value("state"), code: value("code"), issuer: value("iss"), error: value("error"))
  }
}

@Suite("refused consent at a real authorization server", .ownThreads, .timeLimit(.minutes(5)))
struct ConsentMockTests {
  @Test("[IM-2] a user who denies there is back at the list with CONSENT_DENIED, and nothing is stored")
  func denied() async throws {
    try await TrackerSimulator.with { simulator in
      try await ConsentMock.with { mock in
        try await RunningImporter.with(try mock.arguments(simulator)) { importer in
          let start = try await importer.trackers.startConnection(
            StartConnectionRequest(provider: "polar"), TestUser.ada.options)
          var call = try await mock.refuse(start.authorizationURL)
          #expect(call.error == "access_denied" && call.code.isEmpty)
          // It leaves the state out (RFC 6749, section 4.1.2.1 wants it): the app knows which attempt it is.
          if call.state.isEmpty { call.state = start.state }
          let refused = try await refusal { try await importer.trackers.completeConnection(call, TestUser.ada.options) }
          #expect(refused.code == .permissionDenied && refused.reason == "CONSENT_DENIED")
          for table in ["tracker_connections", "tracker_imports", "tracker_completions", "authorization_attempts"] {
            #expect(try await importer.value("select count(*) from \(table)") == "0", "\(table)")
          }
          #expect(try await importer.tracker("polar").state == .available && simulator.requests().isEmpty)
        }
      }
    }
  }
}

extension StartConnectionResponse {
  /// The state in the URL.
  fileprivate var state: String {
    URLComponents(string: authorizationURL)?.queryItems?.first { $0.name == "state" }?.value ?? ""
  }
}
