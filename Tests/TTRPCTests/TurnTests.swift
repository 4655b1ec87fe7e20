import Dispatch
import EchoV1
import Glibc
import Synchronization
import TTRPCWire
import TestSupport
import Testing

@testable import TTRPC

/// The server has one event loop, so the work of one client delays that of the others.
@Suite("How clients take turns on an event loop", .ownThreads, .timeLimit(.minutes(5)))
struct TurnTests {
  private static func requests(_ count: Int, _ text: String, from first: UInt32 = 1) -> [UInt8] {
    (0..<UInt32(count)).flatMap { RawSocket.request(stream: first + 2 * $0, method: "Unary", text: text) }
  }

  @Test(
    "a client whose requests are slow to take is interrupted within a read, for others' reads and tasks, and all of them are answered",
    arguments: ["quick", "patient"])
  func reads(other: String) async throws {
    let work = SlowWork()
    try await EchoFixture.run(work.service, threads: 1) { fixture in
      let (holding, busy, quiet) = (
        try RawSocket(port: fixture.port), try RawSocket(port: fixture.port, from: 2),
        try RawSocket(port: fixture.port, from: 3)
      )
      for socket in [holding, busy, quiet] { try socket.send(RawSocket.request(stream: 1, method: "Unary")) }
      for socket in [holding, busy, quiet] { _ = try socket.readCalls(1) }

      // Both have sent before the loop looks again.
      try holding.send(RawSocket.request(stream: 3, method: "Unary", text: "hold"))
      try await until("the loop is held") { work.isHeld.load(ordering: .relaxed) }
      try busy.send(Self.requests(600, "slow", from: 3))
      try quiet.send(RawSocket.request(stream: 3, method: "Unary", text: other))
      work.release.signal()

      let answer = try #require(try quiet.readCalls(1).last)
      let payload = try TTRPCWire.Response(serialized: answer.body).payload
      #expect(try #require(Int(Msg(serialized: payload).value)) < 100)
      #expect(try busy.readCalls(600).count == 600)
    }
  }

  @Test("a client has no more turns for having many connections")
  func connections() async throws {
    let work = SlowWork()
    try await EchoFixture.run(work.service, threads: 1) { fixture in
      let holding = try RawSocket(port: fixture.port)
      let crowd = try (0..<40).map { _ in try RawSocket(port: fixture.port, from: 2) }
      let quiet = try RawSocket(port: fixture.port, from: 3)
      for socket in [holding, quiet] + crowd {
        try socket.send(RawSocket.request(stream: 1, method: "Unary"))
        _ = try socket.readCalls(1)
      }

      try holding.send(RawSocket.request(stream: 3, method: "Unary", text: "hold"))
      try await until("the loop is held") { work.isHeld.load(ordering: .relaxed) }
      for socket in crowd { try socket.send(Self.requests(16, "slow", from: 3)) }
      try quiet.send(RawSocket.request(stream: 3, method: "Unary", text: "quick"))
      work.release.signal()

      let answer = try #require(try quiet.readCalls(1).last)
      let payload = try TTRPCWire.Response(serialized: answer.body).payload
      #expect(try #require(Int(Msg(serialized: payload).value)) < 100)
      for socket in crowd { #expect(try socket.readCalls(16).count == 16) }
    }
  }

  @Test("however many tasks of one client are ready, those of another wait for a few of them only")
  func tasks() async throws {
    let steps = Atomic(0)
    let service = ScriptedEcho { request, _ in
      guard request.value == "many" else {
        let before = steps.load(ordering: .relaxed)
        for _ in 0..<5 { await Task.yield() }
        return Msg(value: "\(steps.load(ordering: .relaxed) - before)")
      }
      for _ in 0..<20 {
        await Task.yield()
        usleep(20)
        steps.add(1, ordering: .relaxed)
      }
      return request
    }
    try await EchoFixture.run(service, threads: 1) { fixture in
      let busy = try RawSocket(port: fixture.port, from: 2)
      try busy.send(Self.requests(400, "many"))
      try await until("its tasks run") { steps.load(ordering: .relaxed) > 400 }
      // One after the other they would wait five times for four hundred.
      let answer = try await fixture.echo.unary(Msg(value: "few"))
      #expect(try #require(Int(answer.value)) < 400)
      _ = try busy.readCalls(400)
    }
  }
}

extension DispatchSemaphore {
  /// Waits on the thread that calls, even where it runs tasks.
  fileprivate func hold() { wait() }
}

/// A service of which one client can occupy the loop, and which reports to the others how often it was occupied.
private final class SlowWork: Sendable {
  let isHeld = Atomic(false)
  let release = DispatchSemaphore(value: 0)
  private let taken = Atomic(0)

  var service: ScriptedEcho {
    ScriptedEcho { request, _ in
      switch request.value {
      case "slow":
        // Occupies the loop, as an expensive call would. Nothing is waited for: the expectations count such calls.
        usleep(1_000)
        return Msg(value: "\(self.taken.add(1, ordering: .relaxed).newValue)")
      case "hold":
        self.isHeld.store(true, ordering: .relaxed)
        self.release.hold()
        return request
      default:
        if request.value == "patient" { for _ in 0..<5 { await Task.yield() } }
        return Msg(value: "\(self.taken.load(ordering: .relaxed))")
      }
    }
  }
}
