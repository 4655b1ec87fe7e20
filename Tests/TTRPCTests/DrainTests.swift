import EchoV1
import NIOCore
import NIOPosix
import ProtobufC
import TTRPC
import TTRPCWire
import Testing

@Suite("Draining", .timeLimit(.minutes(1)))
struct DrainTests {
  /// Counts what comes, once it is told to read.
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
    let count = try await EchoFixture.run(service) { fixture in
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
}
