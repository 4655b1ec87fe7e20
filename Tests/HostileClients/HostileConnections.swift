import Glibc

/// Connections from one loopback address that accept what a server sends and never do what it waits for. For tests and for soak runs; not
/// thread-safe.
public final class HostileConnections {
  private var descriptors: [Int32] = []
  /// What of each connection's bytes the server has not taken yet.
  private var unsent: [ArraySlice<UInt8>] = []
  private var waste = [UInt8](repeating: 0, count: 1 << 16)

  /// The connections could not be had.
  public struct Failure: Error, CustomStringConvertible {
    /// What the system said.
    public let description: String
  }

  /// Connects.
  ///
  /// - Parameters:
  ///   - port: of 127.0.0.1.
  ///   - host: the last byte of the loopback address that they come from.
  ///   - receiveBuffer: bytes that the system is to keep for each, about; `nil` leaves that to the system.
  public init(_ count: Int, to port: Int, from host: UInt8, receiveBuffer: Int32? = nil) throws(Failure) {
    for _ in 0..<count {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      descriptors.append(descriptor)
      if var receiveBuffer {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
      }
      let bound = Self.withAddress(host, port: 0) { bind(descriptor, $0, $1) }
      let connected = bound == 0 ? Self.withAddress(1, port: port) { connect(descriptor, $0, $1) } : -1
      guard connected == 0 else { throw Failure(description: "no connection: errno \(errno)") }
    }
    unsent = Array(repeating: [], count: count)
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Resets the connections, rather than closing them in order, when they are let go.
  public func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    for descriptor in descriptors {
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
  }

  /// Has the same sent on every connection, by ``push(reading:)``.
  public func add(_ bytes: [UInt8]) {
    for index in unsent.indices { unsent[index] += bytes }
  }

  /// What becomes of the answers.
  public enum Reading {
    /// They are read and thrown away.
    case drops
    /// They are left where they are.
    case never
  }

  /// Sends what the server takes at once.
  ///
  /// - Returns: how many bytes went one way or the other; 0 when the server takes nothing now, or has all.
  @discardableResult
  public func push(_ reading: Reading) -> Int {
    var moved = 0
    for (index, descriptor) in descriptors.enumerated() {
      let sent = unsent[index].withUnsafeBytes {
        $0.isEmpty ? 0 : send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if sent > 0 { unsent[index] = unsent[index].dropFirst(sent) }
      moved += max(0, sent)
      guard reading == .drops else { continue }
      while case let count = recv(descriptor, &waste, waste.count, Int32(MSG_DONTWAIT)), count > 0 { moved += count }
    }
    return moved
  }

  /// Whether the server has taken everything.
  public var hasSentAll: Bool { unsent.allSatisfy(\.isEmpty) }

  private static func withAddress(
    _ host: UInt8, port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: (0x7F00_0000 | UInt32(host)).bigEndian)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// Frames written by hand, as the regular client cannot send hostile ones.
public enum HostileFrames {
  /// The Request that begins a call.
  ///
  /// - Parameters:
  ///   - method: `package.Service/Method`.
  ///   - opens: whether the client says that messages follow.
  ///   - timeout: nanoseconds, 0 for none.
  public static func call(
    _ method: String, stream: UInt32, opens: Bool = false, payload: [UInt8] = [], timeout: Int64 = 0
  ) -> [UInt8] {
    let parts = method.split(separator: "/")
    var body = field(1, Array(parts[0].utf8)) + field(2, Array(parts[1].utf8))
    if !payload.isEmpty { body += field(3, payload) }
    if timeout != 0 { body += [4 << 3] + varint(UInt64(bitPattern: timeout)) }
    return header(length: body.count, stream: stream, type: 1, flags: opens ? 6 : 0) + body
  }

  /// Calls of one method on one connection, all of them left open.
  public static func calls(
    _ count: Int, of method: String, opens: Bool = false, payload: [UInt8] = [], timeout: Int64 = 0
  ) -> [UInt8] {
    (0..<count).flatMap {
      call(method, stream: UInt32($0 * 2 + 1), opens: opens, payload: payload, timeout: timeout)
    }
  }

  /// A request of which the end does not come: `sent` bytes of a frame of `length`.
  public static func unfinished(_ length: Int, sent: Int, stream: UInt32 = 1) -> [UInt8] {
    header(length: length, stream: stream, type: 1, flags: 0) + [UInt8](repeating: 0, count: sent)
  }

  private static func header(length: Int, stream: UInt32, type: UInt8, flags: UInt8) -> [UInt8] {
    [UInt32(length), stream].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
      + [type, flags]
  }

  /// A length-delimited field of a message.
  public static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    [number << 3 | 2] + varint(UInt64(content.count)) + content
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
