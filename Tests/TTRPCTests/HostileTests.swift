import EchoV1
import LoopExecutor
import Synchronization
import TTRPC
import TTRPCClient
import TestSupport
import Testing

@Suite("Hostile clients", .ownThreads, .timeLimit(.minutes(5)))
struct HostileTests {
  /// What 500 connections send; none of them ever reads.
  private static let attacks: [(connections: Int, bytes: [UInt8])] = [
    // A header, and nothing after it.
    (200, RawSocket.header(stream: 1, length: 4_000_000)),
    // A quarter of a frame.
    (150, RawSocket.header(stream: 1, length: 4_000_000) + [UInt8](repeating: 0, count: 1 << 20)),
    // Frames beyond what is taken, whole and in part.
    (50, RawSocket.header(stream: 1, length: 5_000_000) + [UInt8](repeating: 0, count: 600_000)),
    // A stream whose answers are not read, so that its handler does not read either.
    (75, RawSocket.request(stream: 1, method: "Chat", flags: 2) + messages(8)),
    // Answers that are never read.
    (25, (0..<4).flatMap { RawSocket.request(stream: $0 * 2 + 1, method: "Big", text: "2000000") }),
  ]

  private static func messages(_ count: Int) -> [UInt8] {
    let message = Msg(value: String(repeating: "x", count: 500_000)).serialized()
    return (0..<count).flatMap { _ in RawSocket.frame(stream: 1, type: 3, flags: 0, message) }
  }

  @Test("one that is gone while its requests are worked through takes nobody with it")
  func vanishing() async throws {
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      let requests = (0..<5_000).flatMap { RawSocket.request(stream: $0 * 2 + 1, method: "Unary", flags: 0) }
      for _ in 0..<20 {
        let socket = try RawSocket(port: fixture.port)
        socket.resetAtEnd()
        try socket.send(requests)
      }
      #expect(try await fixture.echo.unary(Msg(value: "here")).value == "here")
    }
  }

  @Test("500 of them do not get the server beyond its memory, and others are answered throughout")
  func memory() async throws {
    let server = try EchoProcess(["--buffered-mib", "32"])
    let group = LoopGroup(threads: 1)
    var settings = RPCClient.Settings()
    // On a busy machine an answer may take longer than a server has to prove that it is there.
    settings.healthCheck = nil
    let client = RPCClient(
      host: "127.0.0.1", port: server.port, security: .plaintext, settings: settings, on: group.executors[0])
    let echo = EchoClient(client)
    for _ in 0..<100 { _ = try await echo.unary(Msg(value: "before")) }
    let before = try server.peakMemory()

    let honest = HonestCaller(echo)
    let calls = Task { try await honest.run() }
    var sockets: [RawSocket] = []
    for (connections, bytes) in Self.attacks {
      // From an address of their own, so that they take no port that another test may listen on.
      let attackers = try (0..<connections).map { _ in try RawSocket(port: server.port, from: 9) }
      try await RawSocket.sendWhatIsTaken(bytes, on: attackers)
      sockets += attackers
    }
    try await honest.goesOn(for: 100)
    for (reason, count) in [("BUFFERS_FULL", 1), ("UNSENT_RESPONSE_LIMIT", 1), ("MESSAGE_TOO_LARGE", 50)] {
      try await server.refusals(reason, reach: count)
    }
    // The budget, and 128 KiB for each connection: its two allowances, and what the buffers of reading and writing come to. Beside them the
    // one message that the loop is at: its frame, its C struct and its value, 4 MiB each.
    let growth = try server.peakMemory() - before
    let allowed = (32 << 20) + 500 * (128 << 10) + 3 * (4 << 20)
    #expect(growth < allowed * EchoProcess.memoryFactor, "\(growth >> 20) MiB")

    sockets = []
    try await until("the server has let them go") { try await server.metric("rpc_server_connections ") <= 1 }
    honest.end()
    try await calls.value
    #expect(try await echo.big(Msg(value: "4000000")).value.utf8.count == 4_000_000)
    await client.close()
    try await group.shutdown()
  }

  @Test("messages of many tiny elements cost what they hold in memory, however few bytes they were on the wire")
  func amplification() async throws {
    let server = try EchoProcess(["--buffered-mib", "8"])
    // Two bytes each, of which eighty become.
    let message = [[UInt8]](repeating: [0x0A, 0x00], count: 50_000).flatMap(\.self)
    var sockets = [try RawSocket(port: server.port, from: 9)]
    // What is there once a request of that size was seen: buffers, and the arena's room.
    try Self.attack(sockets[0], calls: 1, with: message)
    let before = try server.peakMemory()
    for place in 0..<4 {
      // Opened when its turn comes: a connection that says nothing for long is closed.
      if place > 0 { sockets.append(try RawSocket(port: server.port, from: 9)) }
      try Self.attack(sockets[place], calls: 20, with: message)
    }
    // The budget; beside it one message of each event loop, decoded before it is counted, and what the allocator leaves unused.
    let growth = try server.peakMemory() - before
    #expect(growth < ((8 << 20) + (16 << 20)) * EchoProcess.memoryFactor, "\(growth >> 20) MiB")
    #expect(try await server.metric("rpc_server_refusals_total{reason=\"BUFFERS_FULL\"}") >= 60)
  }

  /// Makes half of the calls with the message in the request, and half with it on a stream; returns when the server has seen all.
  private static func attack(_ socket: RawSocket, calls: Int, with message: [UInt8]) throws {
    for index in 0..<calls {
      let stream = socket.takeStream()
      if index % 2 == 0 {
        try socket.send(RawSocket.request(stream: stream, service: "echo.v1.Deaf", method: "Keep", payload: message))
      } else {
        try socket.send(
          RawSocket.request(stream: stream, service: "echo.v1.Deaf", method: "WaitWithLists", flags: 2)
            + RawSocket.frame(stream: stream, type: 3, flags: 0, message))
      }
    }
    let last = socket.takeStream()
    try socket.send(RawSocket.request(stream: last, method: "Unary", text: "seen"))
    _ = try socket.readFrames { $0.streamID == last }
  }
}

/// Calls as long as it may, and fails when a call does.
private final class HonestCaller: Sendable {
  private let echo: EchoClient
  private let answered = Atomic(0)
  private let isOver = Atomic(false)
  private let hasFailed = Atomic(false)

  init(_ echo: EchoClient) {
    self.echo = echo
  }

  func run() async throws {
    do { try await call() } catch {
      hasFailed.store(true, ordering: .relaxed)
      Issue.record(error)
    }
  }

  private func call() async throws {
    while !isOver.load(ordering: .relaxed) {
      let answer = try await echo.unary(Msg(value: "honest"), CallOptions(timeout: .seconds(60)))
      #expect(answer.value == "honest")
      answered.add(1, ordering: .relaxed)
    }
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
  }

  /// Waits until that many more calls were answered.
  func goesOn(for count: Int) async throws {
    let before = answered.load(ordering: .relaxed)
    try await until("\(count) more are answered") {
      let isStuck = hasFailed.load(ordering: .relaxed)
      try #require(!isStuck)
      return answered.load(ordering: .relaxed) >= before + count
    }
  }
}
