import NIOSSL

/// The name that a server's certificate must have.
///
/// NIOSSL accepts the name or the address: a server whose certificate is for the address that was connected to, as
/// those for loopback are, could have any other name. Here the name alone counts.
enum ServerName {
  /// Whether one of the certificate's alternative names is `name` (RFC 6125): compared without case, or with `*` as the
  /// whole first label.
  static func isCarried(_ name: String, by certificate: NIOSSLCertificate) -> Bool {
    let wanted = labels(name.utf8)
    return certificate._subjectAlternativeNames().contains { carried in
      carried.nameType == .dnsName && isMatch(labels(carried.contents), wanted)
    }
  }

  private static func isMatch(_ carried: [[UInt8]], _ wanted: [[UInt8]]) -> Bool {
    guard carried.count == wanted.count, carried.dropFirst() == wanted.dropFirst() else { return false }
    // A star matches exactly one label, and never every domain of a top-level domain.
    return carried[0] == wanted[0] || carried[0] == [UInt8(ascii: "*")] && carried.count > 2
  }

  /// The labels in lower case, without the dot that a name may end with.
  private static func labels(_ name: some Sequence<UInt8>) -> [[UInt8]] {
    var labels = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
    if labels.count > 1, labels.last == [] { labels.removeLast() }
    return labels
  }
}
