import EchoV1
import Glibc
import TestSupport
import Testing

@testable import TTRPC

@Suite("Sockets", .ownThreads, .timeLimit(.minutes(5)))
struct SocketOptionTests {
  /// The socket of this process, in any library, that is connected from one port to another.
  private func descriptor(from own: Int, to peer: Int) throws -> Int32 {
    let most = Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
    let found = (0..<min(most, 65_536)).first {
      RawSocket.port($0, getsockname) == own && RawSocket.port($0, getpeername) == peer
    }
    return try #require(found, "nobody in this process has the other end")
  }

  private func option(_ level: Int32, _ name: Int32, of descriptor: Int32) -> Int32 {
    var value: Int32 = -1
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, level, name, &value, &length) == 0 ? value : -1
  }

  @Test("a server sends without delay, and has the system find out within two minutes that a silent client is gone")
  func server() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Unary"))
      _ = try socket.readFrames { $0.streamID == 1 }
      let accepted = try descriptor(from: fixture.port, to: socket.ownPort)
      #expect(option(Int32(IPPROTO_TCP), TCP_NODELAY, of: accepted) == 1)
      #expect(option(SOL_SOCKET, SO_KEEPALIVE, of: accepted) == 1)
      let times = [TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT].map { option(Int32(IPPROTO_TCP), $0, of: accepted) }
      #expect(times == [60, 10, 6])
      #expect(option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, of: accepted) == 30_000)
    }
  }

  @Test("a client sends without delay, and has the system look after its connection")
  func client() async throws {
    try await ClientFixture.run { fixture in
      let listener = try RawListener()
      let client = fixture.client([.init(host: "127.0.0.1", port: listener.port)])
      let call = Task { try await client.ask() }
      let accepted = try listener.accept()
      let connected = try descriptor(from: accepted.peerPort, to: listener.port)
      #expect(option(Int32(IPPROTO_TCP), TCP_NODELAY, of: connected) == 1)
      #expect(option(SOL_SOCKET, SO_KEEPALIVE, of: connected) == 1)
      #expect(option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, of: connected) == 30_000)
      call.cancel()
      _ = await call.result
    }
  }
}
