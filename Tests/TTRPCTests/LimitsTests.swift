import EchoV1
import HostileClients
import struct GoogleRPC.BadRequest
import NIOCore
import TTRPC
import Synchronization
import TTRPCWire
import TestSupport
import Testing

@testable import TTRPC

@Suite("Limits of a server", .ownThreads, .timeLimit(.minutes(5)))
struct LimitsTests {
  private func limits(_ set: (inout RPCServer.Limits) -> Void) -> RPCServer.Limits {
    var limits = RPCServer.Limits()
    limits.sweepInterval = .milliseconds(5)
    // What one client may have of them is the matter of FairShareTests.
    limits.sharePercent = 1_000_000
    set(&limits)
    return limits
  }

  /// Runs a server with the limits, and expects it to have counted that somebody met the one that `reason` names.
  private func run(
    _ service: any RPCService, meeting reason: ServerLimit, limits: RPCServer.Limits,
    _ body: (EchoFixture) async throws -> Void
  ) async throws {
    let lines = Lines()
    try await EchoFixture.run(service, limits: limits, logger: lines.logger(.warning), body)
    // A line tells of the first refusal at once; those after it would wait for the next.
    let line = lines.all.first { $0["message"] == "clients met limits" }
    #expect(line?["refusals"] == "\(reason.rawValue): 1")
  }

  private func failure(_ body: () async throws -> Void) async throws -> Status {
    do { try await body() } catch let status as Status { return status }
    return try #require(nil as Status?, "the call succeeded")
  }

  /// A connection that has been answered, so that the server has counted it for sure.
  private func served(_ fixture: EchoFixture, from host: UInt8 = 1) throws -> RawSocket {
    let socket = try RawSocket(port: fixture.port, from: host)
    try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "hello"))
    _ = try socket.readFrames { $0.streamID == 1 }
    return socket
  }

  /// Whether the server takes one more connection now.
  private func takesAnother(_ fixture: EchoFixture) async -> Bool {
    let client = fixture.anotherClient()
    let answer = try? await EchoClient(client).unary(Msg(value: "another"))
    await client.close()
    return answer?.value == "another"
  }

  // MARK: Connections

  @Test("a connection too many is closed at once; the others go on, and one that ends makes room")
  func connections() async throws {
    let limits = limits { $0.connections = 2 }
    try await run(ScriptedEcho(), meeting: .connections, limits: limits) { fixture in
      #expect(try await fixture.echo.unary(Msg(value: "first")).value == "first")
      do {
        let second = try served(fixture)
        let third = try RawSocket(port: fixture.port)
        try third.waitForEnd()
        try second.send(RawSocket.request(stream: 3, method: "Unary"))
        _ = try second.readFrames { $0.streamID == 3 }
      }
      try await until("there is room again") { await takesAnother(fixture) }
      #expect(try await fixture.echo.unary(Msg(value: "still")).value == "still")
    }
  }

  @Test("a connection too many from one address is closed; another address is served")
  func connectionsPerAddress() async throws {
    let limits = limits { $0.connectionsPerAddress = 1 }
    try await run(ScriptedEcho(), meeting: .connectionsPerAddress, limits: limits) { fixture in
      let first = try served(fixture, from: 2)
      let second = try RawSocket(port: fixture.port, from: 2)
      try second.waitForEnd()
      let elsewhere = try served(fixture, from: 3)
      withExtendedLifetime((first, elsewhere)) {}
    }
  }

  @Test("addresses are counted as networks: IPv4 by address, however it is written, IPv6 by its first 64 bits")
  func networks() throws {
    func network(_ address: String) throws -> ClientNetwork {
      ClientNetwork(try SocketAddress(ipAddress: address, port: 1))
    }
    #expect(try network("10.0.0.1") == network("::ffff:10.0.0.1"))
    #expect(try network("10.0.0.1") != network("10.0.0.2"))
    #expect(try network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9"))
    #expect(try network("2001:db8:1:2::1") != network("2001:db8:1:3::1"))
    var count = ConnectionCount()
    let limits = limits { ($0.connections, $0.connectionsPerAddress) = (3, 2) }
    #expect(try count.admit(network("10.0.0.1"), limits) == nil)
    #expect(try count.admit(network("10.0.0.1"), limits) == nil)
    #expect(try count.admit(network("10.0.0.1"), limits) == .connectionsPerAddress)
    #expect(try count.admit(network("10.0.0.2"), limits) == nil)
    #expect(try count.admit(network("10.0.0.3"), limits) == .connections)
    try count.remove(network("10.0.0.1"))
    #expect(try count.admit(network("10.0.0.1"), limits) == nil)
  }

  // MARK: Sizes

  @Test("a message beyond the server's own limit is refused, and its stream ends; the connection goes on")
  func messageBytes() async throws {
    try await run(ScriptedEcho(), meeting: .messageBytes, limits: limits { $0.messageBytes = 1_000 }) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(
        RawSocket.request(stream: 1, method: "Chat", flags: 2)
          + RawSocket.frame(stream: 1, type: 3, flags: 0, [UInt8](repeating: 0, count: 1_001))
          + RawSocket.request(stream: 3, method: "Unary", text: String(repeating: "x", count: 2_000))
          + RawSocket.request(stream: 5, method: "Unary", text: String(repeating: "x", count: 900)))
      let frames = try socket.readFrames { $0.streamID == 5 }
      #expect(frames.map(\.streamID) == [1, 3, 5])
      for frame in frames.prefix(2) {
        let status = try RawSocket.status(frame)
        #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "MESSAGE_TOO_LARGE")
        #expect(status.message.hasSuffix("exceed maximum message size of 1000"))
      }
    }
  }

  @Test("a message of a stream that is too long is counted as a request that is")
  func messageBytesOfStream() async throws {
    try await run(ScriptedEcho(), meeting: .messageBytes, limits: limits { $0.messageBytes = 1_000 }) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(
        RawSocket.request(stream: 1, method: "Chat", flags: 2)
          + RawSocket.frame(stream: 1, type: 3, flags: 0, [UInt8](repeating: 0, count: 1_001)))
      _ = try socket.readFrames { $0.streamID == 1 }
    }
  }

  @Test("metadata beyond a number of pairs or bytes is refused; up to them it is taken", arguments: [1, 3])
  func metadata(pairs: Int) async throws {
    let limits = limits { ($0.metadataPairs, $0.metadataBytes) = (pairs == 1 ? 4 : 3, 1_000) }
    try await run(ScriptedEcho(), meeting: .metadata, limits: limits) { fixture in
      var options = CallOptions()
      for index in 0..<pairs {
        options.metadata.append("key", String(repeating: "v", count: (1_000 / pairs) - 3 - index / 2))
      }
      #expect(try await fixture.echo.unary(Msg(value: "ok"), options).value == "ok")
      options.metadata.append("x", pairs == 1 ? "y" : "")
      let status = try await failure { _ = try await fixture.echo.unary(Msg(), options) }
      #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "METADATA_TOO_LARGE")
      #expect(status.retryAfter == nil)
      #expect(try await fixture.echo.unary(Msg(value: "after")).value == "after")
    }
  }

  // MARK: Calls

  @Test("a call too many in all is refused on whatever connection; one that ends makes room")
  func calls() async throws {
    let gate = Gate()
    let handler: ScriptedEcho.Handler = { request, _ in
      if request.value == "wait" { await gate.pass() }
      return request
    }
    try await run(ScriptedEcho(handler), meeting: .calls, limits: limits { $0.calls = 2 }) { fixture in
      let (first, second) = (try RawSocket(port: fixture.port), try RawSocket(port: fixture.port))
      try first.send(RawSocket.request(stream: 1, method: "Unary", text: "wait"))
      try second.send(RawSocket.request(stream: 1, method: "Chat", flags: 2))
      var status: Status?
      while status == nil {
        do { _ = try await fixture.echo.unary(Msg(value: "third")) } catch let refusal as Status { status = refusal }
      }
      #expect(status?.code == .resourceExhausted && status?.errorInfo?.reason == "SERVER_BUSY")
      #expect(status?.retryAfter != nil)
      gate.open()
      _ = try first.readFrames { $0.streamID == 1 }
      #expect(try await fixture.echo.unary(Msg(value: "room")).value == "room")
      withExtendedLifetime(second) {}
    }
  }

  @Test(
    "a call whose client names no deadline, or a later one, has the server's, unary or stream",
    arguments: ["Unary", "Chat"], [0, 3_600_000_000_000])
  func callTime(method: String, timeout: Int64) async throws {
    let cancelled = Gate()
    var service = ScriptedEcho { request, _ in
      await waitForCancellation()
      cancelled.open()
      return request
    }
    service.chatting = { requests, _, _ in
      do { for try await _ in requests {} } catch { cancelled.open() }
    }
    let limits = limits { ($0.callDuration, $0.streamDuration) = (.milliseconds(20), .milliseconds(20)) }
    try await run(service, meeting: .callTime, limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(
        HostileFrames.call("echo.v1.Echo/\(method)", stream: 1, opens: method == "Chat", timeout: timeout))
      let frames = try socket.readFrames { $0.streamID == 1 }
      #expect(try RawSocket.status(frames[0]).code == .deadlineExceeded)
      await cancelled.pass()
    }
  }

  // MARK: Memory

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
  func untakenAnswers() async throws {
    let handler: ScriptedEcho.Handler = { _, _ in Msg(value: String(repeating: "x", count: 1_000_000)) }
    let limits = limits { $0.untakenBytesPerConnection = 12_000_000 }
    try await run(ScriptedEcho(handler), meeting: .untakenBytes, limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port)
      // One write, so that all answers come before the client could have taken any.
      try socket.send((0..<40).flatMap { RawSocket.request(stream: $0 * 2 + 1, method: "Unary") })
      let frames = try socket.readFrames { $0.streamID == 79 }
      let refusals = try frames.filter { $0.body.count < 1_000 }.map(RawSocket.status)
      #expect((20..<40).contains(refusals.count))
      #expect(refusals.allSatisfy { $0.code == .resourceExhausted && $0.errorInfo?.reason == "ANSWERS_UNTAKEN" })
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
    let limits = limits { $0.untakenBytesPerConnection = 12_000_000 }
    try await EchoFixture.run(ScriptedEcho(handler), limits: limits) { fixture in
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
  func untakenAnswersOneByOne() async throws {
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
      $0.untakenBytesPerConnection = 4_000_000
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
      #expect(refusals.allSatisfy { $0.code == .resourceExhausted && $0.errorInfo?.reason == "ANSWERS_UNTAKEN" })
    }
  }

  @Test("many streams that a client does not take hold no more than a few messages")
  func untakenStreams() async throws {
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      let message = Msg(value: String(repeating: "x", count: 1_000_000))
      for _ in 0..<2 { try await responses.send(message) }
    }
    let limits = limits { $0.untakenBytesPerConnection = 12_000_000 }
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

  // MARK: Times

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
  func untaken() async throws {
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

/// A method whose request has lists, so that its memory is counted.
private struct ScriptedLists: RPCService {
  static let serviceName = "test.v1.Lists"

  func register(in router: inout Router) {
    let take = MethodDescriptor(
      service: Self.serviceName, name: "Take", kind: .unary, access: .public, idempotent: false)
    router.unary(take) { (_: BadRequest, _) in Msg() }
  }
}
