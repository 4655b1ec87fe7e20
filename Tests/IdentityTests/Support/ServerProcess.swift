import Environment
import Cryptography
import Foundation
import Identifiers
import TestSupport
import Testing

/// A real server of the test's own, written in Python, in a process of its own, with a folder for what it receives.
struct ServerProcess {
  let port: Int
  /// The authority that its certificate comes from, a PEM file.
  let authority: String
  let folder: String

  /// Runs `body` with the server that `script` of this folder starts.
  ///
  /// - Parameter arguments: what follows the folder on its command line, made from the files of its certificate and key for `localhost`.
  static func with(
    _ script: String, _ arguments: (_ certificate: String, _ key: String) -> [String],
    _ body: (ServerProcess) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "tandem-\(script)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (authority, certificate, key) = try certificate(in: folder)
    let process = Process()
    process.executableURL = python
    process.arguments = [tests.appendingPathComponent(script).path, folder] + arguments(certificate, key)
    // It logs a lot about clients that hang up.
    process.standardError = FileHandle.nullDevice
    // It ends when this closes: with the test, and when the test's own process is killed.
    process.standardInput = Pipe()
    try Children.start { try process.run() }
    // The test's own process ignores SIGTERM, and a child inherits that.
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = try await eventually("\(script) listens") {
      try #require(process.isRunning, "\(script) does not start; .ci/install installs what it needs")
      return Int((try? String(contentsOfFile: "\(folder)/port", encoding: .utf8)) ?? "")
    }
    try await body(ServerProcess(port: port, authority: authority, folder: folder))
  }

  /// The names of the files with that ending, in order, and their contents.
  func files(_ ending: String) throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }.sorted()
      .map { ($0, String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")), as: UTF8.self)) }
  }

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The project's own Python where `.ci/install` made it, else the system's.
  private static var python: URL {
    let own = tests.appendingPathComponent("../../../.venv/bin/python").standardized
    return FileManager.default.isExecutableFile(atPath: own.path) ? own : URL(fileURLWithPath: "/usr/bin/python3")
  }

  private static func certificate(in folder: String) throws -> (authority: String, certificate: String, key: String) {
    let (now, day) = (SystemClock().now, Duration.seconds(86_400))
    let authority = try CertificateAuthority(name: "Test authority", now: now, lifetime: day)
    let server = try authority.issue(
      commonName: "localhost", names: [.dns("localhost"), .ip("127.0.0.1")], now: now, lifetime: day)
    let paths = (authority: "\(folder)/ca.pem", certificate: "\(folder)/cert.pem", key: "\(folder)/key.pem")
    try authority.identity.certificatePEM.write(toFile: paths.authority, atomically: true, encoding: .utf8)
    try server.certificatePEM.write(toFile: paths.certificate, atomically: true, encoding: .utf8)
    try server.privateKeyPEM.write(toFile: paths.key, atomically: true, encoding: .utf8)
    return paths
  }
}
