import Glibc
import Reflection

/// Requests pages of a service's admin port by HTTP. Blocks, for a bounded time.
enum AdminPage {
  /// Longer than a readiness check may take before it counts as failed.
  static let timeout = timeval(tv_sec: 3, tv_usec: 0)

  /// The JSON of `/readyz`; `nil` if there is no response.
  static func readiness(host: String, port: Int) -> JSONValue? {
    guard let answer = get("/readyz", host: host, port: port), let start = answer.firstRange(of: "\r\n\r\n") else {
      return nil
    }
    do { return try JSONValue(parsing: answer[start.upperBound...]) } catch { return nil }
  }

  private static func get(_ path: String, host: String, port: Int) -> String? {
    guard let descriptor = connect(host, port) else { return nil }
    defer { close(descriptor) }
    write(
      "GET \(path) HTTP/1.0\r\nHost: \(host)\r\nAccept: application/json\r\nConnection: close\r\n\r\n", to: descriptor)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 1 << 20 {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func connect(_ host: String, _ port: Int) -> CInt? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    var next = found
    while let address = next?.pointee {
      next = address.ai_next
      let descriptor = socket(
        address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), address.ai_protocol)
      guard descriptor >= 0 else { continue }
      var timeout = timeout
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
      }
      if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
      close(descriptor)
    }
    return nil
  }
}
