import Environment
import Cryptography
import Foundation
import Identifiers
import TestSupport
import Testing

@testable import Live

@Suite("NATS with passwords and TLS", .ownThreads, .timeLimit(.minutes(5)))
struct NATSSecurityTests {
  let channel = LiveChannel("tests.channel")

  @Test("user, password and TLS are used, and a server of another name or authority is not believed")
  func secured() async throws {
    let folder = NSTemporaryDirectory() + "tandem-nats-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Self.writeCertificates(in: folder)
    let process = try await NATSProcess.start([
      "--tls", "--tlscert", "\(folder)/cert.pem", "--tlskey", "\(folder)/key.pem", "--user", "ada", "--pass", "secret",
    ])
    let port = process.address.split(separator: ":")[1]
    func server(_ text: String, authorities: String? = "ca.pem") throws -> NATSServer {
      var server = try #require(NATSServer(text))
      server.authorities = authorities.map { "\(folder)/\($0)" }
      return server
    }
    let good = try server("tls://ada:secret@localhost:\(port)")
    let refused = [
      try server("tls://ada:wrong@localhost:\(port)"), try server("tls://ada:secret@127.0.0.1:\(port)"),
      try server("tls://ada:secret@localhost:\(port)", authorities: "other.pem"),
      try server("tls://ada:secret@localhost:\(port)", authorities: "missing.pem"),
    ]
    let events = NATSEvents.immortal(heard: { _, _ in }, dropped: { _ in }, closed: { _ in })
    for server in refused {
      let error = #expect(throws: NATSError.self) { () throws in
        _ = try NATSConnection(server, name: "tests", events: events)
      }
      #expect(error?.description.contains("secret") == false)
    }
    // The good one comes last: a bus tries its servers in turn.
    let bus = NATSBus(refused + [good], name: "tests", publisher: 1, logger: silent)
    try await runUntilStopped(bus) {
      var listener = await bus.listener(to: channel)
      bus.publish("hello", to: channel)
      #expect(await listener.nextText() == "hello")
    }
  }

  private static func writeCertificates(in folder: String) throws {
    let (now, day) = (SystemClock().now, Duration.seconds(86_400))
    let authority = try CertificateAuthority(name: "Test bus authority", now: now, lifetime: day)
    let other = try CertificateAuthority(name: "Another authority", now: now, lifetime: day)
    let server = try authority.issue(commonName: "localhost", names: [.dns("localhost")], now: now, lifetime: day)
    for (name, text) in [
      ("ca", authority.identity.certificatePEM), ("other", other.identity.certificatePEM),
      ("cert", server.certificatePEM), ("key", server.privateKeyPEM),
    ] {
      try text.write(toFile: "\(folder)/\(name).pem", atomically: true, encoding: .utf8)
    }
  }
}
