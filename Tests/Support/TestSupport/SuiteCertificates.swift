import Environment
import Cryptography
import Foundation
import NIOSSL
public import TTRPCClient

/// An authority of the test's own, and the certificates by which services authenticate each other. The folder is removed with the last
/// reference.
public final class SuiteCertificates: Sendable {
  private let authority: CertificateAuthority
  private let folder: String
  private let lifetime: Duration

  /// An authority that has issued nothing yet.
  ///
  /// - Parameter lifetime: of everything that it issues.
  public init(lifetime: Duration = .seconds(3_600)) throws {
    self.lifetime = lifetime
    folder = NSTemporaryDirectory() + "tandem-certificates-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    authority = try CertificateAuthority(name: "tests", now: SystemClock().now, lifetime: lifetime)
    try Self.write(authority.identity.certificatePEM, to: "\(folder)/ca.crt")
  }

  deinit {
    // A temporary folder that stays is the system's to remove.
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// The authority's certificate, in PEM.
  public var authorityFile: String { "\(folder)/ca.crt" }

  /// The settings by which `service` presents its certificate and verifies the others'.
  public func settings(of service: String) throws -> [String] {
    let (certificate, key) = ("\(folder)/\(service).crt", "\(folder)/\(service).key")
    if !FileManager.default.fileExists(atPath: key) {
      let pair = try issue(service)
      try Self.write(pair.certificatePEM, to: certificate)
      try Self.write(pair.privateKeyPEM, to: key)
    }
    return ["--tls-cert", certificate, "--tls-key", key, "--tls-client-ca", "\(folder)/ca.crt"]
  }

  /// The settings of a client of `service`: with another service's certificate, or without one.
  public func client(of service: String, as caller: String? = nil) throws -> RPCClient.Security {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(try Self.certificates(authority.identity))
    if let caller {
      let pair = try issue(caller)
      configuration.certificateChain = try Self.certificates(pair).map { .certificate($0) }
      configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.privateKeyPEM.utf8), format: .pem))
    }
    return .tls(try NIOSSLContext(configuration: configuration), serverName: service)
  }

  private func issue(_ service: String) throws -> CertifiedKey {
    try authority.issue(
      commonName: service, names: [.dns(service), ServiceIdentity.name(of: service)], now: SystemClock().now,
      lifetime: lifetime)
  }

  private static func certificates(_ pair: CertifiedKey) throws -> [NIOSSLCertificate] {
    try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8))
  }
}
