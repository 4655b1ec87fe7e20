import Glibc
import Testing

@testable import TTRPC

/// A blocking socket that sends bytes as they are, and reads only when it is told to.
final class RawSocket {
  struct Frame: Equatable {
    var streamID: UInt32
    var type: UInt8
    var flags: UInt8
    var body: [UInt8]
  }

  private let descriptor: Int32
  private var unread: [UInt8] = []

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0, "errno \(errno)")
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      try #require(count > 0, "errno \(errno)")
      sent += count
    }
  }

  /// Reads frames until one of them is what `isLast` looks for, that one included.
  func readFrames(until isLast: (Frame) -> Bool) throws -> [Frame] {
    var frames: [Frame] = []
    var decoder = FrameDecoder()
    while true {
      let (step, consumed) = unread.withUnsafeBytes { decoder.step($0) }
      if case .frame(let header, let body) = step {
        frames.append(
          Frame(
            streamID: header.streamID, type: header.type.rawValue, flags: header.flags.rawValue,
            body: Array(unread[body])))
      }
      unread.removeFirst(consumed)
      if let frame = frames.last, isLast(frame) { return frames }
      if step == .incomplete { try fill() }
    }
  }

  private func fill() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    try #require(count > 0, "the server closed the connection")
    unread += buffer.prefix(count)
  }

  /// A Request for `echo.v1.Echo` without a payload.
  static func request(stream: UInt32, method: String, flags: UInt8) -> [UInt8] {
    let service = Array("echo.v1.Echo".utf8)
    let body = [0x0A, UInt8(service.count)] + service + [0x12, UInt8(method.utf8.count)] + Array(method.utf8)
    return frame(stream: stream, type: 1, flags: flags, body)
  }

  static func frame(stream: UInt32, type: UInt8, flags: UInt8, _ body: [UInt8]) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: FrameHeader.size)
    header.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      FrameHeader(
        length: UInt32(body.count), streamID: stream, type: FrameType(rawValue: type),
        flags: FrameFlags(rawValue: flags)
      ).write(to: start)
    }
    return header + body
  }
}
