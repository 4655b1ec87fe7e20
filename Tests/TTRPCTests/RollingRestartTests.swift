import EchoV1
import Logging
import LoopExecutor
import NIOCore
import Synchronization
import TTRPC
import Testing

@Suite("A rolling restart", .timeLimit(.minutes(1)))
struct RollingRestartTests {
  @Test("of one of two replicas after the other loses no call that the client retries")
  func rolling() async throws {
    let group = LoopGroup(threads: 2)
    let service = ScriptedEcho { request, _ in
      if request.value.hasSuffix("7") { try await Task.sleep(for: .milliseconds(2)) }
      return request
    }
    let replicas = [Replica(group, service), Replica(group, service)]
    for replica in replicas { try await replica.start() }
    let ports = [await replicas[0].port, await replicas[1].port]
    let clients = zip(ports, group.executors).map {
      RPCClient(host: "127.0.0.1", port: $0, security: .plaintext, on: $1)
    }
    let load = Load(clients)
    let callers = Task { try await load.run(tasks: 16) }
    for round in 0..<4 {
      try await load.goesOn(for: 200)
      await replicas[round % 2].stop()
      try await load.goesOn(for: 200)
      try await replicas[round % 2].start()
    }
    load.end()
    try await callers.value
    for client in clients { await client.close() }
    for replica in replicas { await replica.stop() }
    try await group.shutdown()
  }
}

/// A server that can be stopped and started on the same port.
private actor Replica {
  private let group: LoopGroup
  private let service: ScriptedEcho
  private var server: RPCServer?
  private(set) var port = 0

  init(_ group: LoopGroup, _ service: ScriptedEcho) {
    self.group = group
    self.service = service
  }

  func start() async throws {
    let server = RPCServer(
      address: try SocketAddress(ipAddress: "127.0.0.1", port: port), security: .plaintext, router: Router([service]),
      interceptors: [], group: group, logger: Logger(label: "test"))
    port = try await server.start().port ?? 0
    self.server = server
  }

  func stop() async {
    await server?.stop()
  }
}

/// Many callers, each of which calls one replica, and the other when that says it is unavailable.
private final class Load: Sendable {
  private let clients: [RPCClient]
  private let answered = Atomic(0)
  private let isOver = Atomic(false)

  init(_ clients: [RPCClient]) {
    self.clients = clients
  }

  func run(tasks: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var number = 0
          while !self.isOver.load(ordering: .relaxed) {
            try await self.call("\(task)/\(number)", first: number % 2)
            number += 1
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
  }

  /// Waits until that many more calls were answered.
  func goesOn(for count: Int) async throws {
    let before = answered.load(ordering: .relaxed)
    while answered.load(ordering: .relaxed) < before + count { try await Task.sleep(for: .milliseconds(1)) }
  }

  private func call(_ value: String, first: Int) async throws {
    for attempt in 0..<100 {
      do {
        let answer = try await EchoClient(clients[(first + attempt) % clients.count]).unary(Msg(value: value))
        #expect(answer.value == value)
        answered.add(1, ordering: .relaxed)
        return
      } catch let status as Status where status.code == .unavailable {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    throw Status(.unavailable, "both replicas were away for too long")
  }
}
