import EchoV1
import LoopExecutor
import Logging
import NIOCore
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCFrames
@testable import TTRPCServer

/// Whether there is a place for a newcomer whatever those before it have taken.
@Suite("Places for newcomers", .ownThreads, .timeLimit(.minutes(5)))
struct PlacesTests {
  private func isAdmitted(_ load: ServerLoad, _ client: PrincipalHold) -> Bool {
    do throws(CallRefusal) { try load.admit(.common, of: client.principal) } catch { return false }
    return true
  }

  private func leave(_ load: ServerLoad, _ client: Principal) {
    client.leavePlace()
    load.places.leave()
  }

  // MARK: The whole server

  @Test("[S-4] A3: after users took all they got in turn, a newcomer logs in", arguments: [60, 600, 6_000])
  func oneAfterTheOther(count: Int) {
    let load = ServerLoad(RPCServer.Limits(), logger: Logger(label: "test"))
    var clients: [ObjectIdentifier: PrincipalHold] = [:]
    for number in 0..<count {
      let client = load.principals.hold(.user("user \(number)"))
      clients[ObjectIdentifier(client.principal)] = client
      while isAdmitted(load, client) {}
      // Clients come faster than the server looks.
      guard number.isMultiple(of: 10), load.places.isScarce else { continue }
      for (id, excess) in load.principals.excess(freeing: load.places.lacking) {
        guard let client = clients[id] else { continue }
        for _ in 0..<excess { leave(load, client.principal) }
      }
    }
    let newcomer = load.principals.hold(.user("newcomer"))
    let places = (0..<100).prefix { _ in isAdmitted(load, newcomer) }.count
    // After a look 1,458 are free. Each of the nine that came since took a sixth of what was left, which leaves 282.
    #expect(places >= 282 / 6, "\(load.callsAtWork) are taken")
    #expect(clients.values.allSatisfy { $0.principal.callsAtWork > 0 }, "everybody has a place")
  }

  @Test("those with most lose most, and no more than needed")
  func level() {
    #expect(PlaceLevel.level(of: [100, 50, 10], freeing: 40) == 60)
    #expect(PlaceLevel.level(of: [100, 50, 10], freeing: 70) == 40)
    #expect(PlaceLevel.level(of: [1, 1, 1], freeing: 2) == 1)
    #expect(PlaceLevel.level(of: [], freeing: 2) == 1)
    let load = ServerLoad(RPCServer.Limits(), logger: Logger(label: "test"))
    let clients = (0..<7).map { load.principals.hold(.user("\($0)")) }
    for client in clients { for _ in 0..<10 { _ = isAdmitted(load, client) } }
    #expect(load.principals.excess(freeing: 3).values.reduce(0, +) == 3)
    #expect(load.principals.excess(freeing: 30).values.reduce(0, +) == 30)
  }

  @Test("a server that is full ends the longest streams of the client with most, with advice to come back")
  func makesRoom() async throws {
    var limits = RPCServer.Limits()
    limits.calls = 400
    limits.sharePercent = 1_000_000
    try await EchoFixture.run(ScriptedEcho(), limits: limits) { fixture in
      let hostile = try RawSocket(port: fixture.port, from: 2)
      let modest = try RawSocket(port: fixture.port, from: 3)
      try modest.send(RawSocket.request(stream: 1, method: "Chat", flags: 2))
      var sent: UInt32 = 0
      // Room is made from 370 on; of the 380 that are not reserved none is refused, however late the server looks.
      for _ in 0..<375 {
        sent = hostile.takeStream()
        try hostile.send(RawSocket.request(stream: sent, method: "Chat", flags: 2))
      }
      let ended = try hostile.readFrames { $0.type == 2 }.last
      let status = try RawSocket.status(try #require(ended))
      #expect(status.code == .unavailable && status.errorInfo?.reason == "MAKING_ROOM" && status.retryAfter != nil)
      #expect(try #require(ended).streamID < 30, "of the longest")
      for number in 0..<20 { #expect(try await fixture.echo.unary(Msg(value: "\(number)")).value == "\(number)") }
      // The other client's only stream goes on.
      try modest.send(RawSocket.frame(stream: 1, type: 3, flags: 0, Msg(value: "hello").serialized()))
      #expect(try modest.readFrames { $0.streamID == 1 }.last?.type == 3)
      withExtendedLifetime(hostile) {}
    }
  }

  @Test("a stream that anyone may open lasts minutes, one of a user or a service an hour")
  func anonymousStreams() async throws {
    let usual = RPCServer.Limits()
    func method(_ kind: MethodKind, _ access: TTRPC.Access) -> MethodDescriptor {
      MethodDescriptor(service: "test", name: "Test", kind: kind, access: access, idempotent: false)
    }
    #expect(usual.duration(of: method(.serverStreaming, .public), isService: false) == .minutes(5))
    #expect(usual.duration(of: method(.serverStreaming, .public), isService: true) == .hours(1))
    #expect(usual.duration(of: method(.bidirectional, .user), isService: false) == .hours(1))
    #expect(usual.duration(of: method(.unary, .public), isService: false) == .seconds(60))
    var limits = RPCServer.Limits()
    limits.anonymousStreamDuration = .milliseconds(100)
    try await EchoFixture.run(ScriptedEcho(), limits: limits) { fixture in
      let socket = try RawSocket(port: fixture.port)
      try socket.send(RawSocket.request(stream: 1, method: "Chat", flags: 2))
      let end = try #require(try socket.readFrames { $0.streamID == 1 }.last)
      #expect(try RawSocket.status(end).code == .deadlineExceeded)
    }
  }

  // MARK: Addresses

  @Test("the users of one address have the address's share together, the networks of one site the site's")
  func addresses() {
    let load = ServerLoad(RPCServer.Limits(), logger: Logger(label: "test"))
    let address = load.principals.hold(.address(.v4(1)))
    var taken = 0
    for number in 0..<57 {
      let user = load.principals.hold(.user("\(number)"))
      while isAdmitted(load, user) {
        guard address.principal.takePlaceForOther() else {
          leave(load, user.principal)
          break
        }
        taken += 1
      }
    }
    #expect((4_000..<6_000).contains(taken))
    #expect(address.principal.ownCalls == 0)

    let other = ServerLoad(RPCServer.Limits(), logger: Logger(label: "test"))
    var ofSite = 0
    // Held, as their connections would hold them.
    let networks = (0..<57 as Range<UInt64>).map { other.principals.hold(.address(.v6(0x2001_0DB8_0001_0000 + $0))) }
    for client in networks { while isAdmitted(other, client) { ofSite += 1 } }
    #expect((4_000..<6_000).contains(ofSite))
    #expect(isAdmitted(other, other.principals.hold(.address(.v6(0x2001_0DB8_0002_0000)))))
    withExtendedLifetime(networks) {}
    #expect(ClientNetwork.v6(0x2001_0DB8_0001_0000).site?.description == "2001:db8:1::/48")
  }

  // MARK: Connections

  @Test("connections have a reserve for newcomers and services, and are counted by site too")
  func connections() {
    var limits = RPCServer.Limits()
    (limits.connections, limits.connectionsPerAddress, limits.sharePercent) = (1_000, 500, 10_000)
    var count = ConnectionCount()
    for address in 0..<3 as Range<UInt32> {
      while count.admit(.v4(address), limits) == nil {}
    }
    #expect(count.total == 950)
    #expect(count.admit(.v4(1), limits) == .connections)
    #expect(count.admit(.v4(77), limits) == nil, "it has none")
    #expect(count.admit(.v4(77), limits) == .connections)
    count.hasService(.v4(1))
    #expect(count.admit(.v4(1), limits) == nil)

    var site = ConnectionCount()
    limits.connections = 100_000
    for network in 0..<100 as Range<UInt64> {
      while site.admit(.v6(0x2001_0DB8_0001_0000 + network), limits) == nil {}
    }
    #expect(site.total == 2_000)
    site.remove(.v6(0x2001_0DB8_0001_0000))
    #expect(site.admit(.v6(0x2001_0DB8_0001_0099), limits) == nil)
  }

  @Test("[S-5] A5: a network opens so many connections at once, then so many a second; another is not slowed")
  func connectionRate() {
    var limits = RPCServer.Limits()
    (limits.connectionBurst, limits.connectionRate) = (50, 10)
    var count = ConnectionCount()
    func open(_ network: ClientNetwork, at seconds: Int64) -> Int {
      (0..<2_000).count { _ in
        guard count.admit(network, limits, at: .uptimeNanoseconds(0) + .seconds(100 + seconds)) == nil else {
          return false
        }
        count.remove(network)
        return true
      }
    }
    #expect(open(.v4(1), at: 0) == 50)
    #expect(open(.v4(2), at: 0) == 50)
    #expect(open(.v4(1), at: 1) == 10)
    #expect(open(.v4(1), at: 3) == 20)
    #expect(open(.v4(1), at: 1_000) == 50)
  }

  @Test("[S-5] A5: of connections that come and go from one address the server takes few, and a quiet one's are taken")
  func burst() async throws {
    var limits = RPCServer.Limits()
    (limits.connectionBurst, limits.connectionRate) = (20, 1)
    try await EchoFixture.run(ScriptedEcho(), limits: limits) { fixture in
      for _ in 0..<200 { _ = try RawSocket(port: fixture.port, from: 2) }
      let late = try RawSocket(port: fixture.port, from: 2)
      try late.waitForEnd()
      for number in 0..<10 {
        let quiet = try RawSocket(port: fixture.port, from: 3)
        try quiet.send(RawSocket.request(stream: 1, method: "Unary", text: "\(number)"))
        _ = try quiet.readFrames { $0.streamID == 1 }
      }
    }
  }

  // MARK: What runs

  @Test("A1: another thread finds which method a loop runs, and for whom, before and after the handler has waited")
  func whatRuns() async throws {
    let (first, second) = (Hold(), Hold())
    let service = ScriptedEcho { request, _ in
      first.block()
      await Task.yield()
      second.block()
      return request
    }
    try await EchoFixture.run(service, threads: 1) { fixture in
      let turns = fixture.group.executors[0].turnRecord
      let socket = try RawSocket(port: fixture.port, from: 2)
      try socket.send(RawSocket.request(stream: 1, method: "Unary", text: "hello"))
      for hold in [first, second] {
        try await until("it runs") { hold.isBlocking }
        let current = try #require(turns.current)
        #expect(MethodNumbers.name(of: current.number) == "echo.v1.Echo/Unary")
        #expect(current.owner == "address 127.0.0.2")
        hold.release()
      }
      _ = try socket.readFrames { $0.streamID == 1 }
      try await until("it is done") { turns.current == nil }
      #expect(turns.takeLongest() > .zero)
    }
  }
}
