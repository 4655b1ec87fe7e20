import EchoV1
import HostileClients
import LoopExecutor
import NIOCore
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCFrames
@testable import TTRPCServer

@Suite("Limits of a server", .ownThreads, .timeLimit(.minutes(5)))
struct LimitsTests {
  func limits(_ set: (inout RPCServer.Limits) -> Void) -> RPCServer.Limits {
    var limits = RPCServer.Limits()
    limits.sweepInterval = .milliseconds(5)
    // What one client may have of them is the matter of FairShareTests.
    limits.sharePercent = 1_000_000
    set(&limits)
    return limits
  }

  /// Runs a server with the limits, and expects it to have counted a refusal with the reason `reason`.
  func run(
    _ service: any RPCService, meeting reason: ServerLimit, limits: RPCServer.Limits,
    quantum: TimeAmount = LoopGroup.quantum,
    _ body: (EchoFixture) async throws -> Void
  ) async throws {
    let lines = Lines()
    try await EchoFixture.run(service, limits: limits, logger: lines.logger(.warning), quantum: quantum, body)
    // The first refusal is logged at once; those after it are logged with the next line.
    let line = lines.all.first { $0["message"] == "limits reached" }
    #expect(line?["refusals"] == "\(reason.rawValue): 1")
  }

  func failure(_ body: () async throws -> Void) async throws -> Status {
    do { try await body() } catch let status as Status { return status }
    return try #require(nil as Status?, "the call succeeded")
  }

  /// A connection that has been answered, so that the server has counted it for sure.
  func served(_ fixture: EchoFixture, from host: UInt8 = 1) throws -> RawSocket {
    let socket = try RawSocket(port: fixture.port, from: host)
    try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "hello"))
    _ = try socket.readFrames { $0.streamID == 1 }
    return socket
  }

  /// Whether the server takes one more connection now.
  func takesAnother(_ fixture: EchoFixture) async -> Bool {
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
    #expect(try network("10.0.0.1") == network("::ffff:10.0.0.1"))
    #expect(try network("10.0.0.1") != network("10.0.0.2"))
    #expect(try network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9"))
    #expect(try network("2001:db8:1:2::1") != network("2001:db8:1:3::1"))
  }

  @Test("a network gets its connections, all networks together get theirs, and one that ends makes room")
  func connectionCount() throws {
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

  private func network(_ address: String) throws -> ClientNetwork {
    ClientNetwork(try SocketAddress(ipAddress: address, port: 1))
  }

  @Test(
    "however many addresses take all the connections they get, there is one for the next", arguments: [1, 16, 1_000])
  func connectionShares(addresses: Int) {
    let limits = RPCServer.Limits()
    var count = ConnectionCount()
    var before = -1
    while before != count.total {
      before = count.total
      for address in 0..<addresses { _ = count.admit(.v4(UInt32(address)), limits) }
    }
    #expect(count.total < limits.connections - 10)
    let newcomer = (0..<limits.connections).prefix { _ in count.admit(.v6(1), limits) == nil }.count
    #expect(newcomer >= 10)
  }

  @Test("where one address may have all connections it gets them")
  func connectionsOfProxy() {
    var limits = RPCServer.Limits()
    (limits.connections, limits.connectionsPerAddress) = (100, 100)
    var count = ConnectionCount()
    #expect((0..<200).prefix { _ in count.admit(.v4(1), limits) == nil }.count == 100)
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
}
