/// The name of a service in its certificate: one URI, `spiffe://tandem/NAME` (SPIFFE X.509-SVID, section 2).
///
/// A host name does not name a service: the operator of any host may get a certificate for it.
public enum ServiceIdentity {
  /// The trust domain, and what comes before the name.
  private static let prefix = "spiffe://tandem/"

  /// The alternative name to put into the certificate of the service `name`.
  public static func name(of service: String) -> AlternativeName {
    .uri(prefix + service)
  }

  /// The service whose certificate this is; `nil` when it is not a service's.
  ///
  /// Does not say whether the certificate can be trusted. One with several URIs names no service, as SPIFFE demands.
  public static func service(of certificate: Certificate) -> String? {
    let uris = certificate.alternativeNames.compactMap { name -> String? in
      guard case .uri(let uri) = name else { return nil }
      return uri
    }
    guard uris.count == 1, let uri = uris.first, uri.hasPrefix(prefix) else { return nil }
    let name = uri.dropFirst(prefix.count)
    return isName(name) ? String(name) : nil
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 63
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
