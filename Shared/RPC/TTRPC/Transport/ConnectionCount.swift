import NIOCore

/// Counts the open connections, in all and by network. A state machine without I/O.
struct ConnectionCount {
  private(set) var total = 0
  private var byNetwork: [ClientNetwork: Int] = [:]

  /// Counts a new connection, or returns the limit that it would exceed.
  mutating func admit(_ network: ClientNetwork, _ limits: RPCServer.Limits) -> ServerLimit? {
    guard total < limits.connections else { return .connections }
    let ofNetwork = byNetwork[network, default: 0]
    guard ofNetwork < maxOfNetwork(limits) else { return .connectionsPerAddress }
    total += 1
    byNetwork[network] = ofNetwork + 1
    return nil
  }

  /// A share of what is free, as of places for calls (see ``Principal``), so that there is one left for the next
  /// address; unless one address may have all, since its connections are then those of many clients.
  private func maxOfNetwork(_ limits: RPCServer.Limits) -> Int {
    guard limits.connectionsPerAddress < limits.connections else { return limits.connectionsPerAddress }
    let share = (limits.connections - total) * limits.sharePercent / 100
    return min(limits.connectionsPerAddress, max(1, share))
  }

  /// Removes an admitted connection from the count.
  mutating func remove(_ network: ClientNetwork) {
    total -= 1
    let rest = byNetwork[network, default: 1] - 1
    byNetwork[network] = rest > 0 ? rest : nil
  }
}

/// The network of a client: its IPv4 address, or the first half of its IPv6 address, as one host may use any second
/// half.
enum ClientNetwork: Hashable, Sendable, CustomStringConvertible {
  case v4(UInt32)
  case v6(UInt64)
  case unknown

  /// Text such as `10.0.0.1`, or the prefix of an IPv6 address, such as `2001:db8:0:1::/64`.
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

  /// The network of an address in text; `nil` when it is not an address.
  init?(text: String) {
    do { self.init(try SocketAddress(ipAddress: text, port: 0)) } catch { return nil }
  }

  /// The address of an IPv4 client at a port that serves both is `::ffff:a.b.c.d`.
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
