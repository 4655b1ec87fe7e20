import Ambient
import Cryptography
import Glibc
import Identifiers

/// The workspace's own authority and the services' certificates: kept, and made anew before they expire.
struct Certificates {
  /// Long, because clients are told to trust it once.
  static let authorityLifetime = Duration.seconds(3_650 * 86_400)
  /// The longest that common clients accept.
  static let lifetime = Duration.seconds(397 * 86_400)
  /// A certificate with less than this left is replaced.
  static let marginDays = 30
  static let margin = Duration.seconds(marginDays * 86_400)

  let workspace: Workspace
  let now: Instant

  /// Makes what is missing or about to expire.
  func prepare() throws {
    let authority = try readAuthority() ?? makeAuthority()
    for service in SuiteService.allCases where !isGood(workspace.certificate(of: service), for: service) {
      let pair = try authority.issue(
        commonName: service.rawValue,
        names: [
          .dns("localhost"), .dns(service.rawValue), .ip("127.0.0.1"), .ip("::1"),
          ServiceIdentity.name(of: service.rawValue),
        ], now: now, lifetime: Self.lifetime)
      try Files.write(pair.privateKeyPEM, to: workspace.key(of: service))
      try Files.write(pair.certificatePEM, to: workspace.certificate(of: service), mode: 0o644)
    }
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
    // What another authority signed is of no more use.
    for service in SuiteService.allCases { unlink(workspace.certificate(of: service)) }
    try Files.write(authority.identity.privateKeyPEM, to: authorityKey)
    try Files.write(authority.identity.certificatePEM, to: workspace.authority, mode: 0o644)
    return authority
  }

  private func isGood(_ path: String, for service: SuiteService) -> Bool {
    guard let text = Files.text(path), Files.exists(workspace.key(of: service)), hasTimeLeft(text) else { return false }
    // Those of earlier releases name no service.
    do { return ServiceIdentity.service(of: try Certificate(pem: text)) == service.rawValue } catch { return false }
  }

  private func hasTimeLeft(_ pem: String) -> Bool {
    do { return try Certificate(pem: pem).notAfter > now + Self.margin } catch { return false }
  }
}
