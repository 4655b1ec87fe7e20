import EchoV1
import GatewayHTTP
import Glibc
import Logging
import LoopExecutor
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ServiceRuntime
@testable import TTRPC
@testable import Telemetry

@Suite("Sockets", .ownThreads, .timeLimit(.minutes(5)))
struct SocketOptionTests {
  /// The socket of this process, in any library, that is connected from one port to another.
  private func descriptor(from own: Int, to peer: Int) throws -> Int32 {
    let most = Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
    let found = (0..<min(most, 65_536)).first {
      RawSocket.port($0, getsockname) == own && RawSocket.port($0, getpeername) == peer
    }
    guard let found else { throw NoSuchSocket() }
    return found
  }

  /// No socket of this process has the other end.
  private struct NoSuchSocket: Error {}

  private func option(_ level: Int32, _ name: Int32, of descriptor: Int32) -> Int32 {
    var value: Int32 = -1
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, level, name, &value, &length) == 0 ? value : -1
  }

  /// Expects the system to find out within two minutes that a silent peer is gone.
  private func expectLookedAfter(_ descriptor: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(option(SOL_SOCKET, SO_KEEPALIVE, of: descriptor) == 1, sourceLocation: sourceLocation)
    let times = [TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT].map { option(Int32(IPPROTO_TCP), $0, of: descriptor) }
    #expect(times == [60, 10, 6], sourceLocation: sourceLocation)
    #expect(
      option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, of: descriptor) == 30_000, sourceLocation: sourceLocation)
  }

  @Test("a server sends without delay, and has the system find out within two minutes that a silent client is gone")
  func server() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Unary"))
      _ = try socket.readFrames { $0.streamID == 1 }
      let accepted = try descriptor(from: fixture.port, to: socket.ownPort)
      #expect(option(Int32(IPPROTO_TCP), TCP_NODELAY, of: accepted) == 1)
      expectLookedAfter(accepted)
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
      expectLookedAfter(connected)
      call.cancel()
      _ = await call.result
    }
  }

  @Test("29 B3: the gateway has the system look after its clients' connections")
  func gateway() async throws {
    let group = LoopGroup(threads: 1)
    let port = HTTPPort(
      security: .plaintext, limits: HTTPLimits(), group: group, takesSocket: { _ in false },
      respond: { _ in Unasked() })
    let bound = try #require(try await port.listen(host: "127.0.0.1", port: 0)?.port)
    let socket = try RawSocket(port: bound)
    expectLookedAfter(try await accepted(from: bound, to: socket.ownPort))
    await port.drain(grace: .zero)
    try await group.shutdown()
  }

  @Test("29 B3: the admin server has the system look after its clients' connections")
  func admin() async throws {
    let server = try await AdminServer.start(
      on: HostPort(host: "127.0.0.1", port: 0), group: MultiThreadedEventLoopGroup.singleton,
      readiness: Readiness(timeout: .milliseconds(50)), registry: PrometheusRegistry(), logger: Logger(label: "admin"))
    let socket = try RawSocket(port: server.address.port)
    expectLookedAfter(try await accepted(from: server.address.port, to: socket.ownPort))
    await server.close()
  }

  @Test("29 B3: the connection to a collector of traces is looked after by the system")
  func collector() async throws {
    let listener = try RawListener()
    let request = try CollectorRequest(
      address: try #require(CollectorAddress("http://127.0.0.1:\(listener.port)/v1/traces")), headers: [],
      group: MultiThreadedEventLoopGroup.singleton, timeout: .seconds(10))
    let post = Task { try await request.post([]) }
    let accepted = try listener.accept()
    expectLookedAfter(try descriptor(from: accepted.peerPort, to: listener.port))
    post.cancel()
    _ = await post.result
  }

  /// The descriptor of a connection that this process is about to accept, once the last of its options is set.
  private func accepted(from own: Int, to peer: Int) async throws -> Int32 {
    try await eventually("the connection is accepted, and has its options") {
      guard let found = try? descriptor(from: own, to: peer) else { return nil }
      return option(Int32(IPPROTO_TCP), TCP_KEEPCNT, of: found) == 6 ? found : nil
    }
  }
}

/// The responder of requests that do not come.
private final class Unasked: Responder {
  func receive(_ bytes: ByteBuffer) {}
  func receiveEnd() {}
  func leave() {}
  func becameWritable() {}
}
