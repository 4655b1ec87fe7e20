import Backoff
import EchoV1
import Glibc
import LoopExecutor
import NIOCore
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCClient

@Suite("Connecting and connecting again", .timeLimit(.minutes(5)))
struct ClientReconnectTests {
  @Test("a client whose server comes back finds it by itself")
  func comesBack() async throws {
    try await ClientFixture.run { fixture in
      let address = try fixture.vacancy()
      // A call may still be sent to a peer that is gone, before the client has noticed; it may be repeated.
      let client = fixture.client([address], .repeating)
      for generation in 0..<3 {
        let peer = try await fixture.peer(address) { _ in .answer(Msg(value: "\(generation)")) }
        let answer = try await client.ask("", .repeatable, .waiting)
        #expect(answer == "\(generation)")
        try await peer.stop()
      }
    }
  }

  @Test("a lost connection is opened again without a call asking for it")
  func unasked() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer()
      let client = fixture.client([peer.address])
      _ = try await client.ask()
      try await peer.hangUp()
      let isBack = try await eventually { peer.accepted >= 2 }
      #expect(isBack)
    }
  }

  @Test("while the client backs off, a call fails at once and is told when the next attempt is")
  func failsFast() async throws {
    try await ClientFixture.run { fixture in
      let client = fixture.client([try fixture.vacancy()], .patient)
      for _ in 0..<3 {
        let status = try await client.refusal()
        #expect(status.code == .unavailable)
        let wait = try #require(status.retryAfter)
        #expect(wait > .seconds(1_000) && wait <= .seconds(4_320))
        #expect(status.message.contains("refused"))
      }
    }
  }

  @Test("attempts are made ever more seldom")
  func backsOff() async throws {
    try await ClientFixture.run { fixture in
      // Accepts and closes: no attempt ever succeeds.
      let peer = try await fixture.peer { _ in .hangUp }
      var settings = RPCClient.Settings.quick
      // The third wait is of half an hour: none sees the end of it.
      settings.reconnecting = Backoff(first: .microseconds(200), max: .seconds(3_600), factor: 3_000, jitter: 0)
      let client = fixture.client([peer.address], settings)
      var options = CallOptions.waiting
      options.timeout = .seconds(300)
      for _ in 0..<3 { _ = try await client.refusal(EchoMethods.unary, options) }
      let status = try await client.refusal()
      #expect(status.code == .unavailable)
      #expect((status.retryAfter ?? .zero) > .seconds(1_000))
      #expect(peer.accepted == 3)
    }
  }

  @Test("an attempt that is due when its client is closed is not made")
  func closedWhenDue() async throws {
    try await ClientFixture.run { fixture in
      let executor = fixture.group.executors[0]
      var settings = RPCClient.Settings.quick
      settings.reconnecting = Backoff(first: .milliseconds(5), max: .milliseconds(5), jitter: 0)
      let nobody = try fixture.vacancy()
      let address = try SocketAddress(ipAddress: nobody.host, port: nobody.port)
      let balancer = LoadBalancer([nobody], .plaintext, settings, .system, on: executor)
      let subchannel = Subchannel(address, .plaintext, settings, of: balancer, on: executor)
      executor.loop.execute { subchannel.connect() }
      _ = try await eventually { try await executor.loop.submit { subchannel.outage != nil }.get() }
      // Held for longer than the wait, the loop finds both at once: the end first, then the attempt.
      executor.loop.execute { usleep(20_000) }
      executor.loop.execute { _ = subchannel.close() }
      let isClosed = try await executor.loop.submit { subchannel.isIdle && subchannel.outage == nil }.get()
      #expect(isClosed)
      withExtendedLifetime(balancer) {}
    }
  }

  @Test("a call that waits for a server ends with its deadline")
  func deadlineWhileBackingOff() async throws {
    try await ClientFixture.run { fixture in
      let client = fixture.client([try fixture.vacancy()], .patient)
      var options = CallOptions.waiting
      options.timeout = .milliseconds(20)
      let status = try await client.refusal(EchoMethods.unary, options)
      #expect(status.code == .deadlineExceeded)
    }
  }

  // MARK: A server that accepts and then says nothing

  private static func tls() throws -> RPCClient.Security {
    .tls(try NIOSSLContext(configuration: .makeClientConfiguration()), serverName: nil)
  }

  @Test("the deadline covers the time that connecting takes")
  func deadlineWhileConnecting() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .silence }
      let client = fixture.client([peer.address], security: try Self.tls())
      let status = try await client.refusal(EchoMethods.unary, CallOptions(timeout: .milliseconds(20)))
      #expect(status.code == .deadlineExceeded)
    }
  }

  @Test("the limit to connecting covers the handshake")
  func connectTimeout() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .silence }
      var settings = RPCClient.Settings.patient
      settings.connectTimeout = .milliseconds(20)
      let client = fixture.client([peer.address], settings, security: try Self.tls())
      let status = try await client.refusal()
      #expect(status.code == .unavailable)
      #expect(status.message.contains("no connection after 0.02 seconds"))
    }
  }

  @Test("a call that is cancelled while connecting ends, as does one cancelled before")
  func cancelWhileConnecting() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .silence }
      let client = fixture.client([peer.address], security: try Self.tls())
      let call = Task { try await client.ask() }
      let isConnecting = try await eventually { peer.accepted == 1 }
      #expect(isConnecting)
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      let stream = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await EchoClient(client).chat { _, _ -> Void in Issue.record("the stream was opened") }
      }
      await #expect(throws: CancellationError.self) { try await stream.value }
    }
  }

  @Test("calls are cancelled at any moment, and the client goes on")
  func cancelAnywhere() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer()
      for round in 0..<20 {
        let client = fixture.client([peer.address])
        let calls = (0..<8).map { _ in Task { try await client.ask() } }
        for _ in 0..<round { await Task.yield() }
        for call in calls { call.cancel() }
        for call in calls {
          do { #expect(try await call.value == "ok") } catch is CancellationError {}
        }
        #expect(try await client.ask() == "ok")
      }
    }
  }

  @Test("closing a client ends the calls that wait for a connection, and later ones")
  func closeWhileConnecting() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .silence }
      let client = fixture.client([peer.address], security: try Self.tls())
      async let waiting = client.refusal()
      let isConnecting = try await eventually { peer.accepted == 1 }
      #expect(isConnecting)
      await client.close()
      let codes = [try await waiting.code, try await client.refusal().code]
      #expect(codes == [.cancelled, .cancelled])
    }
  }

  @Test("a client that was forgotten leaves no connection behind, and opens none")
  func forgotten() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer()
      for _ in 0..<3 {
        let client = RPCClient(
          addresses: [peer.address], security: .plaintext, settings: .quick, on: fixture.group.executors[0])
        _ = try await client.ask()
      }
      #expect(try await eventually { peer.open == 0 })
      #expect(peer.accepted == 3)
    }
  }
}

extension CallOptions {
  /// No limit, and timeout.
  static var waiting: CallOptions {
    var options = CallOptions()
    options.waitForReady = true
    return options
  }
}
