import EchoV1
import LoopExecutor
import Synchronization
import TTRPC
import TTRPCClient
import TTRPCServer
import TestSupport
import Testing

@Suite("Streams over TCP", .ownThreads, .timeLimit(.minutes(5)))
struct StreamingCallTests {
  private func failure(_ body: () async throws -> Void) async throws -> Status {
    do { try await body() } catch let status as Status { return status }
    return try #require(nil as Status?, "the call succeeded")
  }

  private func texts(_ stream: MessageStream<Msg>) async throws -> [String] {
    var values: [String] = []
    for try await message in stream { values.append(message.value) }
    return values
  }

  // MARK: The kinds

  @Test("a server's stream comes in order and ends", arguments: [0, 1, 3, 20_000])
  func serverStream(count: Int) async throws {
    var service = ScriptedEcho()
    service.expanding = { request, responses, _ in
      for index in 0..<count { try await responses.send(Msg(value: "\(request.value)/\(index)")) }
    }
    try await EchoFixture.run(service) { fixture in
      let values = try await fixture.echo.expand(Msg(value: "v")) { try await self.texts($0) }
      #expect(values == (0..<count).map { "v/\($0)" })
    }
  }

  @Test("a client's stream is answered once it has ended", arguments: [0, 1, 5_000])
  func clientStream(count: Int) async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let answer = try await fixture.echo.collect { writer in
        for index in 0..<count { try await writer.send(Msg(value: "\(index)")) }
      }
      #expect(answer.value == (0..<count).map(String.init).joined(separator: ","))
    }
  }

  @Test("both sides talk in turn, empty messages included")
  func bidirectional() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      try await fixture.echo.chat { writer, responses in
        var iterator = responses.makeAsyncIterator()
        for text in ["one", "", "drei ✓", ""] {
          try await writer.send(Msg(value: text))
          let next = try await iterator.next()
          #expect(next?.value == text)
        }
        writer.finish()
        let last = try await iterator.next()
        #expect(last == nil)
      }
    }
  }

  @Test("a hundred streams of one connection keep apart")
  func manyStreams() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<100 {
          group.addTask {
            try await fixture.echo.chat { writer, responses in
              var iterator = responses.makeAsyncIterator()
              for index in 0..<20 {
                try await writer.send(Msg(value: "\(caller)/\(index)"))
                let next = try await iterator.next()
                #expect(next?.value == "\(caller)/\(index)")
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  // MARK: Ends

  @Test("a failure after messages comes after them")
  func failsLater() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let seen = Mutex<[String]>([])
      let status = try await failure {
        try await fixture.echo.expandFail(Msg(value: "why")) { responses in
          for try await response in responses { seen.withLock { $0.append(response.value) } }
        }
      }
      #expect(seen.withLock { $0 } == ["one"])
      #expect(status.code == .failedPrecondition && status.message == "fail: why")
    }
  }

  @Test(
    "a client that leaves cancels the handler, and the connection goes on", arguments: ["expand", "collect", "chat"])
  func leaving(method: String) async throws {
    let cancelled = Gate()
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      try await responses.send(Msg(value: "first"))
      await waitForCancellation()
      cancelled.open()
    }
    service.collecting = { requests, _ in
      do { for try await _ in requests {} } catch { cancelled.open() }
      return Msg()
    }
    service.chatting = { _, responses, _ in
      try await responses.send(Msg(value: "first"))
      await waitForCancellation()
      cancelled.open()
    }
    struct Left: Error {}
    try await EchoFixture.run(service) { fixture in
      switch method {
      case "expand":
        try await fixture.echo.expand(Msg()) { responses in
          for try await _ in responses { break }
        }
      case "chat":
        try await fixture.echo.chat { _, responses in
          for try await _ in responses { break }
        }
      default:
        await #expect(throws: Left.self) {
          _ = try await fixture.echo.collect { writer in
            try await writer.send(Msg(value: "half an upload"))
            throw Left()
          }
        }
      }
      await cancelled.pass()
      #expect(try await fixture.echo.unary(Msg(value: "still here")).value == "still here")
    }
  }

  @Test("a deadline ends a stream on both sides")
  func deadline() async throws {
    let cancelled = Gate()
    var service = ScriptedEcho()
    service.chatting = { requests, _, _ in
      do { for try await _ in requests {} } catch { #expect((error as? Status)?.code == .deadlineExceeded) }
      cancelled.open()
    }
    try await EchoFixture.run(service) { fixture in
      _ = try await fixture.echo.unary(Msg())
      let status = try await failure {
        // Long enough for the call to reach its handler on a busy machine.
        try await fixture.echo.chat(CallOptions(timeout: .seconds(3))) { _, responses in
          for try await _ in responses {}
        }
      }
      #expect(status.code == .deadlineExceeded)
      await cancelled.pass()
    }
  }

  @Test("cancelling the client's task ends its stream")
  func cancelledTask() async throws {
    let (began, cancelled) = (Gate(), Gate())
    var service = ScriptedEcho()
    service.chatting = { requests, _, _ in
      began.open()
      do { for try await _ in requests {} } catch { cancelled.open() }
    }
    try await EchoFixture.run(service) { fixture in
      let task = Task {
        try await fixture.echo.chat { _, responses in for try await _ in responses {} }
      }
      await began.pass()
      task.cancel()
      let status = try await failure { try await task.value }
      #expect(status.code == .cancelled)
      await cancelled.pass()
    }
  }

  @Test("a client that goes away cancels its streams")
  func disconnect() async throws {
    let (began, cancelled) = (Gate(), Gate())
    var service = ScriptedEcho()
    service.chatting = { requests, _, _ in
      began.open()
      do { for try await _ in requests {} } catch { #expect((error as? Status)?.code == .cancelled) }
      cancelled.open()
    }
    try await EchoFixture.run(service) { fixture in
      let other = fixture.anotherClient()
      let task = Task {
        try await EchoClient(other).chat { _, responses in for try await _ in responses {} }
      }
      await began.pass()
      await other.close()
      await cancelled.pass()
      let status = try await failure { try await task.value }
      #expect(status.code == .cancelled)
    }
  }

  @Test("a message after the end is refused, and the call's answer still comes")
  func sendAfterFinish() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let answer = try await fixture.echo.collect { writer in
        try await writer.send(Msg(value: "one"))
        writer.finish()
        let status = try await self.failure { try await writer.send(Msg(value: "two")) }
        #expect(status.code == .failedPrecondition)
      }
      #expect(answer.value == "one")
    }
  }

  @Test("a message that is too long ends its stream only")
  func tooLong() async throws {
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      try await responses.send(Msg(value: String(repeating: "x", count: 4_194_305)))
    }
    try await EchoFixture.run(service) { fixture in
      let served = try await failure { try await fixture.echo.expand(Msg()) { _ = try await self.texts($0) } }
      #expect(served.code == .resourceExhausted && served.errorInfo?.reason == "MESSAGE_TOO_LARGE")
      let sent = try await failure {
        _ = try await fixture.echo.collect { try await $0.send(Msg(value: String(repeating: "x", count: 4_194_305))) }
      }
      #expect(sent.code == .resourceExhausted)
      #expect(try await fixture.echo.unary(Msg(value: "still here")).value == "still here")
    }
  }

  // MARK: Who does not read

  @Test("a stream whose handler does not read is refused; the connection's other calls go on")
  func unreadByHandler() async throws {
    var service = ScriptedEcho()
    service.collecting = { _, _ in
      await waitForCancellation()
      return Msg()
    }
    var limits = RPCServer.Limits()
    limits.unreadBytesPerStream = 100_000
    let lines = Lines()
    try await EchoFixture.run(service, limits: limits, logger: lines.logger(.warning)) { fixture in
      let status = try await failure {
        _ = try await fixture.echo.collect { writer in
          let message = Msg(value: String(repeating: "x", count: 1_000))
          for index in 0..<100_000 {
            try await writer.send(message)
            if index % 50 == 0 { #expect(try await fixture.echo.unary(Msg(value: "beside")).value == "beside") }
          }
        }
      }
      #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "RECEIVE_BUFFER_FULL")
      #expect(try await fixture.echo.unary(Msg(value: "after")).value == "after")
    }
    #expect(lines.all.first?["refusals"] == "RECEIVE_BUFFER_FULL: 1")
  }

  @Test("a stream that its client does not read fails; the connection's other calls go on")
  func unreadByClient() async throws {
    let cancelled = Gate()
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      let message = Msg(value: String(repeating: "x", count: 1_000))
      do { while true { try await responses.send(message) } } catch {
        cancelled.open()
        throw error
      }
    }
    try await EchoFixture.run(service) { fixture in
      let status = try await failure {
        try await fixture.echo.expand(Msg()) { responses in
          // Only the end of the stream cancels the handler.
          await cancelled.pass()
          #expect(try await fixture.echo.unary(Msg(value: "beside")).value == "beside")
          for try await _ in responses {}
        }
      }
      #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "RECEIVE_BUFFER_FULL")
    }
  }

  @Test("a client that has its connection wait for its reader loses nothing, however late that reads")
  func pausedReading() async throws {
    let sent = Atomic(0)
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      let message = Msg(value: String(repeating: "x", count: 10_000))
      for _ in 0..<5_000 {
        try await responses.send(message)
        sent.add(1, ordering: .relaxed)
      }
    }
    try await EchoFixture.run(service) { fixture in
      var settings = RPCClient.Settings()
      settings.unreadStreams = .pauseReading
      settings.unreadBytesPerStream = 100_000
      let client = RPCClient(
        host: "127.0.0.1", port: fixture.port, security: .plaintext, settings: settings, on: fixture.group.executors[0])
      let count = try await EchoClient(client).expand(Msg()) { responses in
        var before = -1
        while case let now = sent.load(ordering: .relaxed), now == 0 || now != before {
          before = now
          // Long beside the sending of one message, so that nothing sent in it means that the server waits.
          try await Task.sleep(for: .milliseconds(100))
        }
        #expect(before < 5_000)
        return try await responses.reduce(into: 0) { count, _ in count += 1 }
      }
      #expect(count == 5_000)
      #expect(try await EchoClient(client).unary(Msg(value: "after")).value == "after")
      await client.close()
    }
  }

  @Test("a sender waits for a slow reader of the socket instead of piling up")
  func backPressure() async throws {
    let sent = Mutex(0)
    var service = ScriptedEcho()
    service.expanding = { _, responses, _ in
      let message = Msg(value: String(repeating: "x", count: 10_000))
      for _ in 0..<5_000 {
        try await responses.send(message)
        sent.withLock { $0 += 1 }
      }
    }
    try await EchoFixture.run(service) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Expand", flags: 1))
      // Nothing is read: the server fills the kernel's buffers and its own burst, and stops there.
      var before = -1
      var now = 0
      while now == 0 || now != before {
        before = now
        // Long beside the sending of one message, so that nothing sent in it means that the sender waits.
        try await Task.sleep(for: .milliseconds(100))
        now = sent.withLock { $0 }
      }
      #expect(now < 5_000)
      #expect(try await fixture.echo.unary(Msg(value: "beside")).value == "beside")
      let frames = try socket.readFrames(until: { $0.streamID == 1 && $0.flags == 5 })
      #expect(frames.count == 5_001)
    }
  }
}
