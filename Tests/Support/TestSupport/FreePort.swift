import Glibc
import Synchronization

/// Ports of the loopback for servers that tests stop and start again.
///
/// They are below those that the system assigns to outgoing connections and to servers that listen on port 0: while such a server is down,
/// no other process gets its port, nor does a client that tries to reach it connect to itself. Those from 22,000 on are for whole suites
/// (`tandem up`).
public enum FreePort {
  private static let range = 10_000..<22_000
  private static let taken = Mutex<Set<Int>>([])

  /// A port that nothing listens on, and that this process was not given before.
  public static func take() throws -> Int {
    for _ in 0..<1_000 {
      let port = Int.random(in: range)
      if isFree(port), taken.withLock({ $0.insert(port).inserted }) { return port }
    }
    throw ClusterError("no free port from \(range.lowerBound) to \(range.upperBound - 1)")
  }

  private static func isFree(_ port: Int) -> Bool {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
