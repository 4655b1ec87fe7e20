import EchoV1
import Logging
import LoopExecutor
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCFrames
@testable import TTRPCServer

@Suite("Refusals that are not taken", .ownThreads, .timeLimit(.minutes(5)))
struct UnsentRefusalTests {
  /// What came out of the channel since it was last asked.
  private func answers(_ channel: EmbeddedChannel) throws -> [RawSocket.Frame] {
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    return RawSocket.takeFrames(&bytes)
  }

  @Test(
    "a read whose refusals would be ten times as long is worked through no further than the client takes them",
    arguments: [1, 3])
  func bounded(reads: Int) throws {
    let loop = EmbeddedEventLoop()
    let channel = EmbeddedChannel(
      handler: RPCServer.connection(
        answering: Router([ScriptedEcho()]), limits: .init(), on: LoopExecutor(loop: loop, index: 0),
        logger: Logger(label: "test")), loop: loop)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let count = 1_000
    let read = [[UInt8]](repeating: RawSocket.frame(stream: 1, type: 3, flags: 0, []), count: count).flatMap(\.self)
    // The client takes nothing.
    channel.isWritable = false
    // More than one: TLS hands a read over in pieces.
    for _ in 0..<reads { try channel.writeInbound(ByteBuffer(bytes: read)) }
    loop.run()
    let before = try answers(channel).count
    #expect(before < 100)
    // Now it does.
    channel.isWritable = true
    channel.pipeline.fireChannelWritabilityChanged()
    try channel.writeInbound(ByteBuffer(bytes: RawSocket.request(stream: 3, method: "Unary")))
    loop.run()
    let rest = try answers(channel)
    #expect(before + rest.count == reads * count + 1)
    #expect(rest.last?.streamID == 3)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test("a client that takes its refusals late gets every one, and what it sent after them is answered")
  func refusalsTakenLate() async throws {
    var limits = RPCServer.Limits()
    // However busy the machine is, the client here is not too slow.
    limits.writeTime = .hours(1)
    try await EchoFixture.run(ScriptedEcho(), limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port, receiveBuffer: 4_096)
      let count = 60_000
      let bytes = RawSocket.framesOfNoCall(count)
      let sent = try await RawSocket.sendWhatIsTaken(bytes, on: [socket])[0]
      var refusals = (sent - RawSocket.passedOver.count) / FrameHeader.size
      for _ in 0..<refusals { _ = try socket.readFrames { $0.streamID == 1 } }
      for start in stride(from: sent, to: bytes.count, by: 10_000) {
        let end = min(start + 10_000, bytes.count)
        try socket.send(Array(bytes[start..<end]))
        let all = (end - RawSocket.passedOver.count) / FrameHeader.size
        while refusals < all {
          _ = try socket.readFrames { $0.streamID == 1 }
          refusals += 1
        }
      }
      #expect(refusals == count)
      try socket.send(RawSocket.request(stream: 3, method: "Unary"))
      #expect(try socket.readFrames { $0.streamID == 3 }.count == 1)
    }
  }
}
