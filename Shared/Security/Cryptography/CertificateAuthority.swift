import Environment
import COpenSSL
import Identifiers

/// A certificate and its private key, both as PEM.
public struct CertifiedKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The certificate, which is public.
  public let certificatePEM: String
  /// The private key (PKCS #8), for its owner only.
  public let privateKeyPEM: String

  public init(certificatePEM: String, privateKeyPEM: String) {
    (self.certificatePEM, self.privateKeyPEM) = (certificatePEM, privateKeyPEM)
  }

  /// The certificate; never the key.
  public var description: String { certificatePEM }
  /// Shows no part of the key to `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["certificatePEM": certificatePEM]) }
}

/// An alternative name that cannot be put into a certificate.
public struct BadAlternativeName: Error, Sendable, Equatable {
  public let name: AlternativeName
}

/// Signs the certificates of a private installation: ECDSA on P-256 with SHA-256, which every TLS library accepts.
public struct CertificateAuthority: Sendable {
  /// Certificates are valid from a little before they are made, because clocks differ.
  private static let backdating: Duration = .seconds(300)

  /// The authority's own certificate and key.
  public let identity: CertifiedKey
  private let key: KeyHandle
  private let randomness: any Randomness

  /// A new authority, called `name`, that can sign leaf certificates only and is valid for `lifetime` from `now`.
  public init(
    name: String, now: Instant, lifetime: Duration, randomness: some Randomness = SystemRandomness()
  ) throws(OpenSSLError) {
    let key = KeyHandle(owning: try require(tandem_generate_p256(), "making a P-256 key"))
    let draft = try Draft(
      subject: name, serial: randomness.uint64(), notBefore: now - Self.backdating, notAfter: now + lifetime, for: key)
    try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: draft)
    try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: draft)
    try draft.add(NID_subject_key_identifier, "hash", issuer: draft)
    try draft.setIssuer(draft)
    identity = CertifiedKey(certificatePEM: try draft.signed(by: key), privateKeyPEM: try key.privatePEM())
    self.key = key
    self.randomness = randomness
  }

  /// The authority with this certificate and key, as read from its files.
  public init(_ identity: CertifiedKey, randomness: some Randomness = SystemRandomness()) throws(OpenSSLError) {
    self.identity = identity
    self.randomness = randomness
    key = try KeyHandle(privatePEM: identity.privateKeyPEM)
    let certificate = try Draft(pem: identity.certificatePEM)
    try require(X509_check_private_key(certificate.pointer, key.pointer), "matching the authority's key")
  }

  /// A new key with a certificate for `names`, valid for servers and clients, for `lifetime` from `now`.
  ///
  /// - Throws: `BadAlternativeName`, `OpenSSLError`.
  public func issue(
    commonName: String, names: [AlternativeName], now: Instant, lifetime: Duration
  ) throws -> CertifiedKey {
    if let bad = names.first(where: { !$0.isWellFormed }) { throw BadAlternativeName(name: bad) }
    let leafKey = KeyHandle(owning: try require(tandem_generate_p256(), "making a P-256 key"))
    let authority = try Draft(pem: identity.certificatePEM)
    let draft = try Draft(
      subject: commonName, serial: randomness.uint64(), notBefore: now - Self.backdating, notAfter: now + lifetime,
      for: leafKey)
    try draft.add(NID_basic_constraints, "critical,CA:FALSE", issuer: authority)
    try draft.add(NID_key_usage, "critical,digitalSignature", issuer: authority)
    try draft.add(NID_ext_key_usage, "serverAuth,clientAuth", issuer: authority)
    try draft.add(NID_subject_key_identifier, "hash", issuer: authority)
    try draft.add(NID_authority_key_identifier, "keyid", issuer: authority)
    if !names.isEmpty {
      try draft.add(NID_subject_alt_name, names.map(\.description).joined(separator: ","), issuer: authority)
    }
    try draft.setIssuer(authority)
    return CertifiedKey(certificatePEM: try draft.signed(by: key), privateKeyPEM: try leafKey.privatePEM())
  }
}

/// Owns an OpenSSL certificate while it is being made, or read to sign others.
private final class Draft {
  let pointer: OpaquePointer

  init(pem: String) throws(OpenSSLError) {
    let read = try withPEMReader(pem) { PEM_read_bio_X509($0, nil, nil, nil) }
    pointer = try require(read, "reading a certificate")
  }

  init(
    subject: String, serial: UInt64, notBefore: Instant, notAfter: Instant, for key: KeyHandle
  ) throws(OpenSSLError) {
    pointer = try require(X509_new(), "making a certificate")
    try require(X509_set_version(pointer, 2), "setting version 3")
    // Positive and never zero (RFC 5280, section 4.1.2.2).
    let serialSet = ASN1_INTEGER_set_uint64(X509_get_serialNumber(pointer), serial >> 1 | 1 << 62)
    try require(serialSet, "setting the serial number")
    _ = try require(ASN1_TIME_set(X509_getm_notBefore(pointer), Int(notBefore.wholeSeconds)), "setting notBefore")
    _ = try require(ASN1_TIME_set(X509_getm_notAfter(pointer), Int(notAfter.wholeSeconds)), "setting notAfter")
    try require(X509_set_pubkey(pointer, key.pointer), "setting the public key")
    let name = X509_get_subject_name(pointer)
    for (part, value) in [("O", "Tandem"), ("CN", subject)] {
      let bytes = Array(value.utf8)
      let added = X509_NAME_add_entry_by_txt(name, part, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0)
      try require(added, "setting the subject")
    }
  }

  deinit {
    X509_free(pointer)
  }

  func add(_ extensionID: Int32, _ value: String, issuer: Draft) throws(OpenSSLError) {
    try require(tandem_add_extension(pointer, issuer.pointer, extensionID, value), "adding \(value)")
  }

  func setIssuer(_ issuer: Draft) throws(OpenSSLError) {
    try require(X509_set_issuer_name(pointer, X509_get_subject_name(issuer.pointer)), "setting the issuer")
  }

  func signed(by key: KeyHandle) throws(OpenSSLError) -> String {
    guard X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else { throw OpenSSLError("signing a certificate") }
    return try pemText("writing a certificate") { PEM_write_bio_X509($0, pointer) }
  }
}
