import Glibc

/// Which servers a client connects to.
public enum AllowedPeers: Sendable, Hashable {
  /// Those with addresses of the internet: a name that leads into this machine or a private network is refused.
  case `public`
  case any
}

/// Addresses of the internet, and others.
enum PublicAddress {
  /// Whether the text is an address that is reachable from everywhere (IANA's registries of special-purpose addresses).
  static func contains(_ text: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { contains(four: Array($0)) } }
    var six = in6_addr()
    // A link-local address may have its interface behind it.
    let plain = String(text.prefix { $0 != "%" })
    guard inet_pton(AF_INET6, plain, &six) == 1 else { return false }
    return withUnsafeBytes(of: six) { contains(six: Array($0)) }
  }

  private static func contains(four bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19),
      (224..., _):
      false
    case (192, 0): bytes[2] != 0 && bytes[2] != 2
    case (198, 51): bytes[2] != 100
    case (203, 0): bytes[2] != 113
    default: true
    }
  }

  private static func contains(six bytes: [UInt8]) -> Bool {
    if bytes[..<12].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
      || bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
    {
      // An address of the other kind, mapped or translated.
      return contains(four: Array(bytes[12...]))
    }
    // Only 2000::/3 is assigned; of it 6to4 leads to addresses of the other kind, and 2001:db8::/32 nowhere.
    guard bytes[0] & 0xE0 == 0x20, !(bytes[0] == 0x20 && bytes[1] == 0x02) else { return false }
    return !bytes[..<4].elementsEqual([0x20, 0x01, 0x0D, 0xB8])
  }
}
