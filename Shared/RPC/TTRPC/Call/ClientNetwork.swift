/// The network of a client: its IPv4 address, or the first half of its IPv6 address, as one host may use any second
/// half.
package enum ClientNetwork: Hashable, Sendable, CustomStringConvertible {
  case v4(UInt32)
  case v6(UInt64)
  /// The first 48 bits of IPv6 addresses, which is the most that one customer is assigned.
  case v6Site(UInt64)
  case unknown

  /// The site of an IPv6 network, which counts as one client too; `nil` for every other.
  package var site: ClientNetwork? {
    if case .v6(let network) = self, !isLoopback { .v6Site(network >> 16) } else { nil }
  }

  /// Whether it is this machine itself: the clients of a proxy there cannot be told apart.
  package var isLoopback: Bool {
    switch self {
    case .v4(let address): address >> 24 == 127
    case .v6(let network): network == 0
    case .v6Site, .unknown: false
    }
  }

  /// Text such as `10.0.0.1`, or the prefix of an IPv6 address, such as `2001:db8:0:1::/64`.
  package var description: String {
    switch self {
    case .v4(let address): Self.parts(of: UInt64(address), 8, first: 24).map { "\($0)" }.joined(separator: ".")
    case .v6(let network):
      Self.parts(of: network, 16, first: 48).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    case .v6Site(let site):
      Self.parts(of: site, 16, first: 32).map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    case .unknown: "unknown"
    }
  }

  /// Groups of `bits` bits, from the one that is shifted by `first` on.
  private static func parts(of value: UInt64, _ bits: UInt64, first: UInt64) -> [UInt64] {
    stride(from: first, through: 0, by: -Int(bits)).map { value >> $0 & (1 << bits - 1) }
  }
}
