import NIOCore
import TTRPC

extension ClientNetwork {
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
