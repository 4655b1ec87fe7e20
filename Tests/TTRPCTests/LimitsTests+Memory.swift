import EchoV1
import struct GoogleRPC.BadRequest
import NIOCore
import Synchronization
import TTRPCWire
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCServer
// What clients may have a server hold in memory.
extension LimitsTests {
  @Test("the beginnings of frames count in all; beyond the budget a frame is refused and skipped, small ones are not")
  func halfFrames() async throws {
    let limits = limits { $0.bufferedBytes = 200_000 }
    try await run(ScriptedEcho(), meeting: .bufferedBytes, limits: limits) { fixture in
      let hostile = try (0..<2).map { _ in try RawSocket(port: fixture.port) }
      // Together more than there is: who comes last is refused, before the frame has ended.
      for socket in hostile {
        try socket.send(RawSocket.header(stream: 1, length: 300_000) + [UInt8](repeating: 0, count: 190_000))
      }
      try hostile[0].send([UInt8](repeating: 0, count: 60_000))
      let refused = try hostile[0].readFrames { $0.streamID == 1 }
      let status = try RawSocket.status(refused[0])
      #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "BUFFERS_FULL")
      #expect(status.retryAfter != nil)
      // The rest of the frame is skipped, and the connection goes on.
      try hostile[0].send([UInt8](repeating: 0, count: 50_000) + RawSocket.request(stream: 3, method: "Unary"))
      _ = try hostile[0].readFrames { $0.streamID == 3 }
      // A small request is taken all the same.
      let request = RawSocket.request(stream: 5, method: "Unary", text: "in pieces")
      try hostile[0].send(Array(request.prefix(20)))
      // So that most often its pieces arrive in reads of their own; the answer is the same if they do not.
      try await Task.sleep(for: .milliseconds(5))
      try hostile[0].send(Array(request.dropFirst(20)))
      _ = try hostile[0].readFrames { $0.streamID == 5 }
    }
  }

  @Test("answers that a client does not take are replaced by refusals beyond a number of bytes")
  func unsentAnswers() async throws {
    let handler: ScriptedEcho.Handler = { _, _ in Msg(value: String(repeating: "x", count: 1_000_000)) }
    let limits = limits { $0.unsentBytesPerConnection = 12_000_000 }
    try await run(ScriptedEcho(handler), meeting: .unsentBytes, limits: limits, quantum: .hours(1)) { fixture in
      let socket = try RawSocket(port: fixture.port)
      // One write, so that all answers come before the client could have taken any.
      try socket.send((0..<40).flatMap { RawSocket.request(stream: $0 * 2 + 1, method: "Unary") })
      let frames = try socket.readFrames { $0.streamID == 79 }
      let refusals = try frames.filter { $0.body.count < 1_000 }.map(RawSocket.status)
      #expect((20..<40).contains(refusals.count))
      #expect(refusals.allSatisfy { $0.code == .resourceExhausted && $0.errorInfo?.reason == "UNSENT_RESPONSE_LIMIT" })
      try socket.send(RawSocket.request(stream: 101, method: "Unary"))
      let after = try socket.readFrames { $0.streamID == 101 }
      #expect(after[0].body.count > 1_000_000)
    }
  }

  @Test("requests count while their calls run; one that finds no room is refused, and finds it when they have ended")
  func requestsThatRun() async throws {
    let began = Atomic(0)
    let gate = Gate()
    let handler: ScriptedEcho.Handler = { _, _ in
      began.add(1, ordering: .relaxed)
      await gate.pass()
      return Msg()
    }
    let limits = limits { $0.unreadBytesPerConnection = 1_500_000 }
    // While a request is taken it counts twice: as the frame that it came in, and as what it became.
    try await run(ScriptedEcho(handler), meeting: .bufferedBytes, limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port)
      let text = String(repeating: "x", count: 400_000)
      for stream: UInt32 in [1, 3] { try socket.send(RawSocket.request(stream: stream, method: "Unary", text: text)) }
      #expect(try await eventually { began.load(ordering: .relaxed) == 2 })
      try socket.send(RawSocket.request(stream: 5, method: "Unary", text: text))
      let refused = try RawSocket.status(try socket.readFrames { $0.streamID == 5 }[0])
      #expect(refused.errorInfo?.reason == "BUFFERS_FULL" && refused.retryAfter != nil)
      gate.open()
      _ = try socket.readCalls(2)
      try socket.send(RawSocket.request(stream: 7, method: "Unary", text: text))
      #expect(try socket.readFrames { $0.streamID == 7 }[0].body.isEmpty)
    }
  }

  @Test("a client that takes all the memory there is stops nobody's ordinary requests")
  func allowance() async throws {
    try await EchoFixture.run(ScriptedEcho(), limits: limits { $0.bufferedBytes = 100_000 }) { fixture in
      let greedy = try RawSocket(port: fixture.port)
      try greedy.send(RawSocket.request(stream: 1, method: "Unary"))
      _ = try greedy.readFrames { $0.streamID == 1 }
      try greedy.send(RawSocket.header(stream: 3, length: 300_000) + [UInt8](repeating: 0, count: 100_000))
      // Nearly all of it, whether or not a part of it is its own.
      #expect(try await eventually { fixture.server.load.bytes.bytes > 75_000 })
      for _ in 0..<10 {
        let text = String(repeating: "x", count: 12_000)
        #expect(try await fixture.echo.unary(Msg(value: text)).value == text)
      }
      withExtendedLifetime(greedy) {}
    }
  }

  @Test("a request that could never be held is refused as too large, one that finds no room now may be made again")
  func requestsBeyondTheBudget() async throws {
    try await run(ScriptedLists(), meeting: .messageBytes, limits: limits { $0.unreadBytesPerConnection = 1_000_000 }) {
      fixture in
      let socket = try RawSocket(port: fixture.port)
      // Two bytes each, of which eighty become.
      let message = [[UInt8]](repeating: [0x0A, 0x00], count: 50_000).flatMap(\.self)
      try socket.send(
        RawSocket.request(stream: 1, service: ScriptedLists.serviceName, method: "Take", payload: message))
      let status = try RawSocket.status(try socket.readFrames { $0.streamID == 1 }[0])
      #expect(status.errorInfo?.reason == "MESSAGE_TOO_LARGE" && status.retryAfter == nil)
    }
  }

  @Test("a request that is skipped uses its id up")
  func skippedID() async throws {
    try await EchoFixture.run(ScriptedEcho(), limits: limits { $0.messageBytes = 1_000 }) { fixture in
      let socket = try RawSocket(port: fixture.port)
      let long = RawSocket.header(stream: 9, length: 2_000) + [UInt8](repeating: 0, count: 2_000)
      try socket.send(
        long + RawSocket.request(stream: 9, method: "Unary") + RawSocket.request(stream: 11, method: "Unary"))
      let frames = try socket.readFrames { $0.streamID == 11 }
      #expect(frames.map(\.streamID) == [9, 9, 11])
      #expect(try RawSocket.status(frames[0]).errorInfo?.reason == "MESSAGE_TOO_LARGE")
      #expect(try RawSocket.status(frames[1]).errorInfo?.reason == "STREAM_ID_INVALID")
    }
  }

  @Test("a failure keeps its code and reason although too many answers wait before it")
  func failuresAmongUntaken() async throws {
    let handler: ScriptedEcho.Handler = { request, _ in
      let long = String(repeating: "x", count: 1_000_000)
      guard request.value == "fail" else { return Msg(value: long) }
      throw Status(.failedPrecondition, reason: "AS_EXPECTED", long)
    }
    let limits = limits { $0.unsentBytesPerConnection = 12_000_000 }
    try await EchoFixture.run(ScriptedEcho(handler), limits: limits, quantum: .hours(1)) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(
        (0..<40).flatMap { RawSocket.request(stream: $0 * 2 + 1, method: "Unary", text: $0 < 20 ? "" : "fail") })
      let failures = try socket.readCalls(40).filter { $0.streamID > 40 }.map(RawSocket.status)
      #expect(failures.count == 20)
      #expect(failures.allSatisfy { $0.code == .failedPrecondition && $0.errorInfo?.reason == "AS_EXPECTED" })
      #expect(failures.contains { $0.message.count < 1_000 })
    }
  }

  @Test("a call that was given up takes its place until its handler has heeded that")
  func stubbornHandlers() async throws {
    let began = Atomic(0)
    let gate = Gate()
    let handler: ScriptedEcho.Handler = { request, _ in
      began.add(1, ordering: .relaxed)
      if request.value == "stubborn" { await gate.pass() }
      return request
    }
    try await run(ScriptedEcho(handler), meeting: .callsPerConnection, limits: limits { $0.callsPerConnection = 2 }) {
      fixture in
      let socket = try RawSocket(port: fixture.port)
      for stream: UInt32 in [1, 3] {
        try socket.send(RawSocket.request(stream: stream, method: "Unary", text: "stubborn"))
      }
      #expect(try await eventually { began.load(ordering: .relaxed) == 2 })
      // Data that a unary call does not take ends it.
      for stream: UInt32 in [1, 3] {
        try socket.send(RawSocket.frame(stream: stream, type: 3, flags: 0, Msg().serialized()))
        _ = try socket.readFrames { $0.streamID == stream }
      }
      try socket.send(RawSocket.request(stream: 5, method: "Unary"))
      let refused = try RawSocket.status(try #require(try socket.readFrames { $0.streamID == 5 }.last))
      #expect(refused.code == .resourceExhausted && refused.errorInfo?.reason == "TOO_MANY_CALLS")
      gate.open()
      var stream: UInt32 = 5
      #expect(
        try await eventually {
          stream += 2
          try socket.send(RawSocket.request(stream: stream, method: "Unary"))
          return try TTRPCWire.Response(serialized: try socket.readFrames { $0.streamID == stream }[0].body).status
            == nil
        })
    }
  }

  @Test("answers that come one by one and are not taken are counted as those that come at once")
  func unsentAnswersOneByOne() async throws {
    let began = Atomic(0)
    let ended = Atomic(0)
    let gate = Gate()
    let handler: ScriptedEcho.Handler = { request, _ in
      began.add(1, ordering: .relaxed)
      await gate.pass()
      // Apart from each other, so that most often each ends in a burst of its own; the numbers below hold if some do not.
      try await Task.sleep(for: .microseconds(500 * (Int(request.value) ?? 0)))
      ended.add(1, ordering: .relaxed)
      return Msg(value: String(repeating: "x", count: 8_000))
    }
    let limits = limits {
      $0.unsentBytesPerConnection = 4_000_000
      // However busy the machine is, the client here is not too slow.
      $0.writeTime = .hours(1)
    }
    try await EchoFixture.run(ScriptedEcho(handler), limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port)
      let calls = 3_000
      try socket.send(
        (0..<calls).flatMap { RawSocket.request(stream: UInt32($0 * 2 + 1), method: "Unary", text: "\($0)") })
      // Once answers wait for the client, the server reads no more requests.
      #expect(try await eventually { began.load(ordering: .relaxed) == calls })
      gate.open()
      #expect(try await eventually { ended.load(ordering: .relaxed) == calls })
      let frames = try socket.readCalls(calls)
      let refusals = try frames.filter { $0.body.count < 1_000 }.map(RawSocket.status)
      #expect((300..<calls).contains(refusals.count))
      #expect(refusals.allSatisfy { $0.code == .resourceExhausted && $0.errorInfo?.reason == "UNSENT_RESPONSE_LIMIT" })
    }
  }

  @Test("many streams that a client does not take hold no more than a few messages")
  func unsentStreams() async throws {
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      let message = Msg(value: String(repeating: "x", count: 1_000_000))
      for _ in 0..<2 { try await responses.send(message) }
    }
    let limits = limits { $0.unsentBytesPerConnection = 12_000_000 }
    try await EchoFixture.run(service, limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send((0..<40).flatMap { RawSocket.request(stream: $0 * 2 + 1, method: "Expand", flags: 1) })
      // None is refused: each waits until there is room for its message.
      let frames = try socket.readCalls(40)
      #expect(frames.allSatisfy { $0.type == 3 })
      #expect(frames.count == 120)
    }
  }

  @Test("a message that a handler works on counts until it asks for the next")
  func messagesInHand() async throws {
    let gate = Gate()
    var service = ScriptedEcho()
    service.chatting = { requests, responses, _ in
      for try await _ in requests {
        try await responses.send(Msg())
        await gate.pass()
      }
    }
    let limits = limits { $0.unreadBytesPerConnection = 2_500_000 }
    try await run(service, meeting: .bufferedBytes, limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port)
      let message = Msg(value: String(repeating: "x", count: 1_000_000)).serialized()
      for stream: UInt32 in [1, 3] {
        try socket.send(RawSocket.request(stream: stream, method: "Chat", flags: 2))
        try socket.send(RawSocket.frame(stream: stream, type: 3, flags: 0, message))
        _ = try socket.readFrames { $0.streamID == stream }
      }
      try socket.send(RawSocket.request(stream: 5, method: "Chat", flags: 2))
      try socket.send(RawSocket.frame(stream: 5, type: 3, flags: 0, message))
      let refused = try socket.readFrames { $0.streamID == 5 }
      #expect(try RawSocket.status(refused[0]).errorInfo?.reason == "BUFFERS_FULL")
      gate.open()
      try socket.send(RawSocket.frame(stream: 1, type: 3, flags: 5, []))
      _ = try socket.readFrames { $0.streamID == 1 }
      try socket.send(RawSocket.request(stream: 7, method: "Chat", flags: 2))
      try socket.send(RawSocket.frame(stream: 7, type: 3, flags: 0, message))
      let taken = try socket.readFrames { $0.streamID == 7 }
      #expect(taken[0].type == 3)
    }
  }
}

/// A method whose request has lists, so that its memory is counted.
private struct ScriptedLists: RPCService {
  static let serviceName = "test.v1.Lists"

  func register(in router: inout Router) {
    let take = MethodDescriptor(
      service: Self.serviceName, name: "Take", kind: .unary, access: .public, idempotent: false)
    router.unary(take) { (_: BadRequest, _) in Msg() }
  }
}
