import EchoV1
import LoopExecutor
import Synchronization
import TTRPC
import TTRPCClient
import TTRPCServer
import TestSupport
import Testing

@Suite("Unary calls over TCP", .timeLimit(.minutes(5)))
struct UnaryCallTests {
  private struct Unmapped: Error {}

  private struct Known: StatusConvertible {
    var status: Status { Status(.unavailable, reason: "AWAY", "come back", retryAfter: .milliseconds(1_500)) }
  }

  private struct OneToken: Authenticator {
    func caller(provenBy token: Substring, for access: Access) throws(Status) -> Caller {
      guard token == "good" else { throw Status(.unauthenticated, reason: "TOKEN_INVALID", "no") }
      return Caller(subject: "somebody", sessionID: "session")
    }
  }

  private func failure(_ body: () async throws -> Void) async throws -> Status {
    do {
      try await body()
    } catch let status as Status {
      return status
    }
    Issue.record("the call succeeded")
    return Status(.ok, "")
  }

  @Test("answers with what the handler returns, empty messages included", arguments: ["", "hello", "日本語\0!"])
  func echo(text: String) async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let answer = try await fixture.echo.unary(Msg(value: text))
      #expect(answer.value == text)
    }
  }

  @Test("answers 64 callers on one connection, each with its own answer")
  func concurrency() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<64 {
          group.addTask {
            for call in 0..<50 {
              let text = "\(caller)/\(call)"
              let answer = try await fixture.echo.unary(Msg(value: text))
              #expect(answer.value == text)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("carries a status with its details to the caller")
  func statusWithDetails() async throws {
    let thrown = Status(
      .failedPrecondition, reason: "SLOT_TAKEN", "Please choose another", metadata: ["until": "tomorrow"],
      retryAfter: .seconds(3))
    try await EchoFixture.run(ScriptedEcho { _, _ in throw thrown }) { fixture in
      let status = try await failure { _ = try await fixture.echo.unary(Msg()) }
      #expect(status == thrown)
      #expect(status.errorInfo?.reason == "SLOT_TAKEN")
      #expect(status.errorInfo?.metadata == ["until": "tomorrow"])
      #expect(status.retryAfter == .seconds(3))
    }
  }

  @Test("tells nothing of a failure that nobody mapped")
  func opaqueFailure() async throws {
    try await EchoFixture.run(ScriptedEcho { _, _ in throw Unmapped() }) { fixture in
      let status = try await failure { _ = try await fixture.echo.unary(Msg()) }
      #expect(status.code == .internal)
      #expect(!"\(status)".contains("Unmapped"))
    }
  }

  @Test("[C-3] answers a retryable failure with the time to wait")
  func convertibleFailure() async throws {
    try await EchoFixture.run(ScriptedEcho { _, _ in throw Known() }) { fixture in
      let status = try await failure { _ = try await fixture.echo.unary(Msg()) }
      #expect(status.code == .unavailable)
      #expect(status.errorInfo?.reason == "AWAY")
      #expect(status.retryAfter == .milliseconds(1_500))
    }
  }

  @Test("a caller is not told where a service was looked for that its own one needs, nor why it was not found")
  func unreachablePeer() async throws {
    try await ClientFixture.run { fixture in
      let nobody = try fixture.vacancy()
      let peer = EchoClient(fixture.client([nobody], .patient))
      let lines = Lines()
      let logging = CallLogging(lines.logger(.info))
      try await EchoFixture.run(ScriptedEcho { request, _ in try await peer.unary(request) }, interceptors: [logging]) {
        echo in
        let status = try await failure { _ = try await echo.echo.unary(Msg()) }
        #expect(status.code == .unavailable && status.errorInfo?.reason == "UNAVAILABLE" && status.retryAfter != nil)
        #expect(status.message == "A service that this one needs cannot be reached")
      }
      // The log says both.
      let cause = try #require(lines.all.first?["cause"])
      #expect(cause.contains(nobody.description) && cause.contains("refused"))
    }
  }

  @Test("a caller is not told that a call was not begun where that was so of a call which its service made")
  func drainingPeer() async throws {
    let calls = Atomic(0)
    let service = ScriptedEcho { _, _ in
      calls.add(1, ordering: .relaxed)
      throw Status(.unavailable, reason: "DRAINING", "the peer stops", retryAfter: .milliseconds(1))
    }
    try await EchoFixture.run(service) { fixture in
      let status = try await failure { _ = try await fixture.echo.unary(Msg()) }
      #expect(status.code == .unavailable && status.errorInfo?.reason == "UNAVAILABLE" && status.retryAfter != nil)
      // With another status the client would repeat the call, although it may not be repeated.
      #expect(calls.load(ordering: .relaxed) == 1)
    }
  }

  @Test("hands metadata to the handler, keys without case, values in order")
  func metadata() async throws {
    let handler: ScriptedEcho.Handler = { _, context in
      Msg(value: context.metadata.values(of: "x-key").joined(separator: ","))
    }
    try await EchoFixture.run(ScriptedEcho(handler)) { fixture in
      var options = CallOptions()
      options.metadata.append("X-Key", "a")
      options.metadata.append("x-KEY", "b")
      let answer = try await fixture.echo.unary(Msg(), options)
      #expect(answer.value == "a,b")
    }
  }

  @Test("the deadline reaches the handler, passes there, and cancels it")
  func deadline() async throws {
    let cancelled = Gate()
    let handler: ScriptedEcho.Handler = { request, context in
      if request.value == "connected" { return request }
      #expect(context.deadline != nil)
      await waitForCancellation()
      cancelled.open()
      throw CancellationError()
    }
    try await EchoFixture.run(ScriptedEcho(handler)) { fixture in
      _ = try await fixture.echo.unary(Msg(value: "connected"))
      let status = try await failure {
        // Long enough for the call to reach its handler on a busy machine.
        _ = try await fixture.echo.sleep(Msg(), CallOptions(timeout: .seconds(3)))
      }
      #expect(status.code == .deadlineExceeded)
      await cancelled.pass()
    }
  }

  @Test("a client that goes away cancels what it asked for")
  func clientGoesAway() async throws {
    let started = Gate()
    let cancelled = Gate()
    let handler: ScriptedEcho.Handler = { _, _ in
      started.open()
      await waitForCancellation()
      cancelled.open()
      throw CancellationError()
    }
    try await EchoFixture.run(ScriptedEcho(handler)) { fixture in
      let other = fixture.anotherClient()
      async let call = failure { _ = try await EchoClient(other).unary(Msg()) }
      await started.pass()
      await other.close()
      await cancelled.pass()
      let code = try await call.code
      #expect(code == .cancelled)
    }
  }

  @Test("cancelling the caller's task ends its wait and leaves the connection usable")
  func callerCancels() async throws {
    let started = Gate()
    let handler: ScriptedEcho.Handler = { request, _ in
      guard request.value == "wait" else { return request }
      started.open()
      await waitForCancellation()
      return request
    }
    try await EchoFixture.run(ScriptedEcho(handler)) { fixture in
      let waiting = Task { try await fixture.echo.unary(Msg(value: "wait")) }
      await started.pass()
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      let next = try await fixture.echo.unary(Msg(value: "next"))
      #expect(next.value == "next")
    }
  }

  @Test("one call too many on a connection is refused with a status, and the others go on")
  func callLimit() async throws {
    let gate = Gate()
    let handler: ScriptedEcho.Handler = { request, _ in
      if request.value == "wait" { await gate.pass() }
      return request
    }
    var limits = RPCServer.Limits()
    limits.callsPerConnection = 2
    try await EchoFixture.run(ScriptedEcho(handler), limits: limits) { fixture in
      try await withThrowingTaskGroup(of: Code.self) { group in
        for _ in 0..<3 {
          group.addTask {
            do { return try await fixture.echo.unary(Msg(value: "wait")).value == "wait" ? .ok : .internal } catch let
              status as Status
            {
              gate.open()
              #expect(status.retryAfter != nil)
              return status.code
            }
          }
        }
        let codes = try await group.reduce(into: []) { $0.append($1) }
        #expect(codes.filter { $0 == .ok }.count == 2)
        #expect(codes.filter { $0 == .resourceExhausted }.count == 1)
      }
    }
  }

  @Test("an answer that is too long fails its own call only")
  func oversizeAnswer() async throws {
    let handler: ScriptedEcho.Handler = { request, _ in
      request.value == "big" ? Msg(value: String(repeating: "x", count: 5_000_000)) : request
    }
    try await EchoFixture.run(ScriptedEcho(handler)) { fixture in
      let status = try await failure { _ = try await fixture.echo.big(Msg(value: "big")) }
      #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "MESSAGE_TOO_LARGE")
      #expect(status.message.contains("exceed maximum message size of 4194304"))
      #expect(try await fixture.echo.unary(Msg(value: "next")).value == "next")
    }
  }

  @Test("a request that is too long is refused before it is sent")
  func oversizeRequest() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let long = Msg(value: String(repeating: "x", count: 5_000_000))
      let status = try await failure { _ = try await fixture.echo.unary(long) }
      #expect(status.code == .resourceExhausted)
      #expect(try await fixture.echo.unary(Msg(value: "next")).value == "next")
    }
  }

  @Test("[C-1] a method for users asks for a token, and tells which kind of refusal it is")
  func authentication() async throws {
    try await EchoFixture.run(UserOnly(), interceptors: [Authentication(OneToken(), at: "echo")]) { fixture in
      let method = UserOnly.method
      let none = try await failure { let _: Msg = try await fixture.client.call(method, Msg(), .default) }
      #expect(none.code == .unauthenticated)
      #expect(none.errorInfo?.reason == "TOKEN_MISSING")
      let wrong = try await failure { let _: Msg = try await fixture.client.call(method, Msg(), .token("bad")) }
      #expect(wrong.errorInfo?.reason == "TOKEN_INVALID")
      let answer: Msg = try await fixture.client.call(method, Msg(), .token("good"))
      #expect(answer.value == "somebody")
    }
  }

  private struct UserOnly: RPCService {
    static let serviceName = "test.v1.UserOnly"
    static let method = MethodDescriptor(
      service: serviceName, name: "Whoami", kind: .unary, access: .user, idempotent: true)

    func register(in router: inout Router) {
      router.unary(Self.method) { (_: Msg, context) in Msg(value: context.caller?.subject ?? "nobody") }
    }
  }

  @Test("a server that stops lets running calls end and refuses new ones")
  func drain() async throws {
    let started = Gate()
    let gate = Gate()
    let handler: ScriptedEcho.Handler = { request, _ in
      guard request.value == "wait" else { return request }
      started.open()
      await gate.pass()
      return request
    }
    try await EchoFixture.run(ScriptedEcho(handler), grace: .seconds(60)) { fixture in
      async let running = fixture.echo.unary(Msg(value: "wait"))
      await started.pass()
      async let stopped: Void = fixture.server.stop()
      while true {
        do {
          _ = try await fixture.echo.unary(Msg(value: "new"))
        } catch let status as Status {
          #expect(status.code == .unavailable)
          #expect(status.retryAfter != nil)
          break
        }
      }
      gate.open()
      let answer = try await running.value
      #expect(answer == "wait")
      await stopped
    }
  }

  @Test("a server that is not there is UNAVAILABLE")
  func absentServer() async throws {
    let port = try await EchoFixture.run(ScriptedEcho()) { $0.port }
    let group = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: group.executors[0])
    let status = try await failure { _ = try await EchoClient(client).unary(Msg()) }
    #expect(status.code == .unavailable)
    await client.close()
    try await group.shutdown()
  }
}
