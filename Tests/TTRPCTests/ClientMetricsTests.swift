import EchoV1
import LoopExecutor
import Synchronization
import Telemetry
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCClient

@Suite("What clients count", .timeLimit(.minutes(5)))
struct ClientMetricsTests {
  private static let unary = #"{method="Unary",service="echo.v1.Echo"}"#

  private func settings(_ registry: PrometheusRegistry) -> RPCClient.Settings {
    var settings = RPCClient.Settings.repeating
    settings.metrics = ClientMetrics(factory: registry)
    return settings
  }

  private func calls(_ code: String) -> String {
    #"rpc_client_calls_total{code="\#(code)",method="Unary",service="echo.v1.Echo"}"#
  }

  @Test("a call counts once, by how it ended, whatever it took; its repetitions count by themselves")
  func counts() async throws {
    let registry = PrometheusRegistry()
    try await ClientFixture.run { fixture in
      let asked = Atomic(0)
      let peer = try await fixture.peer { _ in
        switch asked.add(1, ordering: .relaxed).newValue {
        case 1, 2: .fail(.unavailable("later", retryAfter: .milliseconds(1)))
        case 3: .answer(Msg(value: "ok"))
        default: .fail(Status(.notFound, "gone"))
        }
      }
      let client = fixture.client([peer.address], settings(registry))
      #expect(try await client.ask("", .repeatable) == "ok")
      #expect(try await client.refusal(.repeatable).code == .notFound)
    }
    let text = registry.exposition()
    #expect(text.contains("\(calls("OK")) 1\n") && text.contains("\(calls("NOT_FOUND")) 1\n"))
    #expect(!text.contains(calls("UNAVAILABLE")))
    #expect(text.contains("rpc_client_retries_total\(Self.unary) 2\n"))
    #expect(text.contains("rpc_client_call_duration_seconds_count\(Self.unary) 2\n"))
    #expect(text.contains("rpc_client_calls_in_flight\(Self.unary) 0\n"))
  }

  @Test("a call is in flight until it ends, and one that its caller left is CANCELLED")
  func inFlight() async throws {
    let registry = PrometheusRegistry()
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { _ in .silence }
      let client = fixture.client([peer.address], settings(registry))
      let call = Task { try await client.ask() }
      #expect(try await eventually { peer.calls.count == 1 })
      #expect(registry.exposition().contains("rpc_client_calls_in_flight\(Self.unary) 1\n"))
      call.cancel()
      _ = await call.result
      #expect(registry.exposition().contains("rpc_client_calls_in_flight\(Self.unary) 0\n"))
      #expect(registry.exposition().contains("\(calls("CANCELLED")) 1\n"))
    }
  }

  @Test("a stream counts when it ends, with the status that ended it")
  func streams() async throws {
    let registry = PrometheusRegistry()
    try await EchoFixture.run(ScriptedEcho()) { echo in
      try await ClientFixture.run { fixture in
        let client = fixture.client([.init(host: "127.0.0.1", port: echo.port)], settings(registry))
        try await EchoClient(client).expand(Msg(value: "x")) { for try await _ in $0 {} }
        await #expect(throws: Status.self) {
          try await EchoClient(client).expandFail(Msg(value: "x")) { for try await _ in $0 {} }
        }
      }
    }
    let text = registry.exposition()
    #expect(text.contains(#"rpc_client_calls_total{code="OK",method="Expand",service="echo.v1.Echo"} 1"#))
    #expect(
      text.contains(#"rpc_client_calls_total{code="FAILED_PRECONDITION",method="ExpandFail",service="echo.v1.Echo"} 1"#)
    )
  }

  @Test("every figure says what it means")
  func help() {
    for name in ["calls", "call_duration", "calls_in_flight", "retries"] {
      #expect(RPCMetrics.descriptions["rpc_client_\(name)"]?.hasSuffix(".") == true)
    }
  }

  @Test("as many connections to an address as are asked for take turns, and come back when they are lost")
  func connectionsPerAddress() async throws {
    try await ClientFixture.run { fixture in
      let peer = try await fixture.peer { .answer(Msg(value: "\($0.connection)")) }
      var settings = RPCClient.Settings.quick
      settings.connectionsPerAddress = 3
      let client = fixture.client([peer.address], settings)
      var seen: Set<String> = []
      #expect(
        try await eventually {
          seen.insert(try await client.ask())
          return seen == ["1", "2", "3"]
        })
      var answers: [String: Int] = [:]
      for _ in 0..<30 { answers[try await client.ask(), default: 0] += 1 }
      #expect(answers == ["1": 10, "2": 10, "3": 10])
      try await peer.hangUp()
      #expect(try await eventually { peer.accepted == 6 && peer.open == 3 })
    }
  }
}
