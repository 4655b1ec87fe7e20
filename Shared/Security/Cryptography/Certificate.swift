import COpenSSL
import Identifiers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One name a certificate is good for (RFC 5280, section 4.2.1.6).
public enum AlternativeName: Sendable, Hashable, CustomStringConvertible {
  /// A host name, perhaps with `*` as its first label.
  case dns(String)
  /// An IPv4 or IPv6 address as text.
  case ip(String)
  case uri(String)

  /// `DNS:localhost`, `IP:127.0.0.1`, `URI:spiffe://…`, as OpenSSL's configuration spells it.
  public var description: String {
    switch self {
    case .dns(let name): "DNS:\(name)"
    case .ip(let address): "IP:\(address)"
    case .uri(let uri): "URI:\(uri)"
    }
  }

  /// Whether its spelling in that configuration cannot be read as something else.
  var isWellFormed: Bool {
    let text = description.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    return !text.isEmpty && text.count <= 255
      && text.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\\") }
  }
}

/// The content of a certificate, for users and checks. It does not say whether the certificate can be trusted.
public struct Certificate: Sendable, Hashable {
  /// The distinguished name of its subject, e.g. `CN=identity,O=Tandem`.
  public let subject: String
  /// The distinguished name of its issuer.
  public let issuer: String
  /// The first moment of its validity.
  public let notBefore: Instant
  /// The last moment of its validity.
  public let notAfter: Instant
  /// The names it is valid for; kinds other than these three are left out.
  public let alternativeNames: [AlternativeName]
  /// Whether it may sign other certificates.
  public let isAuthority: Bool

  /// Reads the first certificate of a PEM text.
  public init(pem: String) throws(OpenSSLError) {
    let read = try withPEMReader(pem) { PEM_read_bio_X509($0, nil, nil, nil) }
    try self.init(owning: try require(read, "reading a certificate"))
  }

  /// Reads a certificate in DER, as a handshake carries it.
  public init(der: [UInt8]) throws(OpenSSLError) {
    let read = der.withUnsafeBufferPointer { bytes in
      var place = bytes.baseAddress
      return d2i_X509(nil, &place, bytes.count)
    }
    try self.init(owning: try require(read, "reading a certificate"))
  }

  private init(owning certificate: OpaquePointer) throws(OpenSSLError) {
    defer { X509_free(certificate) }
    subject = try Self.text(X509_get_subject_name(certificate))
    issuer = try Self.text(X509_get_issuer_name(certificate))
    notBefore = try Self.instant(X509_get0_notBefore(certificate))
    notAfter = try Self.instant(X509_get0_notAfter(certificate))
    alternativeNames = Self.names(of: certificate)
    isAuthority = X509_check_ca(certificate) == 1
  }

  private static func text(_ name: OpaquePointer?) throws(OpenSSLError) -> String {
    let name = try require(name, "reading a certificate's name")
    return try pemText("reading a certificate's name") { writer in
      X509_NAME_print_ex(writer, name, 0, tandem_rfc2253) >= 0 ? 1 : 0
    }
  }

  private static func instant(_ time: UnsafePointer<ASN1_TIME>?) throws(OpenSSLError) -> Instant {
    var parts = tm()
    try require(ASN1_TIME_to_tm(time, &parts), "reading a certificate's time")
    return Instant(microseconds: Int64(timegm(&parts)) * 1_000_000)
  }

  private static func names(of certificate: OpaquePointer) -> [AlternativeName] {
    guard let names = tandem_alternative_names(certificate) else { return [] }
    defer { GENERAL_NAMES_free(names) }
    return (0..<tandem_names_count(names)).compactMap { index in
      var (start, length): (UnsafePointer<UInt8>?, Int32) = (nil, 0)
      let type = tandem_name(names, index, &start, &length)
      let bytes = UnsafeBufferPointer(start: start, count: Int(length))
      return switch type {
      case GEN_DNS: .dns(String(decoding: bytes, as: UTF8.self))
      case GEN_URI: .uri(String(decoding: bytes, as: UTF8.self))
      case GEN_IPADD: address(bytes).map(AlternativeName.ip)
      default: nil
      }
    }
  }

  private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let family = bytes.count == 4 ? AF_INET : bytes.count == 16 ? AF_INET6 : nil
    guard let family else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    return text.withUnsafeMutableBufferPointer { buffer in
      inet_ntop(family, bytes.baseAddress, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
    }
  }
}
