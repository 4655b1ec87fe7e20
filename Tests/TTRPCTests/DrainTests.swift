import EchoV1
import NIOCore
import NIOPosix
import ProtobufC
import TTRPCWire
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCServer

@Suite("Draining", .ownThreads, .timeLimit(.minutes(5)))
struct DrainTests {
  /// Counts messages, once it may read.
  private final class Counter: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    let total: EventLoopPromise<Int>
    let count: NIOLoopBoundBox<Int>

    init(_ loop: any EventLoop) {
      total = loop.makePromise()
      count = NIOLoopBoundBox(0, eventLoop: loop)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      count.value += unwrapInboundIn(data).readableBytes
    }
    func channelInactive(context: ChannelHandlerContext) { total.succeed(count.value) }
  }

  @Test("an answer that its client has not read yet is not cut off")
  func slowReader() async throws {
    let length = 4_000_000
    let answered = Gate()
    let service = ScriptedEcho { _, _ in
      answered.open()
      return Msg(value: String(repeating: "x", count: length))
    }
    let count = try await EchoFixture.run(service, grace: .seconds(60)) { fixture in
      let loop = fixture.group.executors[1].loop
      let counter = try await loop.submit { Counter(loop) }.get()
      let channel = try await ClientBootstrap(group: loop)
        .channelOption(.autoRead, value: false)
        .channelOption(.socketOption(.so_rcvbuf), value: 8_192)
        .channelInitializer { $0.pipeline.addHandler(counter) }
        .connect(host: "127.0.0.1", port: fixture.port).get()
      let request = TTRPCWire.Request(service: "echo.v1.Echo", method: "Unary").serialized()
      var frame = ByteBuffer(integer: UInt32(request.count))
      frame.writeBytes([0, 0, 0, 1, 1, 0])
      frame.writeBytes(request)
      try await channel.writeAndFlush(frame)
      await answered.pass()
      async let stopped: Void = fixture.server.stop()
      // By the time that the other loop has gone round a few times, the server has begun to drain.
      for _ in 0..<10 { try await fixture.group.executors[0].loop.submit {}.get() }
      try await channel.setOption(.autoRead, value: true).get()
      let count = try await counter.total.futureResult.get()
      await stopped
      return count
    }
    #expect(count > length)
  }

  private func failure(_ body: () async throws -> Void) async throws -> Status {
    do { try await body() } catch let status as Status { return status }
    return try #require(nil as Status?, "the call succeeded")
  }

  @Test("a new call is refused as one that was not begun; nothing else is lost that was sent before")
  func refusal() async throws {
    let (began, gate) = (Gate(), Gate())
    let service = ScriptedEcho { request, _ in
      began.open()
      await gate.pass()
      return request
    }
    try await EchoFixture.run(service, grace: .seconds(60)) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "running"))
      await began.pass()
      async let stopped: Void = fixture.server.stop()
      // The refusal says when the server has begun to drain: until then a chat is begun, and its end awaited.
      var refused: Status?
      var stream: UInt32 = 3
      while refused == nil {
        try socket.send(RawSocket.request(stream: stream, method: "Expand", flags: 1))
        let frames = try socket.readFrames { $0.streamID == stream && ($0.type == 2 || $0.flags == 5) }
        if let last = frames.last, last.type == 2 { refused = try RawSocket.status(last) }
        stream += 2
      }
      #expect(refused?.code == .unavailable && refused?.errorInfo?.reason == "DRAINING")
      #expect(refused?.retryAfter != nil)
      gate.open()
      let answer = try socket.readFrames { $0.streamID == 1 }
      #expect(answer.last?.body.isEmpty == false)
      try socket.waitForEnd()
      await stopped
    }
  }

  @Test(
    "streams of answers are told to connect again while an upload and a unary call may end", arguments: [false, true])
  func streams(isQuiet: Bool) async throws {
    let (began, gate) = (Gate(), Gate())
    var service = ScriptedEcho { request, _ in
      began.open()
      await gate.pass()
      return request
    }
    service.chatting = { requests, responses, _ in
      try await responses.send(Msg(value: "open"))
      if isQuiet { await waitForCancellation() }
      while true {
        try await responses.send(Msg(value: "more"))
        // A stream that never pauses is what is tested; a short pause between two messages leaves the processor to the other calls.
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    try await EchoFixture.run(service, grace: .seconds(30)) { fixture in
      async let unary = fixture.echo.unary(Msg(value: "unary"))
      await began.pass()
      let uploading = Gate()
      async let upload = fixture.echo.collect { writer in
        try await writer.send(Msg(value: "first"))
        uploading.open()
        await gate.pass()
        try await writer.send(Msg(value: "last"))
      }
      await uploading.pass()
      let status = try await failure {
        try await fixture.echo.chat { _, responses in
          var iterator = responses.makeAsyncIterator()
          _ = try await iterator.next()
          async let stopped: Void = fixture.server.stop()
          defer { gate.open() }
          while try await iterator.next() != nil {}
          await stopped
        }
      }
      #expect(status.code == .unavailable && status.errorInfo?.reason == "SERVER_STOPPED")
      #expect(status.retryAfter != nil)
      let values = try await (unary.value, upload.value)
      #expect(values == ("unary", "first,last"))
    }
  }

  @Test("a stream of answers that gets on comes to its end; one that rests is told to connect again")
  func endingStreams() async throws {
    let isTold = Atomic(false)
    var service = ScriptedEcho()
    service.expanding = { request, responses, _ in
      try await responses.send(request)
      if request.value == "rests" { await waitForCancellation() }
      while !isTold.load(ordering: .relaxed) {
        try await responses.send(request)
        // A download takes its time; what counts is that it goes on.
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    var limits = RPCServer.Limits()
    // Longer than a busy machine keeps a stream from going on.
    limits.streamRest = .seconds(3)
    try await EchoFixture.run(service, limits: limits, grace: .seconds(60)) { fixture in
      let resting = try RawSocket(port: fixture.port)
      try resting.send(RawSocket.request(stream: 1, method: "Expand", flags: 1, text: "rests"))
      _ = try resting.readFrames { $0.type == 3 }
      let count = try await fixture.echo.expand(Msg(value: "gets on")) { responses in
        var iterator = responses.makeAsyncIterator()
        _ = try await iterator.next()
        async let stopped: Void = fixture.server.stop()
        let told = try RawSocket.status(try #require(try resting.readFrames { $0.streamID == 1 && $0.type == 2 }.last))
        #expect(told.code == .unavailable && told.errorInfo?.reason == "SERVER_STOPPED")
        resting.shutDown()
        isTold.store(true, ordering: .relaxed)
        var count = 1
        while try await iterator.next() != nil { count += 1 }
        await stopped
        return count
      }
      #expect(count > 1)
    }
  }

  @Test("what still runs at the end of the grace period is answered, and cancelled")
  func endOfGrace() async throws {
    let (began, cancelled) = (Gate(), Gate())
    let service = ScriptedEcho { request, _ in
      began.open()
      await waitForCancellation()
      cancelled.open()
      return request
    }
    try await EchoFixture.run(service, grace: .milliseconds(50)) { fixture in
      async let call = failure { _ = try await fixture.echo.unary(Msg()) }
      await began.pass()
      await fixture.server.stop()
      let status = try await call
      #expect(status.code == .unavailable && status.errorInfo?.reason == "SERVER_STOPPED")
      await cancelled.pass()
    }
  }

  @Test("whoever has a server stop that is stopping already waits for its end as well")
  func stoppedTwice() async throws {
    let (began, gate) = (Gate(), Gate())
    let service = ScriptedEcho { request, _ in
      began.open()
      await gate.pass()
      return request
    }
    try await EchoFixture.run(service, grace: .seconds(3_600)) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "running"))
      await began.pass()
      async let first: Void = fixture.server.stop()
      async let second: Void = fixture.server.stop()
      // The notice says that the first has begun to wait, or is about to; that the second has, nothing says.
      try await socket.waitForInput()
      try await Task.sleep(for: .milliseconds(20))
      gate.open()
      _ = try socket.readToEnd()
      _ = await (first, second)
    }
  }

  @Test("a connection that neither takes its answers nor closes does not keep a server beyond its grace")
  func stubborn() async throws {
    var service = ScriptedEcho()
    let began = Gate()
    service.expanding = { _, responses, _ in
      began.open()
      while true { try await responses.send(Msg(value: String(repeating: "x", count: 100_000))) }
    }
    try await EchoFixture.run(service, grace: .milliseconds(50)) { fixture in
      let (reading, idle) = (try RawSocket(port: fixture.port), try RawSocket(port: fixture.port))
      try reading.send(RawSocket.request(stream: 1, method: "Expand", flags: 1))
      await began.pass()
      await fixture.server.stop()
      withExtendedLifetime((reading, idle)) {}
    }
  }
}
