import Ambient
import Cryptography
import Foundation
import Identifiers
import TestSupport
import Testing

/// A real mail server of a test's own (aiosmtpd), in a process of its own.
struct MailServer {
  let port: Int
  /// The authority that its certificate comes from.
  let authority: String
  private let folder: String

  /// Runs `body` with a server; `options` are those of `smtp_server.py`, with the certificate and key added where TLS is named.
  static func with(_ options: [String], _ body: (MailServer) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "tandem-smtp-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (authority, certificate, key) = try certificate(in: folder)
    let process = Process()
    process.executableURL = python
    let arguments = options.flatMap { $0 == "--tls" ? [$0, certificate, key] : [$0] }
    process.arguments = [script, folder] + arguments
    // It says a lot about clients that hang up.
    process.standardError = FileHandle.nullDevice
    try Children.start { try process.run() }
    // The test's own process ignores SIGTERM, and a child inherits that.
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = try await eventually("the mail server listens") {
      try #require(process.isRunning, "aiosmtpd does not start; .ci/install installs it")
      return Int((try? String(contentsOfFile: "\(folder)/port", encoding: .utf8)) ?? "")
    }
    try await body(MailServer(port: port, authority: authority, folder: folder))
  }

  /// What it took, each as its envelope's lines, an empty line and the message.
  func mails() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.sorted()
      .map { String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")), as: UTF8.self) }
  }

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let script = tests.appendingPathComponent("smtp_server.py").path

  /// The project's own Python where `.ci/install` made it, else the system's.
  private static var python: URL {
    let own = tests.appendingPathComponent("../../../.venv/bin/python").standardized
    return FileManager.default.isExecutableFile(atPath: own.path) ? own : URL(fileURLWithPath: "/usr/bin/python3")
  }

  private static func certificate(in folder: String) throws -> (authority: String, certificate: String, key: String) {
    let (now, day) = (SystemClock().now, Duration.seconds(86_400))
    let authority = try CertificateAuthority(name: "Test mail authority", now: now, lifetime: day)
    let server = try authority.issue(
      commonName: "localhost", names: [.dns("localhost"), .ip("127.0.0.1")], now: now, lifetime: day)
    let paths = (authority: "\(folder)/ca.pem", certificate: "\(folder)/cert.pem", key: "\(folder)/key.pem")
    try authority.identity.certificatePEM.write(toFile: paths.authority, atomically: true, encoding: .utf8)
    try server.certificatePEM.write(toFile: paths.certificate, atomically: true, encoding: .utf8)
    try server.privateKeyPEM.write(toFile: paths.key, atomically: true, encoding: .utf8)
    return paths
  }
}
