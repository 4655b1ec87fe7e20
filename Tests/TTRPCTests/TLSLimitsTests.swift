import Environment
import Cryptography
import EchoV1
import HostileClients
import LoopExecutor
import NIOCore
import NIOEmbedded
import NIOSSL
import TTRPCClient
import TestSupport
import Testing

@testable import TTRPCServer

@Suite("Limits and draining over TLS", .ownThreads, .timeLimit(.minutes(5)))
struct TLSLimitsTests {
  private let server: NIOSSLContext
  private let client: NIOSSLContext

  init() throws {
    let now = SystemClock().now
    let authority = try CertificateAuthority(name: "test", now: now, lifetime: .seconds(3_600))
    let pair = try authority.issue(
      commonName: "localhost", names: [.dns("localhost")], now: now, lifetime: .seconds(3_600))
    let chain = try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8))
    let key = try NIOSSLPrivateKey(bytes: Array(pair.privateKeyPEM.utf8), format: .pem)
    server = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    var trusting = TLSConfiguration.makeClientConfiguration()
    trusting.trustRoots = .certificates(
      try NIOSSLCertificate.fromPEMBytes(Array(authority.identity.certificatePEM.utf8)))
    client = try NIOSSLContext(configuration: trusting)
  }

  private func secured(_ fixture: EchoFixture) -> RPCClient {
    var settings = RPCClient.Settings()
    settings.healthCheck = nil
    settings.connectTimeout = .seconds(3_600)
    return RPCClient(
      host: "127.0.0.1", port: fixture.port, security: .tls(client, serverName: "localhost"), settings: settings,
      on: fixture.group.executors[1])
  }

  @Test("a connection that does not agree on TLS is closed; one that did stays", arguments: [0, 3])
  func handshake(bytes: Int) async throws {
    var limits = RPCServer.Limits()
    limits.sweepInterval = .milliseconds(5)
    limits.handshakeTime = .milliseconds(500)
    try await EchoFixture.run(ScriptedEcho(), limits: limits, security: .tls(server)) { fixture in
      let client = secured(fixture)
      // A stream that lasts shows that its connection does. Where the machine is too busy to agree in time, its client tries again.
      try await EchoClient(client).chat(.waiting) { writer, responses in
        try await writer.send(Msg(value: "agreed"))
        let socket = try RawSocket(port: fixture.port)
        try socket.send(Array([0x16, 0x03, 0x01].prefix(bytes)))
        try socket.waitForEnd()
        try await writer.send(Msg(value: "still"))
        writer.finish()
        var values: [String] = []
        for try await response in responses { values.append(response.value) }
        #expect(values == ["agreed", "still"])
      }
      await client.close()
    }
  }

  /// The first message of a client that wants TLS.
  private func clientHello() throws -> [UInt8] {
    let channel = EmbeddedChannel(handler: try NIOSSLClientHandler(context: client, serverHostname: "localhost"))
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    let hello = try #require(try channel.readOutbound(as: ByteBuffer.self))
    // It ends in the middle of its handshake.
    _ = try? channel.finish(acceptAlreadyClosed: true)
    return Array(hello.readableBytesView)
  }

  @Test("[S-5] A5: handshakes that one address begins and leaves take turns with that of another, which then calls")
  func halfHandshakes() async throws {
    let hold = Hold()
    let service = ScriptedEcho { request, _ in
      if request.value == "hold" { hold.block() }
      return request
    }
    var limits = RPCServer.Limits()
    (limits.connectionBurst, limits.connectionRate) = (10_000, 10_000)
    let hello = try clientHello()
    let callers = LoopGroup(threads: 1)
    func caller(_ fixture: EchoFixture) -> RPCClient {
      var settings = RPCClient.Settings()
      settings.healthCheck = nil
      settings.connectTimeout = .seconds(3_600)
      return RPCClient(
        host: "127.0.0.1", port: fixture.port, security: .tls(client, serverName: "localhost"), settings: settings,
        on: callers.executors[0])
    }
    try await EchoFixture.run(service, limits: limits, security: .tls(server), threads: 1) { fixture in
      let one = try HostileConnections(1, to: fixture.port, from: 2)
      one.add(hello)
      while !one.hasSentAll { one.push(.never) }
      var answer = 0
      try await until("a hello is answered") {
        answer += one.push(.drops)
        return answer > 0
      }
      let first = caller(fixture)
      async let held = EchoClient(first).unary(Msg(value: "hold"))
      try await until("the loop is held") { hold.isBlocking }
      // All of them have arrived when the loop goes on, the quiet one's behind the others.
      let count = 300
      let hostile = try HostileConnections(count, to: fixture.port, from: 2)
      hostile.add(hello)
      while !hostile.hasSentAll { hostile.push(.never) }
      let quiet = try RawSocket(port: fixture.port, from: 3)
      try quiet.send(hello)
      hold.release()
      try await quiet.waitForInput()
      let answered = hostile.push(.drops) / answer
      #expect(answered < count / 2, "\(answered) of \(count) were answered before")
      #expect(try await held.value == "hold")
      let other = caller(fixture)
      #expect(try await EchoClient(other).unary(Msg(value: "hello")).value == "hello")
      for client in [first, other] { await client.close() }
      withExtendedLifetime((one, hostile)) {}
    }
    try await callers.shutdown()
  }

  @Test("a server that stops answers what runs, and ends, over TLS too")
  func drain() async throws {
    let (began, gate) = (Gate(), Gate())
    let service = ScriptedEcho { request, _ in
      began.open()
      await gate.pass()
      return Msg(value: request.value + String(repeating: "x", count: 1_000_000))
    }
    try await EchoFixture.run(service, grace: .seconds(60), security: .tls(server)) { fixture in
      let client = secured(fixture)
      async let running = EchoClient(client).unary(Msg(value: "running"))
      await began.pass()
      async let stopped: Void = fixture.server.stop()
      gate.open()
      let count = try await running.value.utf8.count
      #expect(count == 1_000_007)
      await stopped
      await client.close()
    }
  }
}
