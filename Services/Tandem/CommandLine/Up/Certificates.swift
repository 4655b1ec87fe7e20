import Environment
import Cryptography
import Glibc
import Identifiers

/// The workspace's own authority, the services' certificates and the operator's: stored, and renewed before they expire.
struct Certificates {
  /// Long, as clients are configured once to trust it.
  static let authorityLifetime = Duration.seconds(3_650 * 86_400)
  /// The longest that common clients accept.
  static let lifetime = Duration.seconds(397 * 86_400)
  /// A certificate with less than this left is replaced.
  static let marginDays = 30
  static let margin = Duration.seconds(marginDays * 86_400)

  /// The name by which identity recognises operators of the suite.
  static let operatorName = "operator"

  let workspace: Workspace
  let now: Instant

  /// Creates what is missing or about to expire.
  func prepare() throws {
    let authority = try readAuthority() ?? makeAuthority()
    for service in SuiteService.allCases.map(\.rawValue) where !isGood(service) {
      try issue(service, [.dns("localhost"), .dns(service), .ip("127.0.0.1"), .ip("::1")], authority)
    }
    // The gateway shows the same certificate to its own clients, who may be browsers.
    if !isGood(GatewayProgram.name) {
      try issue(GatewayProgram.name, [.dns("localhost"), .dns("gateway"), .ip("127.0.0.1"), .ip("::1")], authority)
    }
    // The operator has a client certificate only.
    if !isGood(Self.operatorName) { try issue(Self.operatorName, [], authority) }
  }

  private func issue(_ name: String, _ hosts: [AlternativeName], _ authority: CertificateAuthority) throws {
    let pair = try authority.issue(
      commonName: name, names: hosts + [ServiceIdentity.name(of: name)], now: now, lifetime: Self.lifetime)
    try Files.write(pair.privateKeyPEM, to: workspace.key(named: name))
    try Files.write(pair.certificatePEM, to: workspace.certificate(named: name), mode: 0o644)
  }

  private var authorityKey: String { "\(workspace.certificates)/ca.key" }

  private func readAuthority() throws -> CertificateAuthority? {
    guard let certificate = Files.text(workspace.authority), let key = Files.text(authorityKey),
      hasTimeLeft(certificate)
    else { return nil }
    return try CertificateAuthority(CertifiedKey(certificatePEM: certificate, privateKeyPEM: key))
  }

  private func makeAuthority() throws -> CertificateAuthority {
    let authority = try CertificateAuthority(name: "Tandem local authority", now: now, lifetime: Self.authorityLifetime)
    // Certificates of the previous authority are invalid.
    for name in SuiteService.allCases.map(\.rawValue) + [GatewayProgram.name, Self.operatorName] {
      unlink(workspace.certificate(named: name))
    }
    try Files.write(authority.identity.privateKeyPEM, to: authorityKey)
    try Files.write(authority.identity.certificatePEM, to: workspace.authority, mode: 0o644)
    return authority
  }

  private func isGood(_ name: String) -> Bool {
    guard let text = Files.text(workspace.certificate(named: name)), Files.exists(workspace.key(named: name)),
      hasTimeLeft(text)
    else { return false }
    // Those of earlier releases do not name a service.
    do { return ServiceIdentity.service(of: try Certificate(pem: text)) == name } catch { return false }
  }

  private func hasTimeLeft(_ pem: String) -> Bool {
    do { return try Certificate(pem: pem).notAfter > now + Self.margin } catch { return false }
  }
}
