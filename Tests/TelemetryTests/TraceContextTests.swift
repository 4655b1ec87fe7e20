import Testing

@testable import Telemetry

@Suite("traceparent")
struct TraceContextTests {
  let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test("a valid header is read and written back")
  func roundTrip() throws {
    let context = try #require(TraceContext(traceparent: example))
    #expect(context.isSampled)
    #expect(context.traceIDText == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(context.traceparent == example)
    #expect(context.child(1)?.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-01")
  }

  @Test("a later version is read by its first 55 characters")
  func laterVersion() {
    #expect(TraceContext(traceparent: "cc" + example.dropFirst(2))?.traceparent == example)
    #expect(TraceContext(traceparent: "cc" + example.dropFirst(2) + "-what-the-future-brings")?.traceparent == example)
    #expect(TraceContext(traceparent: "cc" + example.dropFirst(2) + ".x") == nil)
  }

  @Test("unknown flags are not sent on")
  func flags() {
    #expect(TraceContext(traceparent: example.dropLast(2) + "ff")?.traceparent == example)
    #expect(TraceContext(traceparent: example.dropLast(2) + "02")?.isSampled == false)
  }

  @Test(
    "anything else is ignored",
    arguments: [
      "", "00", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
      "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
      "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
      " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
    ])
  func invalid(text: String) {
    #expect(TraceContext(traceparent: text) == nil)
  }
}
