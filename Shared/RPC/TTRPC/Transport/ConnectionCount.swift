import NIOCore

/// The connections that are open, in all and by where they come from. Pure.
struct ConnectionCount {
  private(set) var total = 0
  private var byNetwork: [ClientNetwork: Int] = [:]

  /// Counts a connection in, or says which limit it would break.
  mutating func admit(_ network: ClientNetwork, _ limits: RPCServer.Limits) -> ServerLimit? {
    guard total < limits.connections else { return .connections }
    let ofNetwork = byNetwork[network, default: 0]
    guard ofNetwork < maxOfNetwork(limits) else { return .connectionsPerAddress }
    total += 1
    byNetwork[network] = ofNetwork + 1
    return nil
  }

  /// A share of what is free, as of places for calls (see ``Principal``), so that there is one left for the next address; unless one address
  /// may have all, for then what comes from it is many clients'.
  private func maxOfNetwork(_ limits: RPCServer.Limits) -> Int {
    guard limits.connectionsPerAddress < limits.connections else { return limits.connectionsPerAddress }
    let share = (limits.connections - total) * limits.sharePercent / 100
    return min(limits.connectionsPerAddress, max(1, share))
  }

  /// Counts a connection out that was admitted.
  mutating func remove(_ network: ClientNetwork) {
    total -= 1
    let rest = byNetwork[network, default: 1] - 1
    byNetwork[network] = rest > 0 ? rest : nil
  }
}

/// Where a client is: its IPv4 address, or the first half of its IPv6 address, as one host may use any second half.
enum ClientNetwork: Hashable, Sendable, CustomStringConvertible {
  case v4(UInt32)
  case v6(UInt64)
  case unknown

  /// As `10.0.0.1`, or the network's part of an IPv6 address as `2001:db8:0:1::/64`.
  var description: String {
    switch self {
    case .v4(let address): Self.parts(of: UInt64(address), 8, first: 24).map { "\($0)" }.joined(separator: ".")
    case .v6(let network):
      Self.parts(of: network, 16, first: 48).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    case .unknown: "unknown"
    }
  }

  /// Four groups of `bits` bits, from the one that is shifted by `first` on.
  private static func parts(of value: UInt64, _ bits: UInt64, first: UInt64) -> [UInt64] {
    stride(from: first, through: 0, by: -Int(bits)).map { value >> $0 & (1 << bits - 1) }
  }

  init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address): self = .v4(UInt32(bigEndian: address.address.sin_addr.s_addr))
    case .v6(let address): self = withUnsafeBytes(of: address.address.sin6_addr) { Self(bytes: $0) }
    default: self = .unknown
    }
  }

  /// The network of an address in text; `nil` when it is none.
  init?(text: String) {
    do { self.init(try SocketAddress(ipAddress: text, port: 0)) } catch { return nil }
  }

  /// An IPv4 client of a port that speaks both comes as `::ffff:a.b.c.d`.
  private init(bytes: UnsafeRawBufferPointer) {
    let first = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    let middle = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    if first == 0, middle == 0xFFFF {
      self = .v4(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
    } else {
      self = .v6(first)
    }
  }
}
