import EchoV1
import LoopExecutor
import Logging
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCServer

@Suite("What is left of calls and connections", .ownThreads, .timeLimit(.minutes(5)))
struct ConnectionLifetimeTests {
  @Test("a server's connection that closes without having been active is not kept")
  func server() throws {
    weak var handler: (any ChannelInboundHandler)?
    do {
      let loop = EmbeddedEventLoop()
      let connection = RPCServer.connection(
        answering: Router(), limits: .init(), on: LoopExecutor(loop: loop, index: 0), logger: Logger(label: "test"))
      handler = connection
      let channel = EmbeddedChannel(handler: connection, loop: loop)
      _ = try channel.finish(acceptAlreadyClosed: true)
    }
    #expect(handler == nil)
  }

  /// The state that a server holds for its clients.
  private struct Kept: Equatable {
    var connections = 0
    var streams = 0
    var callsOfConnections = 0
    var calls = 0
    var bytes = 0
  }

  private func kept(_ server: RPCServer) async throws -> Kept {
    var kept = Kept(calls: server.load.callsAtWork, bytes: server.load.bytes.bytes)
    for loop in server.loops {
      let (connections, streams, calls) = try await loop.executor.loop.submit {
        let all = loop.connections.values
        return (all.count, all.map(\.streams.count).reduce(0, +), all.map(\.callsAtWork).reduce(0, +))
      }.get()
      kept.connections += connections
      kept.streams += streams
      kept.callsOfConnections += calls
    }
    return kept
  }

  /// More than a connection may hold beside the budget of all.
  private static let long = String(repeating: "x", count: 100_000)

  private func service() -> ScriptedEcho {
    var service = ScriptedEcho { request, _ in
      if request.value == "wait" { await waitForCancellation() }
      if request.value == "big" { return Msg(value: String(repeating: "x", count: 1_000_000)) }
      if request.value == "fail" { throw Status(.failedPrecondition, "as asked") }
      return request
    }
    service.collecting = { requests, _ in
      await waitForCancellation()
      for try await _ in requests {}
      return Msg()
    }
    return service
  }

  /// One call for each way in which a call ends, and each kind of it.
  private func callInEveryWay(_ echo: EchoClient) async throws {
    let hurried = CallOptions(timeout: .milliseconds(20))
    for text in [Self.long, ""] {
      _ = try await echo.unary(Msg(value: text))
      try await echo.expand(Msg(value: text)) { responses in for try await _ in responses {} }
      try await echo.expand(Msg(value: text)) { responses in for try await _ in responses { break } }
      try await echo.chat { writer, responses in
        try await writer.send(Msg(value: text))
        writer.finish()
        for try await _ in responses {}
      }
      await #expect(throws: Status.self) {
        try await echo.collect(hurried) { writer in try await writer.send(Msg(value: text)) }
      }
      await #expect(throws: Status.self) { try await echo.expandFail(Msg(value: text)) { for try await _ in $0 {} } }
    }
    await #expect(throws: Status.self) { try await echo.unary(Msg(value: "fail")) }
    await #expect(throws: Status.self) { try await echo.unary(Msg(value: "wait"), hurried) }
    let left = Task { try await echo.chat { _, responses in for try await _ in responses {} } }
    left.cancel()
    _ = await left.result
  }

  /// What only a hostile client sends; the connections are closed when this returns, and their calls were running.
  private func misbehave(_ port: Int) throws {
    let long = Msg(value: Self.long).serialized()
    let running =
      RawSocket.request(stream: 1, method: "Unary", text: "wait")
      + RawSocket.request(stream: 3, method: "Chat", flags: 2)
      + RawSocket.request(stream: 5, method: "Collect", flags: 2) + RawSocket.frame(stream: 5, type: 3, flags: 0, long)
      + RawSocket.request(stream: 7, method: "Missing")
    for ending in [[], RawSocket.header(stream: 9, length: 3_000_000) + long, [0, 0]] {
      for isReset in [false, true] {
        let socket = try RawSocket(port: port)
        if isReset { socket.resetAtEnd() }
        try socket.send(running + ending)
        _ = try socket.readFrames { $0.streamID == 7 }
      }
    }
    // Takes the first of its answers, and leaves while the others wait for it.
    let deaf = try RawSocket(port: port, receiveBuffer: 4_096)
    deaf.resetAtEnd()
    try deaf.send((0..<9).flatMap { RawSocket.request(stream: $0 * 2 + 1, method: "Unary", text: "big") })
    _ = try deaf.readFrames { $0.streamID == 1 }
    let mistaken = try RawSocket(port: port)
    try mistaken.send(running + RawSocket.frame(stream: 1, type: 3, flags: 0, long))
    _ = try mistaken.readFrames { $0.streamID == 1 }
  }

  @Test("however calls and connections end, nothing of them is kept: no stream, no place among the calls, no byte")
  func everythingIsGivenBack() async throws {
    try await EchoFixture.run(service()) { fixture in
      for _ in 0..<3 {
        try await callInEveryWay(fixture.echo)
        try misbehave(fixture.port)
      }
      var left = Kept()
      // The client's own connection stays.
      let isLeft = try await eventually {
        left = try await kept(fixture.server)
        return left == Kept(connections: 1)
      }
      #expect(isLeft, "\(left)")
      await fixture.client.close()
      #expect(try await eventually { try await kept(fixture.server) == Kept() })
    }
  }
}
