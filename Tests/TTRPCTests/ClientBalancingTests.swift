import EchoV1
import LoopExecutor
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCClient

@Suite("Several addresses", .timeLimit(.minutes(5)))
struct ClientBalancingTests {
  /// Peers that answer with their index.
  private func peers(_ count: Int, _ fixture: ClientFixture) async throws -> [ScriptedPeer] {
    var peers: [ScriptedPeer] = []
    for index in 0..<count { peers.append(try await fixture.peer { _ in .answer(Msg(value: "\(index)")) }) }
    return peers
  }

  /// Calls until every one of the peers has been connected to and answered.
  private func warm(_ client: RPCClient, _ expected: Set<String>) async throws -> Bool {
    var seen: Set<String> = []
    return try await eventually {
      seen.insert(try await client.ask())
      return seen == expected
    }
  }

  @Test("calls go to every address in turn")
  func turns() async throws {
    try await ClientFixture.run { fixture in
      let peers = try await peers(3, fixture)
      let client = fixture.client(peers.map(\.address))
      #expect(try await warm(client, ["0", "1", "2"]))
      var answers: [String] = []
      for _ in 0..<30 { answers.append(try await client.ask()) }
      for index in 0..<3 { #expect(answers.filter { $0 == "\(index)" }.count == 10) }
    }
  }

  @Test("an address that is gone costs no call, and takes part again when it is back")
  func goneAndBack() async throws {
    try await ClientFixture.run { fixture in
      let address = try fixture.vacancy()
      let other = try await fixture.peer { _ in .answer(Msg(value: "other")) }
      let client = fixture.client([address, other.address])
      for _ in 0..<20 { #expect(try await client.ask() == "other") }
      let peer = try await fixture.peer(address) { _ in .answer(Msg(value: "back")) }
      #expect(try await warm(client, ["other", "back"]))
      try await peer.stop()
      let isForgotten = try await eventually { try await client.refusal(.repeatable).code == .ok }
      #expect(isForgotten)
    }
  }

  // MARK: Health

  private static func watching() -> RPCClient.Settings {
    var settings = RPCClient.Settings.quick
    settings.healthCheck = .init(interval: .milliseconds(2), timeout: .seconds(30))
    return settings
  }

  @Test("an address that does not serve leaves the rotation and comes back when it does")
  func health() async throws {
    try await ClientFixture.run { fixture in
      let sick = Flag()
      let first = try await fixture.peer { seen in
        guard seen.method == "Check" else { return .answer(Msg(value: "0")) }
        return .check(sick.isSet ? 2 : 1)
      }
      let second = try await fixture.peer { $0.method == "Check" ? .check(1) : .answer(Msg(value: "1")) }
      let client = fixture.client([first.address, second.address], Self.watching())
      #expect(try await warm(client, ["0", "1"]))
      sick.isSet = true
      let checked = first.checks.count + 2
      #expect(try await eventually { first.checks.count >= checked })
      for _ in 0..<20 { #expect(try await client.ask() == "1") }
      sick.isSet = false
      #expect(try await warm(client, ["0", "1"]))
    }
  }
  @Test("when no address serves they are called all the same, and one without health checks counts as serving")
  func noneServes() async throws {
    try await ClientFixture.run { fixture in
      let first = try await fixture.peer { $0.method == "Check" ? .check(2) : .answer(Msg(value: "0")) }
      let second = try await fixture.peer { $0.method == "Check" ? .check(2) : .answer(Msg(value: "1")) }
      let client = fixture.client([first.address, second.address], Self.watching())
      #expect(try await warm(client, ["0", "1"]))
      let third = try await fixture.peer {
        $0.method == "Check" ? .fail(Status(.unimplemented, "no")) : .answer(Msg(value: "2"))
      }
      let other = fixture.client([first.address, third.address], Self.watching())
      let isWarm = try await eventually { try await other.ask() == "2" && third.checks.count >= 2 }
      #expect(isWarm)
      for _ in 0..<20 { #expect(try await other.ask() == "2") }
    }
  }

  // MARK: Names

  /// Answers with a list that the test changes.
  private final class Names: Sendable {
    let list: Mutex<[RPCClient.Address]>
    init(_ list: [RPCClient.Address]) { self.list = Mutex(list) }

    var resolver: NameResolver {
      NameResolver { _, loop in
        let addresses = self.list.withLock { $0 }
        return loop.makeCompletedFuture {
          guard !addresses.isEmpty else { throw UnresolvedName(reason: "unknown") }
          return try addresses.map { try SocketAddress(ipAddress: $0.host, port: $0.port) }
        }
      }
    }
  }

  @Test("all addresses of a name are used, and looked up again when one fails")
  func names() async throws {
    try await ClientFixture.run { fixture in
      let peers = try await peers(3, fixture)
      let names = Names(peers[..<2].map(\.address))
      let client = fixture.client([.init(host: "replicas.test", port: 1)], resolver: names.resolver)
      #expect(try await warm(client, ["0", "1"]))
      names.list.withLock { $0 = [peers[0].address, peers[2].address] }
      try await peers[1].stop()
      var seen: Set<String> = []
      #expect(
        try await eventually {
          seen.insert(try await client.ask("", EchoMethods.unary, .waiting))
          return seen.isSuperset(of: ["0", "2"])
        })
      for _ in 0..<10 { #expect(try await client.ask() != "1") }
    }
  }

  @Test("an address that its name has no more lets running calls end")
  func dropped() async throws {
    try await ClientFixture.run { fixture in
      let gate = Gate()
      let isRunning = Flag()
      let service = ScriptedEcho { _, _ in
        isRunning.isSet = true
        await gate.pass()
        return Msg(value: "done")
      }
      try await EchoFixture.run(service) { echo in
        let peer = try await fixture.peer()
        let names = Names([.init(host: "127.0.0.1", port: echo.port), peer.address])
        let client = fixture.client([.init(host: "replicas.test", port: 1)], resolver: names.resolver)
        var calls: [Task<String, any Error>] = []
        let areBothCalled = try await eventually {
          calls.append(Task { try await client.ask() })
          return isRunning.isSet && !peer.calls.isEmpty
        }
        #expect(areBothCalled)
        names.list.withLock { $0 = [peer.address] }
        try await peer.hangUp()
        #expect(try await eventually { peer.accepted >= 2 })
        gate.open()
        for call in calls {
          do { #expect(["ok", "done"].contains(try await call.value)) } catch let status as Status {
            #expect(status.code == .unavailable)
          }
        }
        #expect(try await client.ask() == "ok")
      }
    }
  }

  @Test("a name that nobody knows is UNAVAILABLE, until somebody does")
  func unknownName() async throws {
    try await ClientFixture.run { fixture in
      let names = Names([])
      let client = fixture.client([.init(host: "replicas.test", port: 1)], resolver: names.resolver)
      let status = try await client.refusal()
      #expect(status.code == .unavailable)
      #expect(status.message.contains("replicas.test") && status.retryAfter != nil)
      let peer = try await fixture.peer()
      names.list.withLock { $0 = [peer.address] }
      #expect(try await client.ask("", EchoMethods.unary, .waiting) == "ok")
    }
  }

  @Test("the system's resolver knows localhost, and says what it does not know")
  func system() async throws {
    try await ClientFixture.run { fixture in
      let loop = fixture.group.executors[0].loop
      let found = try await NameResolver.system.resolve(.init(host: "localhost", port: 77), loop).get()
      #expect(found.contains { $0.port == 77 && ["127.0.0.1", "::1"].contains($0.ipAddress) })
      await #expect(throws: UnresolvedName.self) {
        try await NameResolver.system.resolve(.init(host: "no name at all", port: 77), loop).get()
      }
    }
  }
}

/// Something that a test says to a script that runs elsewhere.
final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool {
    get { value.load(ordering: .sequentiallyConsistent) }
    set { value.store(newValue, ordering: .sequentiallyConsistent) }
  }
}
