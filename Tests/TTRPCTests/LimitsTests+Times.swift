import EchoV1
import NIOCore
import TestSupport
import Testing

@testable import TTRPCFrames
// How long clients may take.
extension LimitsTests {
  @Test("a connection without calls that sends nothing is closed; one with a call is not")
  func idle() async throws {
    let began = Gate()
    var service = ScriptedEcho()
    service.chatting = { requests, responses, _ in
      began.open()
      for try await request in requests { try await responses.send(request) }
    }
    try await run(service, meeting: .idleTime, limits: limits { $0.idleTime = .seconds(1) }) { fixture in
      let busy = try RawSocket(port: fixture.port)
      try busy.send(RawSocket.request(stream: 1, method: "Chat", flags: 2))
      await began.pass()
      let idle = try RawSocket(port: fixture.port)
      try idle.waitForEnd()
      try busy.send(RawSocket.frame(stream: 1, type: 3, flags: 0, Msg(value: "here").serialized()))
      _ = try busy.readFrames { $0.streamID == 1 && $0.type == 3 }
    }
  }

  @Test("a plaintext connection that never sends a byte is closed; one that has sent some is not")
  func silence() async throws {
    try await run(ScriptedEcho(), meeting: .firstByteTime, limits: limits { $0.firstByteTime = .seconds(1) }) {
      fixture in
      let spoken = try served(fixture)
      try RawSocket(port: fixture.port).waitForEnd()
      try spoken.send(RawSocket.request(stream: 3, method: "Unary"))
      _ = try spoken.readFrames { $0.streamID == 3 }
    }
  }

  @Test("a frame that begins and does not end closes its connection", arguments: [5, 500_000])
  func unfinishedFrame(bytes: Int) async throws {
    try await run(ScriptedEcho(), meeting: .frameTime, limits: limits { $0.frameTime = .milliseconds(30) }) { fixture in
      let socket = try RawSocket(port: fixture.port)
      let frame = RawSocket.header(stream: 1, length: 1_000_000) + [UInt8](repeating: 0, count: 900_000)
      try socket.send(Array(frame.prefix(bytes)))
      try socket.waitForEnd()
      #expect(try await fixture.echo.unary(Msg(value: "beside")).value == "beside")
    }
  }

  @Test("a frame that is too long even to be skipped closes its connection")
  func unskippableFrame() async throws {
    try await run(ScriptedEcho(), meeting: .frameLength, limits: limits { _ in }) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.header(stream: 1, length: FrameDecoder.maximumSkippedLength + 1))
      try socket.waitForEnd()
    }
  }

  @Test("a client that does not take its answers loses its connection, and its handlers are cancelled")
  func unsent() async throws {
    let cancelled = Gate()
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      let message = Msg(value: String(repeating: "x", count: 10_000))
      do { while true { try await responses.send(message) } } catch { cancelled.open() }
    }
    try await run(service, meeting: .writeTime, limits: limits { $0.writeTime = .milliseconds(30) }) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Expand", flags: 1))
      await cancelled.pass()
      try socket.waitForEnd()
      #expect(try await fixture.echo.unary(Msg(value: "beside")).value == "beside")
    }
  }
}
