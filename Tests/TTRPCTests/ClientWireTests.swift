import EchoV1
import ProtobufC
import TTRPCWire
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCFrames

@Suite("What a client sends, and what it takes", .ownThreads, .timeLimit(.minutes(5)))
struct ClientWireTests {
  private static let (closed, open, noData): (UInt8, UInt8, UInt8) = (1, 2, 4)

  /// Runs `call` against a server that `serve` plays.
  private func converse<Result: Sendable>(
    _ call: @escaping @Sendable (EchoClient) async throws -> Result, _ serve: (RawSocket) throws -> Void
  ) async throws -> Result {
    try await ClientFixture.run { fixture in
      let listener = try RawListener()
      let echo = EchoClient(fixture.client([.init(host: "127.0.0.1", port: listener.port)]))
      let result = Task { try await call(echo) }
      try serve(try listener.accept())
      return try await result.value
    }
  }

  private func request(_ frame: RawSocket.Frame) throws -> TTRPCWire.Request {
    try TTRPCWire.Request(serialized: frame.body)
  }

  private func response(_ stream: UInt32, _ text: String) -> [UInt8] {
    let response = TTRPCWire.Response(payload: Msg(value: text).serialized())
    return RawSocket.frame(stream: stream, type: 2, flags: 0, response.serialized())
  }

  private func data(_ stream: UInt32, _ text: String?, _ flags: UInt8 = 0) -> [UInt8] {
    RawSocket.frame(stream: stream, type: 3, flags: flags, text.map { Msg(value: $0).serialized() } ?? [])
  }

  // MARK: Sent

  @Test("a unary call is a Request without flags, with its payload, service and method")
  func unary() async throws {
    let answer = try await converse({ try await $0.unary(Msg(value: "question")).value }) { server in
      let frame = try server.readFrames { _ in true }[0]
      #expect(frame.streamID == 1 && frame.type == 1 && frame.flags == 0)
      let request = try request(frame)
      #expect(request.service == "echo.v1.Echo" && request.method == "Unary")
      #expect(request.payload == Msg(value: "question").serialized())
      try server.send(response(1, "answer"))
    }
    #expect(answer == "answer")
  }

  @Test("a server's stream is asked for by a Request that closes the client's side and carries the payload")
  func serverStream() async throws {
    let values = try await converse({ echo in
      try await echo.expand(Msg(value: "question")) { responses in
        try await responses.reduce(into: []) { $0.append($1.value) }
      }
    }) { server in
      let frame = try server.readFrames { _ in true }[0]
      #expect(frame.type == 1 && frame.flags == Self.closed)
      #expect(try request(frame).payload == Msg(value: "question").serialized())
      try server.send(data(1, "one") + data(1, "") + data(1, nil, Self.closed | Self.noData))
    }
    #expect(values == ["one", ""])
  }

  @Test("a client's stream opens without a payload, its messages have no flags, and its end is a frame of its own")
  func clientStream() async throws {
    let answer = try await converse({ echo in
      try await echo.collect { writer in for text in ["one", "", "last"] { try await writer.send(Msg(value: text)) } }
    }) { server in
      let frames = try server.readFrames { $0.type == 3 && $0.flags & Self.closed != 0 }
      #expect(frames.map(\.streamID) == [1, 1, 1, 1, 1])
      #expect(frames[0].type == 1 && frames[0].flags == Self.open | Self.noData)
      #expect(try request(frames[0]).payload.isEmpty)
      #expect(frames[1...3].allSatisfy { $0.type == 3 && $0.flags == 0 })
      #expect(frames[1...3].map(\.body) == ["one", "", "last"].map { Msg(value: $0).serialized() })
      #expect(frames[4].flags == Self.closed | Self.noData && frames[4].body.isEmpty)
      try server.send(response(1, "taken"))
    }
    #expect(answer.value == "taken")
  }

  @Test("a stream of both sides opens without a payload too")
  func bidirectional() async throws {
    try await converse({ echo in
      try await echo.chat { writer, responses in
        writer.finish()
        for try await _ in responses {}
      }
    }) { server in
      let frames = try server.readFrames { $0.type == 3 }
      #expect(frames[0].type == 1 && frames[0].flags == Self.open | Self.noData)
      #expect(try request(frames[0]).payload.isEmpty)
      try server.send(data(1, nil, Self.closed | Self.noData))
    }
  }

  // MARK: Taken

  @Test("an answer may have a status that says nothing, or that all is well")
  func emptyStatus() async throws {
    for status: [UInt8] in [[0x0A, 0x00], [0x0A, 0x02, 0x08, 0x00]] {
      let answer = try await converse({ try await $0.unary(Msg()).value }) { server in
        _ = try server.readFrames { _ in true }
        let body = status + TTRPCWire.Response(payload: Msg(value: "well").serialized()).serialized()
        try server.send(RawSocket.frame(stream: 1, type: 2, flags: 0, body))
      }
      #expect(answer == "well")
    }
  }

  @Test(
    "frames for calls that there are not, even ids and 0 among them, unknown types, and data of a unary call are passed over"
  )
  func foreignFrames() async throws {
    let answer = try await converse({ try await $0.unary(Msg()).value }) { server in
      _ = try server.readFrames { _ in true }
      for stream: UInt32 in [0, 2, 3, 4_294_967_295] {
        try server.send(response(stream, "foreign") + data(stream, "foreign") + data(stream, nil, Self.closed))
      }
      try server.send(data(1, "of a unary call") + RawSocket.frame(stream: 1, type: 9, flags: 0, [1, 2, 3]))
      try server.send(response(1, "own"))
    }
    #expect(answer == "own")
  }

  @Test("a last message may close the stream itself, and a frame without data is none")
  func lastMessage() async throws {
    let values = try await converse({ echo in
      try await echo.expand(Msg()) { responses in try await responses.reduce(into: []) { $0.append($1.value) } }
    }) { server in
      _ = try server.readFrames { _ in true }
      try server.send(data(1, "first") + data(1, "unseen", Self.noData) + data(1, "last", Self.closed))
    }
    #expect(values == ["first", "last"])
  }

  @Test("an answer that is too long fails its own call, and the connection goes on")
  func tooLong() async throws {
    let answers = try await converse({ echo in
      let refused = await #expect(throws: TTRPC.Status.self) { try await echo.unary(Msg(value: "long")) }
      return (refused?.code, try await echo.unary(Msg(value: "short")).value)
    }) { server in
      _ = try server.readFrames { _ in true }
      let length = FrameHeader.maximumLength + 1
      try server.send(RawSocket.frame(stream: 1, type: 2, flags: 0, [UInt8](repeating: 0, count: length)))
      _ = try server.readFrames { $0.streamID == 3 }
      try server.send(response(3, "short"))
    }
    #expect(answers == (.resourceExhausted, "short"))
  }
}
