import EchoV1
import GRPCHealth
import HostileClients
import Logging
import LoopExecutor
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCClient
@testable import TTRPCServer

@Suite("What one client may have of a server", .ownThreads, .timeLimit(.minutes(5)))
struct FairShareTests {
  // MARK: Of places

  @Test(
    "connections of one address that hold all the calls they get leave everybody else's admitted and answered",
    arguments: [8, 64, 1_000])
  func oneAddress(connections: Int) async throws {
    let server = try EchoProcess([])
    let hostile = try HostileConnections(connections, to: server.port, from: 2)
    // More than there are places, for an hour each.
    let calls = HostileFrames.calls(
      40_000 / connections, of: "echo.v1.Echo/Chat", opens: true, timeout: 3_600_000_000_000)
    hostile.add(calls)
    try await until("all the calls are made") {
      hostile.push(.drops)
      return hostile.hasSentAll
    }
    try await server.refusals("TOO_MANY_CALLS_OF_ADDRESS", reach: 30_000)
    #expect(try await server.metric("rpc_server_refusals_total{reason=\"SERVER_BUSY\"}") == 0)

    let group = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: server.port, security: .plaintext, on: group.executors[0])
    let echo = EchoClient(client)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for caller in 0..<50 {
        tasks.addTask {
          for call in 0..<20 {
            let answer = try await echo.unary(Msg(value: "\(caller)/\(call)"))
            #expect(answer.value == "\(caller)/\(call)")
          }
          try await echo.chat { writer, responses in
            try await writer.send(Msg(value: "\(caller)"))
            let answer = try await responses.first { _ in true }
            #expect(answer?.value == "\(caller)")
          }
        }
      }
      try await tasks.waitForAll()
    }
    await client.close()
    try await group.shutdown()
  }

  @Test("however many take all they get, there is a place for the next", arguments: [1, 8, 64, 1_000])
  func manyAddresses(count: Int) {
    let limits = RPCServer.Limits()
    let load = ServerLoad(limits, logger: Logger(label: "test"))
    let clients = (0..<count).map { load.principals.hold(.address(.v4(UInt32($0)))) }
    var admitted = -1
    while admitted != load.callsAtWork {
      admitted = load.callsAtWork
      for client in clients { _ = isAdmitted(load, .common, client) }
    }
    let newcomer = load.principals.hold(.address(.v6(1)))
    let places = (0..<limits.calls).prefix { _ in isAdmitted(load, .common, newcomer) }.count
    #expect(places >= 25, "\(admitted) of \(limits.calls) are taken")
    let peer = load.principals.hold(.service("catalog"))
    let ofPeer = (0..<limits.calls).prefix { _ in isAdmitted(load, .service, peer) }.count
    #expect(ofPeer >= limits.reserve(of: limits.calls) / 2)
  }

  private func isAdmitted(_ load: ServerLoad, _ kind: CallPlaces.Kind, _ client: PrincipalHold) -> Bool {
    do throws(CallRefusal) { try load.admit(kind, of: client.principal) } catch { return false }
    return true
  }

  @Test("clients are forgotten that have gone, and what they took is given back")
  func forgotten() {
    let load = ServerLoad(RPCServer.Limits(), logger: Logger(label: "test"))
    do {
      let (first, second) = (load.principals.hold(.user("ada")), load.principals.hold(.user("ada")))
      #expect(first.principal === second.principal)
      #expect(load.principals.count == 1)
    }
    #expect(load.principals.count == 0)
  }

  /// Echoes, and answers health checks.
  private struct EchoAndHealth: RPCService {
    static let serviceName = ScriptedEcho.serviceName

    func register(in router: inout Router) {
      ScriptedEcho().register(in: &router)
      AlwaysWell().register(in: &router)
      router.bidirectional(Self.userChat) {
        (requests: MessageStream<Msg>, responses: MessageWriter<Msg>, _: CallContext) async throws in
        for try await request in requests { try await responses.send(request) }
      }
    }

    /// A method that returns its caller.
    static let userChat = MethodDescriptor(
      service: serviceName, name: "UserChat", kind: .bidirectional, access: .user, idempotent: false)
  }

  private struct AlwaysWell: HealthService {
    func check(_ request: HealthCheckRequest, _ context: CallContext) async throws -> HealthCheckResponse {
      HealthCheckResponse(status: .serving)
    }
    func watch(
      _ request: HealthCheckRequest, _ responses: MessageWriter<HealthCheckResponse>, _ context: CallContext
    ) async throws {}
  }

  /// Names the caller that the token names.
  private struct NamesCaller: ServerInterceptor {
    func callBegins(_ call: inout CallContext) throws(Status) {
      call.caller = call.metadata.bearerToken.map { Caller(subject: String($0)) }
    }
  }

  private static let small: RPCServer.Limits = {
    var limits = RPCServer.Limits()
    limits.calls = 100
    return limits
  }()

  /// Opens streams until one is refused.
  private func takeAll(_ socket: RawSocket) throws -> (taken: Int, refusal: Status) {
    var taken = 0
    while true {
      let stream = socket.takeStream()
      try socket.send(
        RawSocket.request(stream: stream, method: "Chat", flags: 2)
          + RawSocket.frame(stream: stream, type: 3, flags: 0, Msg(value: "hello").serialized()))
      let answer = try #require(try socket.readFrames { $0.streamID == stream }.last)
      if answer.type == 2 { return (taken, try RawSocket.status(answer)) }
      taken += 1
    }
  }

  @Test("an address that has its share is told so, to try again; health is answered to it and to others all the same")
  func health() async throws {
    try await EchoFixture.run(EchoAndHealth(), limits: Self.small) { fixture in
      let hostile = try RawSocket(port: fixture.port)
      let (taken, refusal) = try takeAll(hostile)
      #expect((10..<20).contains(taken))
      #expect(refusal.code == .resourceExhausted && refusal.errorInfo?.reason == "TOO_MANY_CALLS_OF_ADDRESS")
      #expect(refusal.retryAfter != nil)
      let health = HealthClient(fixture.client)
      for _ in 0..<100 { #expect(try await health.check(HealthCheckRequest()).status == .serving) }
      let elsewhere = try RawSocket(port: fixture.port, from: 2)
      #expect(try takeAll(elsewhere).taken >= 8)
      withExtendedLifetime(hostile) {}
    }
  }

  @Test("who has proved a user has the user's share, whatever others of the same address take")
  func users() async throws {
    try await EchoFixture.run(EchoAndHealth(), interceptors: [NamesCaller()], limits: Self.small) { fixture in
      let nobody = try RawSocket(port: fixture.port)
      #expect(try takeAll(nobody).refusal.errorInfo?.reason == "TOO_MANY_CALLS_OF_ADDRESS")
      try await withStreams(of: "ada", on: fixture.client, beside: 0) { refusal in
        #expect(refusal.errorInfo?.reason == "TOO_MANY_CALLS_OF_USER" && refusal.retryAfter != nil)
        try await withStreams(of: "grace", on: fixture.client, beside: 99) { _ in Issue.record("grace is refused") }
      }
      try await until("all that ada had is free again") {
        var isRefused = false
        try await withStreams(of: "ada", on: fixture.client, beside: 99) { _ in isRefused = true }
        return !isRefused
      }
      withExtendedLifetime(nobody) {}
    }
  }

  /// Opens one stream within the other, a hundred at most, until one is refused, then does `body`.
  private func withStreams(
    of user: String, on client: RPCClient, beside count: Int, _ body: (Status) async throws -> Void
  ) async throws {
    guard count < 100 else { return }
    var refusal: Status?
    try await client.stream(EchoAndHealth.userChat, nil as Msg?, .token(user)) {
      (writer: RequestWriter<Msg>, responses: MessageStream<Msg>) in
      var answers = responses.makeAsyncIterator()
      do {
        try await writer.send(Msg(value: "hello"))
        _ = try await answers.next()
      } catch let status as Status { refusal = status }
      if refusal == nil { try await withStreams(of: user, on: client, beside: count + 1, body) }
    }
    if let refusal { try await body(refusal) }
  }

  // MARK: Of memory

  @Test("unfinished requests of one address leave room for the requests of others, however many connections it has")
  func unfinishedRequests() async throws {
    let server = try EchoProcess(["--buffered-mib", "64"])
    let hostile = try HostileConnections(64, to: server.port, from: 2)
    hostile.add(HostileFrames.unfinished(4_000_000, sent: 3_900_000))
    try await until("all is sent") {
      hostile.push(.drops)
      return hostile.hasSentAll
    }
    try await server.refusals("BUFFERS_FULL", reach: 50)
    let group = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: server.port, security: .plaintext, on: group.executors[0])
    let text = String(repeating: "x", count: 1_000_000)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for _ in 0..<4 {
        tasks.addTask {
          for _ in 0..<5 {
            let answer = try await EchoClient(client).unary(Msg(value: text))
            #expect(answer.value == text)
          }
        }
      }
      try await tasks.waitForAll()
    }
    await client.close()
    try await group.shutdown()
  }

  @Test("downloads that nobody reads hold a few pieces for each connection, and what they held goes back to the system")
  func unreadDownloads() async throws {
    let server = try EchoProcess(["--buffered-mib", "64"])
    let warm = try HostileConnections(50, to: server.port, from: 3)
    warm.add(HostileFrames.call("echo.v1.Deaf/Pour", stream: 1))
    try await until("as much as each gets is taken") { warm.push(.drops) == 0 }
    let before = try server.memory()
    do {
      let hostile = try HostileConnections(200, to: server.port, from: 2, receiveBuffer: 8_192)
      hostile.resetAtEnd()
      hostile.add(HostileFrames.calls(20, of: "echo.v1.Deaf/Pour"))
      try await until("all the downloads have begun") {
        hostile.push(.never)
        // On a busy machine the first may have been given up, as too slow, before the last begins.
        let series = try await server.exposition().split(separator: "\n").filter {
          ($0.hasPrefix("rpc_server_calls_in_flight{") || $0.hasPrefix("rpc_server_calls_total{"))
            && $0.contains("\"Pour\"")
        }
        return series.reduce(0) { $0 + (Double($1.split(separator: " ").last ?? "") ?? 0) } >= 4_000
      }
      let client = try RawSocket(port: server.port)
      let text = String(repeating: "x", count: 1_000_000)
      try client.send(RawSocket.request(stream: 1, method: "Unary", text: text))
      #expect(try client.readFrames { $0.streamID == 1 }[0].body.count > 1_000_000)
      // The share of the address; a piece and what is on its way for each connection, and 8 KiB for each call.
      let allowed = (64 << 20) / 6 + 200 * (192 << 10) + 4_000 * (8 << 10)
      let growth = try server.peakMemory() - before
      #expect(growth < allowed * EchoProcess.memoryFactor, "\(growth >> 20) MiB")
    }
    let margin = 16 << 20
    try await until("the memory is given back") { try server.memory() < before + margin * EchoProcess.memoryFactor }
  }

  @Test("memory is given back whenever the process is larger than it has been, more rarely while all of it is in use")
  func freedMemory() {
    let resident = Atomic(40)
    let used = Atomic(40)
    let releases = Atomic(0)
    let memory = FreedMemory(resident: { resident.load(ordering: .relaxed) << 20 }) {
      releases.add(1, ordering: .relaxed)
      resident.store(used.load(ordering: .relaxed), ordering: .relaxed)
    }
    func look(_ grown: Int, inUse: Int, _ count: Int, times: Int = 1) {
      for _ in 0..<times {
        resident.store(grown, ordering: .relaxed)
        used.store(inUse, ordering: .relaxed)
        memory.look()
      }
      #expect(releases.load(ordering: .relaxed) == count, "\(grown) MiB, \(inUse) in use")
    }
    look(41, inUse: 40, 0)
    look(42, inUse: 40, 1)
    look(100, inUse: 100, 2)
    // One look is left out, then two, then four.
    look(100, inUse: 100, 4, times: 5)
    // What was freed meanwhile stays resident.
    look(100, inUse: 41, 4, times: 4)
    look(100, inUse: 41, 5)
    look(44, inUse: 41, 6)
  }

  @Test("however many take all the memory they get, there is some for the next", arguments: [1, 8, 64])
  func manyBuffers(count: Int) {
    let load = ServerLoad(RPCServer.Limits(), logger: Logger(label: "test"))
    let clients = (0..<count).map { load.principals.hold(.address(.v4(UInt32($0)))) }
    let piece = 65_536
    var taken = -1
    while taken != load.bytes.bytes {
      taken = load.bytes.bytes
      for client in clients { _ = client.principal.bytes.take(piece) }
    }
    let newcomer = load.principals.hold(.address(.v6(1)))
    #expect(newcomer.principal.bytes.take(1 << 20), "\(taken >> 20) MiB are taken")
    #expect(load.principals.hold(.service("catalog")).principal.bytes.take(8 << 20))
    let user = load.principals.hold(.user("ada"))
    #expect(user.principal.bytes.take(1 << 20))
  }
}
