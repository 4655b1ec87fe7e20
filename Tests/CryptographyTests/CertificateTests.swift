import Foundation
import Identifiers
import TestSupport
import Testing

@testable import Cryptography

@Suite struct CertificateTests {
  private let now = Instant(microseconds: Int64(Date().timeIntervalSince1970) * 1_000_000)
  private let names: [AlternativeName] = [
    .dns("localhost"), .dns("identity"), .ip("127.0.0.1"), .ip("::1"), .uri("spiffe://tandem/identity"),
  ]

  private func authority() throws -> CertificateAuthority {
    try CertificateAuthority(name: "Tandem local CA", now: now, lifetime: .seconds(86_400 * 3_650))
  }

  @Test("a certificate says what it was made to say")
  func details() throws {
    let authority = try authority()
    let issued = try authority.issue(commonName: "identity", names: names, now: now, lifetime: .seconds(86_400))
    let certificate = try Certificate(pem: issued.certificatePEM)
    #expect(certificate.subject == "CN=identity,O=Tandem")
    #expect(certificate.issuer == "CN=Tandem local CA,O=Tandem")
    #expect(certificate.notBefore == now - .seconds(300))
    #expect(certificate.notAfter == now + .seconds(86_400))
    #expect(certificate.alternativeNames == names)
    #expect(!certificate.isAuthority)
    #expect(try Certificate(pem: authority.identity.certificatePEM).isAuthority)
  }

  @Test("OpenSSL's own tool verifies a certificate for its names and both purposes, and for no other name")
  func verification() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let authority = try authority()
    let issued = try authority.issue(commonName: "identity", names: names, now: now, lifetime: .seconds(86_400))
    let ca = try folder.write("ca.pem", authority.identity.certificatePEM)
    let leaf = try folder.write("leaf.pem", issued.certificatePEM)
    let good: [[String]] = [
      ["-purpose", "sslserver", "-verify_hostname", "localhost"], ["-purpose", "sslserver", "-verify_ip", "127.0.0.1"],
      ["-purpose", "sslclient", "-verify_hostname", "identity"], ["-verify_ip", "::1"],
    ]
    for arguments in good { #expect(try openSSL(["verify", "-x509_strict", "-CAfile", ca] + arguments + [leaf]) == 0) }
    #expect(try openSSL(["verify", "-CAfile", ca, "-verify_hostname", "matching", leaf]) != 0)
    let stranger = try folder.write("stranger.pem", try self.authority().identity.certificatePEM)
    #expect(try openSSL(["verify", "-CAfile", stranger, leaf]) != 0)
    let key = try folder.write("key.pem", issued.privateKeyPEM)
    #expect(try openSSL(["pkey", "-in", key, "-check", "-noout"]) == 0)
  }

  @Test("an authority that is read back goes on signing; with another's key it is refused")
  func readBack() throws {
    let authority = try authority()
    let again = try CertificateAuthority(authority.identity)
    let issued = try again.issue(commonName: "matching", names: [.dns("matching")], now: now, lifetime: .seconds(60))
    #expect(try Certificate(pem: issued.certificatePEM).issuer == "CN=Tandem local CA,O=Tandem")
    let mixed = CertifiedKey(
      certificatePEM: authority.identity.certificatePEM, privateKeyPEM: try self.authority().identity.privateKeyPEM)
    #expect(throws: OpenSSLError.self) { try CertificateAuthority(mixed) }
  }

  @Test(
    "a name that would mean something else in OpenSSL's configuration is refused",
    arguments: [.dns("a,DNS:evil"), .dns(""), .uri("http://a b"), .dns("a\0b"), .ip("127.0.0.1,IP:1.1.1.1")]
      as [AlternativeName])
  func badNames(name: AlternativeName) throws {
    #expect(throws: BadAlternativeName(name: name)) {
      try authority().issue(commonName: "x", names: [name], now: now, lifetime: .seconds(60))
    }
  }

  @Test(
    "text that is no certificate is refused with OpenSSL's reason",
    arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
  func badText(text: String) throws {
    let error = #expect(throws: OpenSSLError.self) { try Certificate(pem: text) }
    #expect(error?.operation == "reading a certificate")
    #expect(error?.reasons.isEmpty == false)
  }

  private func openSSL(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try Children.start { try process.run() }
    process.waitUntilExit()
    return process.terminationStatus
  }
}

private struct TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func write(_ name: String, _ text: String) throws -> String {
    let file = url.appending(path: name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  func remove() {
    // A folder that stays behind is the system's to clear away.
    try? FileManager.default.removeItem(at: url)
  }
}
