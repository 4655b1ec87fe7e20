import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds the addresses of a name.
struct NameResolver: Sendable {
  /// All addresses of a host that is not an address itself.
  let resolve: @Sendable (RPCClient.Address, any EventLoop) -> EventLoopFuture<[SocketAddress]>

  /// The system's resolver, on a thread where it may block.
  static let system = NameResolver { address, loop in
    NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try lookUp(address) }
  }

  /// The socket address of a literal `address`; `nil` for a name.
  static func literal(_ address: RPCClient.Address) -> SocketAddress? {
    do { return try SocketAddress(ipAddress: address.host, port: address.port) } catch {
      // It is a name.
      return nil
    }
  }

  private static func lookUp(_ address: RPCClient.Address) throws -> [SocketAddress] {
    var hints = addrinfo()
    // Otherwise every address is returned once for each kind of socket.
    hints.ai_protocol = Int32(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(address.host, String(address.port), &hints, &list)
    guard code == 0, let list else { throw UnresolvedName(reason: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    for entry in sequence(first: list, next: { $0.pointee.ai_next }) {
      guard let place = entry.pointee.ai_addr, let socketAddress = socketAddress(place, host: address.host) else {
        continue
      }
      if !found.contains(socketAddress) { found.append(socketAddress) }
    }
    return found
  }

  private static func socketAddress(_ place: UnsafeMutablePointer<sockaddr>, host: String) -> SocketAddress? {
    let raw = UnsafeRawPointer(place)
    switch Int32(place.pointee.sa_family) {
    case AF_INET: return SocketAddress(raw.loadUnaligned(as: sockaddr_in.self), host: host)
    case AF_INET6: return SocketAddress(raw.loadUnaligned(as: sockaddr_in6.self), host: host)
    default: return nil
    }
  }
}

/// A name that has no address.
struct UnresolvedName: Error, CustomStringConvertible {
  let reason: String
  var description: String { "the name cannot be resolved: \(reason)" }
}
