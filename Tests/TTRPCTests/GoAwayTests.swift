import Dispatch
import EchoV1
import Logging
import LoopExecutor
import NIOCore
import NIOEmbedded
import ProtobufC
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCFrames
@testable import TTRPCServer

@Suite("The notice that a server stops", .ownThreads, .timeLimit(.minutes(5)))
struct GoAwayTests {
  private func limits(noticeTime: Duration) -> RPCServer.Limits {
    var limits = RPCServer.Limits()
    limits.noticeTime = noticeTime
    // Even on a busy machine no client here is too slow.
    limits.writeTime = .hours(1)
    return limits
  }

  private func isRefusal(_ frame: RawSocket.Frame) throws -> Bool {
    let status = try RawSocket.status(frame)
    return status.code == .unavailable && status.errorInfo?.reason == "DRAINING" && status.retryAfter != nil
  }

  @Test("an idle client is told at once, and every call that it makes all the same is refused as one not begun")
  func idleClient() async throws {
    try await EchoFixture.run(ScriptedEcho(), limits: limits(noticeTime: .seconds(3_600)), grace: .seconds(3_600)) {
      fixture in
      var socket: RawSocket? = try RawSocket(port: fixture.port)
      try socket?.send(RawSocket.request(stream: 1, method: "Unary", text: "served"))
      _ = try socket?.readFrames { $0.streamID == 1 }
      async let stopped: Void = fixture.server.stop()
      try await socket?.waitForInput()
      let notice = try #require(try socket?.readFrames { _ in true }.last)
      #expect(notice.streamID == 0)
      #expect(try isRefusal(notice))
      for stream: UInt32 in [3, 5, 7] {
        try socket?.send(RawSocket.request(stream: stream, method: "Unary", text: "late"))
        let answer = try #require(try socket?.readFrames { $0.streamID == stream }.last)
        #expect(try isRefusal(answer))
      }
      // Once the client is gone, the server has nothing to wait for.
      socket = nil
      await stopped
    }
  }

  @Test(
    "calls that the server has not read while an answer is not taken are answered, and nothing is cut off by a reset")
  func unreadCalls() async throws {
    let length = 4_000_000
    let called = Atomic(0)
    let service = ScriptedEcho { _, _ in
      called.add(1, ordering: .relaxed)
      return Msg(value: String(repeating: "x", count: length))
    }
    try await EchoFixture.run(service, limits: limits(noticeTime: .seconds(1)), grace: .seconds(3_600)) {
      fixture in
      let socket = try RawSocket(port: fixture.port)
      // More than the sockets hold: the server stops to read until the client has taken some of it.
      let answers: [UInt32] = [1, 3, 5, 7]
      // In one piece, so that it has not stopped yet when it reads the last of them.
      try socket.send(answers.flatMap { RawSocket.request(stream: $0, method: "Unary") })
      #expect(try await eventually { called.load(ordering: .relaxed) == answers.count })
      let witnesses = try await witnesses(fixture)
      async let stopped: Void = fixture.server.stop()
      for witness in witnesses {
        try await witness.waitForInput()
        #expect(try witness.readToEnd().map(\.streamID) == [0])
      }
      let late = (0..<50).map { UInt32(9 + 2 * $0) }
      for stream in late { try socket.send(RawSocket.request(stream: stream, method: "Unary")) }
      let frames = try socket.readToEnd()
      #expect(frames.filter { $0.body.count > length }.map(\.streamID) == answers)
      let refusals = frames.filter { $0.streamID > 7 }
      #expect(refusals.map(\.streamID) == late)
      for frame in refusals { #expect(try isRefusal(frame)) }
      await stopped
    }
  }

  /// Connections, one on each loop of the server, which see when it has begun to stop.
  private func witnesses(_ fixture: EchoFixture) async throws -> [RawSocket] {
    let sockets = try fixture.group.executors.map { _ in try RawSocket(port: fixture.port) }
    for socket in sockets {
      try socket.send(RawSocket.request(stream: 1, method: "Missing"))
      _ = try socket.readFrames { $0.streamID == 1 }
    }
    return sockets
  }

  @Test("a last call that its client's mistake ends, within a read, is answered and the connection left in good order")
  func mistakenCall() async throws {
    let gate = Gate()
    let called = Atomic(0)
    let service = ScriptedEcho { _, _ in
      called.add(1, ordering: .relaxed)
      await gate.pass()
      return Msg()
    }
    try await EchoFixture.run(service, limits: limits(noticeTime: .milliseconds(5)), grace: .seconds(3_600)) {
      fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Unary"))
      #expect(try await eventually { called.load(ordering: .relaxed) == 1 })
      let witnesses = try await witnesses(fixture)
      async let stopped: Void = fixture.server.stop()
      // They are let go once the notice is over, and it is over for all.
      for witness in witnesses { #expect(try witness.readToEnd().map(\.streamID) == [0]) }
      try socket.send(
        RawSocket.frame(stream: 1, type: 3, flags: 0, Msg(value: "a unary call has no more").serialized()))
      let frames = try socket.readToEnd()
      #expect(frames.map(\.streamID) == [0, 1])
      #expect(try RawSocket.status(try #require(frames.last)).code == .invalidArgument)
      gate.open()
      await stopped
    }
  }

  @Test("a client that does not act on it is let go in good order")
  func deafClient() async throws {
    try await EchoFixture.run(ScriptedEcho(), limits: limits(noticeTime: .milliseconds(5))) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "served"))
      _ = try socket.readFrames { $0.streamID == 1 }
      async let stopped: Void = fixture.server.stop()
      try await socket.waitForInput()
      #expect(try socket.readToEnd().map(\.streamID) == [0])
      await stopped
    }
  }

  @Test(
    "what a client sends after the end, before it has seen it, is not answered by a reset, which would drop what it has not read"
  )
  func lateBytes() async throws {
    var limits = limits(noticeTime: .milliseconds(5))
    limits.lingerTime = .hours(1)
    try await EchoFixture.run(ScriptedEcho(), limits: limits, grace: .seconds(3_600)) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "served"))
      _ = try socket.readFrames { $0.streamID == 1 }
      async let stopped: Void = fixture.server.stop()
      #expect(try socket.readToEnd().map(\.streamID) == [0])
      for stream: UInt32 in [3, 5, 7] {
        try socket.send(RawSocket.request(stream: stream, method: "Unary", text: "late"))
        // The second would fail, had the server answered the first by a reset.
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(try socket.readToEnd() == [])
      socket.shutDown()
      await stopped
    }
  }

  @Test("a client that goes on calling without a pause is let go long before the grace ends")
  func restlessClient() async throws {
    try await EchoFixture.run(ScriptedEcho(), limits: limits(noticeTime: .milliseconds(5)), grace: .seconds(3_600)) {
      fixture in
      let caller = try RestlessCaller(port: fixture.port)
      async let calling: Void = caller.call()
      #expect(try await eventually { caller.calls > 0 })
      async let stopped: Void = fixture.server.stop()
      try caller.readWhatComes()
      await calling
      await stopped
    }
  }

  @Test(
    "clients whose connections the server had not come to accept, or to set up, when it was told to stop are answered",
    arguments: [[0, 1], [0], [1]])
  func unaccepted(heldLoops: [Int]) async throws {
    try await EchoFixture.run(ScriptedEcho(), limits: limits(noticeTime: .seconds(3_600)), grace: .seconds(3_600)) {
      fixture in
      let held = DispatchSemaphore(value: 0)
      for index in heldLoops { fixture.group.executors[index].loop.execute { held.wait() } }
      // Many more than a loop accepts in one turn.
      var sockets = try (0..<200).map { _ in try RawSocket(port: fixture.port) }
      for socket in sockets { try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "early")) }
      async let stopped: Void = fixture.server.stop()
      // For the stop to get as far as it can; should it not, the calls are only answered the sooner.
      try await Task.sleep(for: .milliseconds(20))
      for _ in heldLoops { held.signal() }
      for socket in sockets {
        try await socket.waitForInput()
        _ = try socket.readFrames { $0.streamID == 1 }
      }
      sockets = []
      await stopped
    }
  }

  @Test("a connection that becomes active long after its server was told to stop is told, and answered, all the same")
  func activeLate() throws {
    let loop = EmbeddedEventLoop()
    let handler = RPCServer.connection(
      answering: Router([ScriptedEcho()]), limits: .init(), on: LoopExecutor(loop: loop, index: 0),
      logger: Logger(label: "test"))
    let connection = try #require(handler as? ServerConnection)
    let channel = EmbeddedChannel(handler: connection, loop: loop)
    connection.drain(noticeFor: .milliseconds(5))
    // The time of this loop begins at 0, that of deadlines when the machine was started.
    loop.advanceTime(to: .now() + .minutes(1))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.writeInbound(ByteBuffer(bytes: RawSocket.request(stream: 1, method: "Unary")))
    loop.run()
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    let frames = RawSocket.takeFrames(&bytes)
    #expect(frames.map(\.streamID) == [0, 1])
    for frame in frames { #expect(try isRefusal(frame)) }
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test("a client that is told makes no more calls there, lets those that run end, and comes back later")
  func told() async throws {
    try await ClientFixture.run { fixture in
      let going = try await fixture.peer {
        $0.streamID == 1 && $0.connection == 1 ? .notice : .answer(Msg(value: "again"))
      }
      let client = fixture.client([going.address])
      let running = Task { try await client.ask("running") }
      // It receives the GoAway, and opens another connection without a call asking for it.
      #expect(try await eventually { going.accepted == 2 })
      for _ in 0..<10 { #expect(try await client.ask("", EchoMethods.unary, .waiting) == "again") }
      #expect(going.calls.filter { $0.connection == 1 }.count == 1)
      running.cancel()
      _ = await running.result
      #expect(try await eventually { going.open == 1 })
    }
  }

  @Test("whatever else comes for no call is passed over", arguments: [0, 2, 4])
  func noise(stream: UInt32) {
    let arena = Arena()
    var frames = FrameBuffer(allocator: ByteBufferAllocator())
    frames.appendResponse(stream == 0 ? .stopped : .draining, on: stream, in: arena)
    let bytes = frames.take()
    bytes.withUnsafeReadableBytes { bytes in
      let body = UnsafeRawBufferPointer(rebasing: bytes[FrameHeader.size...])
      #expect(GoAway.read(FrameHeader(reading: bytes), body, arena) == nil)
      let header = FrameHeader(length: 1, streamID: 0, type: .response)
      #expect(GoAway.read(header, UnsafeRawBufferPointer(rebasing: body.prefix(1)), arena) == nil)
    }
  }
}

/// Calls on and on until its connection is gone.
///
/// `@unchecked Sendable`: one task sends and another receives, which sockets allow.
private final class RestlessCaller: @unchecked Sendable {
  private let socket: RawSocket
  private let count = Atomic(0)

  init(port: Int) throws {
    socket = try RawSocket(port: port)
  }

  var calls: Int { count.load(ordering: .relaxed) }

  func call() async {
    var stream: UInt32 = 1
    while socket.trySend(RawSocket.request(stream: stream, method: "Unary")) {
      stream += 2
      count.add(1, ordering: .relaxed)
    }
  }

  func readWhatComes() throws { try socket.waitForEnd() }
}
