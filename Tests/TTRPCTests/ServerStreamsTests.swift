import Testing

@testable import TTRPCFrames

@Suite("Server streams")
struct ServerStreamsTests {
  private func data(_ id: UInt32, length: UInt32 = 1, _ flags: FrameFlags = []) -> FrameHeader {
    FrameHeader(length: length, streamID: id, type: .data, flags: flags)
  }

  private func message(_ action: ServerStreams<String>.DataAction) -> String {
    switch action {
    case .deliver(let call, let isLast): "deliver \(call)\(isLast ? " last" : "")"
    case .finish(let call): "finish \(call)"
    case .abandon(let call): "abandon \(call)"
    case .ignore: "ignore"
    case .refuse(let status): "refuse: \(status.message)"
    }
  }

  @Test("a client's ids are odd", arguments: [0, 2, 4_294_967_294] as [UInt32])
  func evenIDs(id: UInt32) {
    #expect(
      ServerStreams<String>.refusal(ofID: id)?.message == "StreamID must be odd for client initiated streams")
    #expect(ServerStreams<String>.refusal(ofID: id)?.code == .invalidArgument)
    #expect(ServerStreams<String>.refusal(ofID: id)?.errorInfo?.reason == "STREAM_ID_INVALID")
    #expect(ServerStreams<String>.refusal(ofID: id + 1) == nil)
  }

  @Test("request ids rise, with gaps, and are never taken twice")
  func risingIDs() {
    var streams = ServerStreams<String>()
    #expect(streams.admitRequest(1) == nil)
    #expect(streams.admitRequest(9) == nil)
    for id in [9, 7, 1] as [UInt32] {
      #expect(streams.admitRequest(id)?.message == "StreamID cannot be re-used and must increment")
    }
    #expect(streams.admitRequest(9)?.errorInfo?.reason == "STREAM_ID_INVALID")
    #expect(streams.admitRequest(.max) == nil)
  }

  @Test("data for a stream that was never open, or is closed, is refused")
  func unknownStream() {
    var streams = ServerStreams<String>()
    #expect(message(streams.receiveData(data(1))) == "refuse: StreamID is no longer active")
    streams.open(1, "call", kind: .bidirectional, flags: .remoteOpen)
    streams.close(1)
    #expect(message(streams.receiveData(data(1))) == "refuse: StreamID is no longer active")
  }

  @Test("data on a unary call ends that call")
  func dataOnUnary() {
    var streams = ServerStreams<String>()
    streams.open(1, "call", kind: .unary, flags: [])
    #expect(
      message(streams.receiveData(data(1))) == "refuse: StreamID belongs to a unary call, which takes no data")
  }

  @Test("a client's stream delivers its messages, an empty one included, until it closes its side")
  func clientStream() {
    var streams = ServerStreams<String>()
    streams.open(1, "call", kind: .clientStreaming, flags: [.remoteOpen, .noData])
    #expect(message(streams.receiveData(data(1, length: 5))) == "deliver call")
    #expect(message(streams.receiveData(data(1, length: 0))) == "deliver call")
    #expect(message(streams.receiveData(data(1, length: 3, .noData))) == "ignore")
    #expect(message(streams.receiveData(data(1, length: 0, [.remoteClosed, .noData]))) == "finish call")
    #expect(message(streams.receiveData(data(1))) == "refuse: StreamID is no longer active")
  }

  @Test(
    "the client's side closes by every form of the last frame",
    arguments: [
      (0, [.remoteClosed], "finish call"), (4, [.remoteClosed], "deliver call last"),
      (4, [.remoteClosed, .noData], "finish call"),
    ] as [(UInt32, FrameFlags, String)])
  func lastFrame(length: UInt32, flags: FrameFlags, expected: String) {
    var streams = ServerStreams<String>()
    streams.open(1, "call", kind: .bidirectional, flags: [.remoteOpen])
    #expect(message(streams.receiveData(data(1, length: length, flags))) == expected)
  }

  @Test("a server stream takes no data from the client")
  func serverStream() {
    var streams = ServerStreams<String>()
    streams.open(1, "call", kind: .serverStreaming, flags: [.remoteClosed])
    #expect(message(streams.receiveData(data(1))) == "refuse: StreamID is no longer active")
  }

  @Test("a client that gives its stream up abandons the call, whichever sides are open")
  func abandonment() {
    var streams = ServerStreams<String>()
    streams.open(1, "server stream", kind: .serverStreaming, flags: [.remoteClosed])
    streams.open(3, "both", kind: .bidirectional, flags: [.remoteOpen])
    streams.open(5, "unary", kind: .unary, flags: [])
    #expect(message(streams.receiveData(data(1), abandons: true)) == "abandon server stream")
    #expect(message(streams.receiveData(data(3), abandons: true)) == "abandon both")
    #expect(message(streams.receiveData(data(5), abandons: true)).hasPrefix("refuse"))
  }
}
