import EchoV1
import Glibc
import ProtobufC
import TTRPCWire
import Testing

@testable import TTRPC
@testable import TTRPCFrames

/// A blocking socket that sends bytes as they are, and reads only on demand.
final class RawSocket {
  struct Frame: Equatable {
    var streamID: UInt32
    var type: UInt8
    var flags: UInt8
    var body: [UInt8]

    init(_ header: FrameHeader, _ body: [UInt8]) {
      (streamID, type, flags, self.body) = (header.streamID, header.type.rawValue, header.flags.rawValue, body)
    }
  }

  private let descriptor: Int32
  private var unread: [UInt8] = []
  private var lastStream: UInt32 = 0

  /// The next id that a client may use, above every one that this gave before.
  func takeStream() -> UInt32 {
    lastStream += lastStream == 0 ? 1 : 2
    return lastStream
  }

  /// A socket that is connected already.
  fileprivate init(connected descriptor: Int32) {
    self.descriptor = descriptor
    Self.limitPatience(descriptor)
  }

  /// - Parameters:
  ///   - host: the last byte of the loopback address that it connects from.
  ///   - receiveBuffer: bytes that the system is to keep for it, about; `nil` leaves that to the system.
  init(port: Int, from host: UInt8 = 1, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    Self.limitPatience(descriptor)
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    if host != 1 {
      let bound = Self.withAddress(host, port: 0) { bind(descriptor, $0, $1) }
      try #require(bound == 0, "errno \(errno)")
    }
    let connected = Self.withAddress(1, port: port) { connect(descriptor, $0, $1) }
    try #require(connected == 0, "errno \(errno)")
  }

  /// Longer than any server here may take; a test that waits in vain fails instead of hanging.
  fileprivate static func limitPatience(_ descriptor: Int32) {
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The port of its own end.
  var ownPort: Int { Self.port(descriptor, getsockname) }
  /// The port of the other end.
  var peerPort: Int { Self.port(descriptor, getpeername) }

  /// The port that `look` finds; 0 if there is none.
  static func port(
    _ descriptor: Int32, _ look: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { look(descriptor, $0, &length) }
    }
    return found == 0 && address.sin_family == sa_family_t(AF_INET) ? Int(UInt16(bigEndian: address.sin_port)) : 0
  }

  fileprivate static func withAddress(
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

  /// Has the connection reset rather than closed when the socket is let go.
  func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Closes the sending side.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    try #require(trySend(bytes), "errno \(errno)")
  }

  /// Sends everything; fails if the connection is closed.
  func trySend(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends the same on every socket, as much of it as the server takes: done when it has taken no more for a while.
  ///
  /// - Returns: how much of it was taken on each.
  @discardableResult
  static func sendWhatIsTaken(_ bytes: [UInt8], on sockets: [RawSocket]) async throws -> [Int] {
    var sent = [Int](repeating: 0, count: sockets.count)
    var vainRounds = 0
    while vainRounds < 20 {
      var progress = 0
      for (index, socket) in sockets.enumerated() where sent[index] < bytes.count {
        let count = bytes[sent[index]...].withUnsafeBytes {
          Glibc.send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        let failure = errno
        try #require(count > 0 || failure == EAGAIN, "errno \(failure)")
        sent[index] += max(0, count)
        progress += max(0, count)
      }
      if sent.allSatisfy({ $0 == bytes.count }) { return sent }
      vainRounds = progress == 0 ? vainRounds + 1 : 0
      // The server may be about to read more. After twenty such looks it has stopped; should it go on, less was sent than could be.
      if progress == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
    return sent
  }

  /// A frame that is passed over, so long that the server reads as much at a time as it ever does, then frames of ten bytes that belong to no
  /// call: each is refused, in ten times as many bytes.
  static func framesOfNoCall(_ count: Int) -> [UInt8] {
    let refused = frame(stream: 1, type: 3, flags: 0, [])
    return passedOver + [[UInt8]](repeating: refused, count: count).flatMap(\.self)
  }

  static let passedOver = frame(stream: 1, type: 9, flags: 0, [UInt8](repeating: 0, count: 500_000))

  /// Waits until there is something to read, or the end.
  func waitForInput() async throws {
    var look = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A blocking poll would hold a thread that tasks need; a look each millisecond does not.
    while poll(&look, 1, 0) == 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Reads frames until one of them is what `isLast` looks for, that one included.
  func readFrames(until isLast: (Frame) -> Bool) throws -> [Frame] {
    var frames: [Frame] = []
    var decoder = FrameDecoder()
    while true {
      let (step, consumed) = unread.withUnsafeBytes { decoder.step($0) }
      if case .frame(let header, let body) = step {
        frames.append(Frame(header, Array(unread[body])))
      }
      unread.removeFirst(consumed)
      if let frame = frames.last, isLast(frame) { return frames }
      if step == .incomplete { try fill() }
    }
  }

  /// Reads until that many calls have ended.
  func readCalls(_ count: Int) throws -> [Frame] {
    try (0..<count).flatMap { _ in try readFrames { $0.type == 2 || $0.flags == 5 } }
  }

  /// Reads and drops what comes until the server has closed the connection.
  func waitForEnd() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var count = 0
    repeat { count = recv(descriptor, &buffer, buffer.count, 0) } while count > 0
    try #require(count == 0 || errno == ECONNRESET, "errno \(errno)")
  }

  /// The frames that come until the server has closed its side, which it must do in good order.
  func readToEnd() throws -> [Frame] {
    var frames: [Frame] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      try #require(count >= 0, "errno \(errno)")
      guard count > 0 else { return frames }
      unread += buffer.prefix(count)
      frames += Self.takeFrames(&unread)
    }
  }

  /// Takes the whole frames off the front of `bytes`.
  static func takeFrames(_ bytes: inout [UInt8]) -> [Frame] {
    var frames: [Frame] = []
    var decoder = FrameDecoder()
    while case (.frame(let header, let body), let consumed) = bytes.withUnsafeBytes({ decoder.step($0) }) {
      frames.append(Frame(header, Array(bytes[body])))
      bytes.removeFirst(consumed)
    }
    return frames
  }

  private func fill() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    try #require(count > 0, "\(count == 0 ? "the server closed the connection" : "errno \(errno)")")
    unread += buffer.prefix(count)
  }

  /// A Request for `echo.v1.Echo`, without a payload or with a message of `text`.
  static func request(stream: UInt32, method: String, flags: UInt8 = 0, text: String? = nil) -> [UInt8] {
    self.request(
      stream: stream, service: "echo.v1.Echo", method: method, flags: flags,
      payload: text.map { Msg(value: $0).serialized() } ?? [])
  }

  /// A Request for any service.
  static func request(
    stream: UInt32, service: String, method: String, flags: UInt8 = 0, payload: [UInt8] = []
  ) -> [UInt8] {
    let request = TTRPCWire.Request(service: service, method: method, payload: payload)
    return frame(stream: stream, type: 1, flags: flags, request.serialized())
  }

  /// The header of a Request whose body is still to come.
  static func header(stream: UInt32, type: UInt8 = 1, length: Int) -> [UInt8] {
    Array(frame(stream: stream, type: type, flags: 0, [], length: length))
  }

  /// The status that a Response carries.
  static func status(_ frame: Frame) throws -> Status {
    let response = try TTRPCWire.Response(serialized: frame.body)
    return Status(wire: try #require(response.status))
  }

  static func frame(stream: UInt32, type: UInt8, flags: UInt8, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: FrameHeader.size)
    header.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      FrameHeader(
        length: UInt32(length ?? body.count), streamID: stream, type: FrameType(rawValue: type),
        flags: FrameFlags(rawValue: flags)
      ).write(to: start)
    }
    return header + body
  }
}

/// A port where a test itself is the server, frame by frame.
final class RawListener {
  private let descriptor: Int32

  /// Listens on a free port of the loopback address.
  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    RawSocket.limitPatience(descriptor)
    let bound = RawSocket.withAddress(1, port: 0) { bind(descriptor, $0, $1) }
    try #require(bound == 0 && listen(descriptor, 16) == 0, "errno \(errno)")
  }

  deinit { close(descriptor) }

  var port: Int { RawSocket.port(descriptor, getsockname) }

  /// The next client; waits for it.
  func accept() throws -> RawSocket {
    let connected = Glibc.accept(descriptor, nil, nil)
    try #require(connected >= 0, "errno \(errno)")
    return RawSocket(connected: connected)
  }
}
