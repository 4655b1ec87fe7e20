import EchoV1
import LoopExecutor
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCClient

@Suite("Order, room and dead connections", .timeLimit(.minutes(5)))
struct ClientLimitTests {
  @Test("ids rise on the wire whatever threads the calls come from")
  func order() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer()
      let client = fixture.client([peer.address])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<64 {
          // Half of the callers run where the connection lives.
          let executor: (any TaskExecutor)? = caller % 2 == 0 ? fixture.group.executors[0] : nil
          group.addTask(executorPreference: executor) {
            for _ in 0..<100 {
              let answer = try await client.ask()
              #expect(answer == "ok")
            }
          }
        }
        try await group.waitForAll()
      }
      let expected = (0..<6_400 as Range<UInt32>).map { 2 * $0 + 1 }
      #expect(peer.calls.map(\.streamID) == expected)
      #expect(peer.accepted == 1)
    }
  }

  @Test("a call sends what is left of its timeout when it is written, not what it had")
  func timeLeft() async throws {
    try await ClientFixture.run { fixture in
      let address = try fixture.vacancy()
      let client = fixture.client([address])
      var options = CallOptions.waiting
      options.timeout = .seconds(30)
      let waiting = options
      let executor = fixture.group.executors[0]
      // On the client's own loop the call waits in the client by the time that `immediate` returns.
      let (answer, began) = await Task(executorPreference: executor) {
        let answer = Task.immediate(executorPreference: executor) {
          try await client.ask("", EchoMethods.unary, waiting)
        }
        return (answer, NIODeadline.now())
      }.value
      // Time has to pass for the call to have less of it; how much did is read from the clock.
      try await Task.sleep(for: .milliseconds(5))
      let waited = (NIODeadline.now() - began).nanoseconds
      let peer = try await fixture.peer(address)
      #expect(try await answer.value == "ok")
      let left = try #require(peer.calls.first?.request.timeoutNano)
      #expect(left > 0 && left <= 30_000_000_000 - waited)
    }
  }

  @Test("a call without a timeout sends none, and one whose timeout is over is not sent")
  func noTime() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer()
      let client = fixture.client([peer.address])
      _ = try await client.ask()
      for timeout in [Duration.zero, .seconds(-5)] {
        let status = try await client.refusal(EchoMethods.unary, CallOptions(timeout: timeout))
        #expect(status.code == .deadlineExceeded)
      }
      _ = try await client.ask("", EchoMethods.unary, CallOptions(timeout: .seconds(Int64.max)))
      #expect(peer.calls.map(\.request.timeoutNano) == [0, 0])
    }
  }

  // MARK: Room

  private func service(_ gate: Gate, _ running: Counter) -> ScriptedEcho {
    ScriptedEcho { request, _ in
      running.up()
      await gate.pass()
      running.down()
      return request
    }
  }

  private final class Counter: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var now: Int { counts.withLock { $0.now } }
    var most: Int { counts.withLock { $0.most } }
    func up() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }
    func down() { counts.withLock { $0.now -= 1 } }
  }

  @Test("calls beyond a connection's room wait for it, in a queue that is bounded")
  func queue() async throws {
    let gate = Gate()
    let running = Counter()
    try await EchoFixture.run(service(gate, running)) { echo in
      var settings = RPCClient.Settings.quick
      settings.callsPerConnection = 3
      settings.waitingCalls = 5
      try await ClientFixture.run { fixture in
        let client = fixture.client([.init(host: "127.0.0.1", port: echo.port)], settings)
        let codes = try await withThrowingTaskGroup(of: Status.self) { group in
          for _ in 0..<3 { group.addTask { try await client.refusal() } }
          let isFull = try await eventually { running.now == 3 }
          #expect(isFull)
          for _ in 0..<9 { group.addTask { try await client.refusal() } }
          var statuses: [Status] = []
          // Calls without a place are refused at once; the others wait for the gate.
          for _ in 0..<4 { statuses.append(try await group.next() ?? Status(.ok, "")) }
          #expect(statuses.allSatisfy { $0.errorInfo?.reason == "CLIENT_QUEUE_FULL" && $0.retryAfter != nil })
          gate.open()
          for try await status in group { statuses.append(status) }
          return statuses.map(\.code)
        }
        #expect(codes.filter { $0 == .resourceExhausted }.count == 4)
        #expect(codes.filter { $0 == .ok }.count == 8)
        #expect(running.most <= 3)
      }
    }
  }

  @Test("a call that waits for room ends with its deadline, or when it is cancelled, and is never sent")
  func leavingTheQueue() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .silence }
      var settings = RPCClient.Settings.quick
      settings.callsPerConnection = 1
      let client = fixture.client([peer.address], settings)
      let first = Task { try await client.ask() }
      #expect(try await eventually { peer.calls.count == 1 })
      let status = try await client.refusal(EchoMethods.unary, CallOptions(timeout: .milliseconds(10)))
      #expect(status.code == .deadlineExceeded)
      let second = Task { try await client.ask() }
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
      let third = Task { try await client.ask("third") }
      first.cancel()
      #expect(try await eventually { peer.calls.count == 2 })
      #expect(peer.calls.last?.request.payload == Msg(value: "third").serialized())
      third.cancel()
      _ = await (first.result, third.result)
    }
  }

  // MARK: Dead connections

  @Test("a connection from which nothing comes any more is given up, its calls fail, and a new one is opened")
  func deadConnection() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { $0.connection == 1 ? .silence : .answer(Msg(value: "new")) }
      var settings = RPCClient.Settings.quick
      settings.healthCheck = .init(interval: .milliseconds(5), timeout: .seconds(5))
      let client = fixture.client([peer.address], settings)
      let status = try await client.refusal()
      #expect(status.code == .unavailable)
      #expect(try await client.ask("", EchoMethods.unary, .waiting) == "new")
    }
  }

  @Test("a connection is dead when a check has no answer and nothing else came meanwhile")
  func lifeSigns() {
    #expect(HealthProbe.isDead(.noAnswer, readsBefore: 7, now: 7))
    #expect(!HealthProbe.isDead(.noAnswer, readsBefore: 7, now: 8))
    #expect(!HealthProbe.isDead(.notServing, readsBefore: 7, now: 7))
    #expect(!HealthProbe.isDead(.serving, readsBefore: 7, now: 7))
  }

  @Test("a connection whose checks are not answered, though it lives, is checked and called on")
  func busyConnection() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { $0.method == "Check" ? .noise : .answer(Msg(value: "busy")) }
      var settings = RPCClient.Settings.repeating
      settings.healthCheck = .init(interval: .milliseconds(1), timeout: .milliseconds(100))
      let client = fixture.client([peer.address], settings)
      #expect(try await client.ask("", .repeatable, .waiting) == "busy")
      #expect(try await eventually { peer.checks.count >= 3 })
      #expect(try await client.ask("", .repeatable, .waiting) == "busy")
    }
  }

  @Test("a connection whose ids ran out is replaced, and lets its calls end")
  func idsRunOut() async throws {
    let gate = Gate()
    let running = Counter()
    try await EchoFixture.run(service(gate, running)) { echo in
      var settings = RPCClient.Settings.quick
      settings.firstStreamID = .max - 4
      try await ClientFixture.run { fixture in
        let client = fixture.client([.init(host: "127.0.0.1", port: echo.port)], settings)
        let calls = (0..<9).map { _ in Task { try await client.ask("x") } }
        let areRunning = try await eventually { running.now == 9 }
        #expect(areRunning)
        gate.open()
        for call in calls {
          let answer = try await call.value
          #expect(answer == "x")
        }
      }
    }
  }
}
