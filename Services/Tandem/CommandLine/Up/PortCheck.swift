import Glibc
import ServiceRuntime

/// Whether the suite's ports are free, before anything is started.
enum PortCheck {
  /// - Throws: one error that names every taken port and the process that has it.
  static func require(_ ports: Ports, withDatabase: Bool) throws(Complaint) {
    let taken = ports.all(withDatabase: withDatabase).filter { !isFree($0.port) }
    guard !taken.isEmpty else { return }
    let lines = taken.map { owner, port in
      "port \(port) (\(owner)) is taken by \(PortHolder.of(port: port)?.description ?? "a process that is not yours to see")"
    }
    throw Complaint(
      lines.joined(separator: "\n") + "\nstop what holds them, or shift all of the suite's ports: "
        + "tandem up --port-offset \(freeOffset(ports, withDatabase))")
  }

  /// Whether a server could listen on the port now.
  static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return result == 0
  }

  private static func freeOffset(_ ports: Ports, _ withDatabase: Bool) -> Int {
    let offsets = stride(from: ports.offset + 100, through: 50_000, by: 100)
    return offsets.first { offset in
      Ports(offset: offset).all(withDatabase: withDatabase).allSatisfy { isFree($0.port) }
    } ?? ports.offset + 100
  }
}
