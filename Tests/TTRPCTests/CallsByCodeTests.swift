import Telemetry
import Testing

@testable import TTRPC

@Suite("Calls by code")
struct CallsByCodeTests {
  let registry = PrometheusRegistry()

  func calls(of method: String) -> CallsByCode {
    CallsByCode("calls", [("method", method)], factory: registry)
  }

  var samples: [Substring] { registry.exposition().split(separator: "\n").filter { $0.hasPrefix("calls_total") } }

  @Test("are shown for OK from the start, and for another code once it has occurred")
  func firstOccurrence() {
    let calls = calls(of: "Get")
    #expect(samples == [#"calls_total{code="OK",method="Get"} 0"#])
    calls.add(.notFound)
    calls.add(.notFound)
    calls.add(.ok)
    #expect(samples == [#"calls_total{code="NOT_FOUND",method="Get"} 2"#, #"calls_total{code="OK",method="Get"} 1"#])
  }

  @Test("of more methods than any service has are kept apart")
  func manyMethods() {
    for number in 0..<200 {
      let calls = calls(of: "Method\(number)")
      for code in [.unauthenticated, .invalidArgument, .unavailable] as [Code] { calls.add(code) }
    }
    #expect(samples.count == 800)
    #expect(!samples.contains { $0.contains("_other") })
  }

  @Test("have a place for every code, also when many count the same one first")
  func everyCode() async {
    let calls = SharedCalls(calls(of: "Get"))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<100 { for code in Code.allCases { calls.byCode.add(code) } } }
      }
    }
    #expect(samples.count == Code.allCases.count)
    #expect(samples.allSatisfy { $0.hasSuffix(" 800") })
  }
}

/// Lets tasks share what cannot be copied.
private final class SharedCalls: Sendable {
  let byCode: CallsByCode

  init(_ byCode: consuming CallsByCode) { self.byCode = byCode }
}
