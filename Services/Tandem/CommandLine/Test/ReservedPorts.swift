import Glibc

/// Ports of loopback that the system chose, and gives to no other process while this object lives.
///
/// They are bound and never listened on. Linux lets another socket have the same address as long as both permit that and neither
/// listens yet (socket(7), SO_REUSEADDR), as every server of the suite does.
final class ReservedPorts {
  let numbers: [Int]
  private let sockets: [CInt]

  init(_ count: Int) throws(Complaint) {
    var (sockets, numbers): ([CInt], [Int]) = ([], [])
    for _ in 0..<count {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      sockets.append(descriptor)
      guard descriptor >= 0, let number = Self.bind(descriptor) else {
        let reason = systemMessage()
        for socket in sockets where socket >= 0 { close(socket) }
        throw Complaint("no free port was found: \(reason)")
      }
      numbers.append(number)
    }
    (self.sockets, self.numbers) = (sockets, numbers)
  }

  deinit { for socket in sockets { close(socket) } }

  /// The port that the system chose; `nil` where it has none.
  private static func bind(_ descriptor: CInt) -> Int? {
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    return isBound ? Int(in_port_t(bigEndian: address.sin_port)) : nil
  }
}
