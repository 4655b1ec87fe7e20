import Base64

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The network that counts as one client ([ID-10]): an IPv4 address, or the 64-bit prefix of an IPv6 address, since a
/// provider assigns that to one customer, who may take any address within it.
public struct ClientNetwork: Sendable, Hashable, CustomStringConvertible {
  /// The address or prefix as text, such as `192.0.2.7` or `20010db800000000/64`.
  public let description: String

  private static let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  /// Whether a text is an IPv4 or an IPv6 address.
  public static func isAddress(_ text: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
  }

  /// The network of a peer's address; a text that is not an address stands for itself.
  public init(address: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    // A zone, such as that of fe80::1%eth0, names the local interface and is no part of the peer's address.
    let host = address.prefix { $0 != "%" }
    guard inet_pton(AF_INET6, String(host), &bytes) == 1 else {
      description = address
      return
    }
    if bytes.starts(with: Self.mapped) {
      description = bytes.suffix(4).map { "\($0)" }.joined(separator: ".")
    } else {
      description = bytes.prefix(8).hexadecimal + "/64"
    }
  }
}
