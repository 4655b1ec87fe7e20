import Environment
import Cryptography
import Testing

@testable import ServiceRuntime

@Suite("TLS files")
struct TransportSecurityTests {
  let folder: TemporaryFolder
  let certificate: String
  let key: String

  init() throws {
    folder = try TemporaryFolder()
    (certificate, key) = try Self.issued(in: folder, "one")
  }

  static func issued(in folder: TemporaryFolder, _ name: String) throws -> (String, String) {
    let now = SystemClock().now
    let identity = try CertificateAuthority(name: name, now: now, lifetime: .seconds(3600))
      .issue(commonName: "localhost", names: [.dns("localhost")], now: now, lifetime: .seconds(3600))
    return (
      try folder.file("\(name).pem", identity.certificatePEM), try folder.file("\(name).key", identity.privateKeyPEM)
    )
  }

  func security(_ arguments: String...) throws -> TransportSecurity {
    try TransportSecurity(
      Settings.resolve(
        RuntimeSettings.all, service: "identity", from: SettingSources(arguments: arguments), requiring: .nothing))
  }

  func refusal(_ arguments: String...) throws -> String {
    let refusal = #expect(throws: StartupError.self) {
      try TransportSecurity(
        Settings.resolve(
          RuntimeSettings.all, service: "identity", from: SettingSources(arguments: arguments), requiring: .nothing))
    }
    #expect(refusal?.exitStatus == 2 && refusal?.lines.count == 1)
    return try #require(refusal?.lines.first)
  }

  @Test("a certificate and its key make TLS, with clients' authority or without")
  func valid() throws {
    guard case .tls = try security("--tls-cert", certificate, "--tls-key", key) else {
      Issue.record("not TLS")
      return
    }
    guard case .tls = try security("--tls-cert", certificate, "--tls-key", key, "--tls-client-ca", certificate) else {
      Issue.record("not TLS")
      return
    }
  }

  @Test("no certificate is refused unless plaintext is asked for by name")
  func plaintext() throws {
    guard case .plaintext = try security("--plaintext") else {
      Issue.record("not plaintext")
      return
    }
    #expect(
      try refusal()
        == "no certificate: give --tls-cert and --tls-key (TANDEM_TLS_CERT, TANDEM_TLS_KEY), or --plaintext to do without TLS"
    )
    #expect(try refusal("--plaintext", "--tls-key", key).hasPrefix("plaintext is on, but tls-cert"))
    #expect(try refusal("--tls-key", key).hasPrefix("tls-key is set but tls-cert is not"))
    #expect(try refusal("--tls-cert", certificate).hasPrefix("tls-cert is set but tls-key is not"))
  }

  @Test("a missing, wrong or foreign file is named with what is wrong")
  func files() throws {
    #expect(
      try refusal("--tls-cert", "/nowhere.pem", "--tls-key", key)
        == "the certificate (tls-cert) /nowhere.pem cannot be read: no such file or directory")
    #expect(
      try refusal("--tls-cert", key, "--tls-key", key)
        == "the certificate (tls-cert) \(key) holds no certificate in PEM")
    #expect(
      try refusal("--tls-cert", certificate, "--tls-key", certificate)
        == "the private key (tls-key) \(certificate) holds no unencrypted private key in PEM")
    let (_, foreign) = try Self.issued(in: folder, "two")
    #expect(
      try refusal("--tls-cert", certificate, "--tls-key", foreign)
        == "the private key (tls-key) \(foreign) does not belong to the certificate (tls-cert) \(certificate)")
    #expect(
      try refusal("--tls-cert", certificate, "--tls-key", key, "--tls-client-ca", key)
        == "the clients' authority (tls-client-ca) \(key) holds no certificate in PEM")
  }
}
