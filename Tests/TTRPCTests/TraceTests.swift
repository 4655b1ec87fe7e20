import EchoV1
import InMemoryTracing
import TTRPC
import TTRPCClient
import Testing

@Suite("A call's trace", .timeLimit(.minutes(5)))
struct TraceTests {
  static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  /// Returns the trace of its call.
  static let echoesTrace = ScriptedEcho { _, context in
    let states = context.metadata.values(of: "tracestate").joined(separator: "|")
    return Msg(value: "\(context.metadata["traceparent"] ?? "none") \(states)")
  }

  /// The trace that a second service receives for a call from a handler of the first.
  func seen(from metadata: Metadata, _ options: CallOptions = .default) async throws -> String {
    try await EchoFixture.run(Self.echoesTrace) { far in
      let near = ScriptedEcho { request, _ in try await far.echo.unary(request, options) }
      return try await EchoFixture.run(near) { near in
        try await near.echo.unary(Msg(), CallOptions(metadata: metadata)).value
      }
    }
  }

  @Test("where nothing is recorded, a handler's calls carry it on as it came")
  func forwarded() async throws {
    #expect(
      try await seen(from: ["traceparent": Self.parent, "tracestate": "a=1", "Tracestate": "b=2"])
        == "\(Self.parent) a=1,b=2")
    #expect(try await seen(from: [:]) == "none ")
    #expect(try await seen(from: ["traceparent": "00-nonsense", "tracestate": "a=1"]) == "none ")
  }

  /// What a handler would store of the trace of its call.
  private func stored(from metadata: Metadata) async throws -> String {
    try await EchoFixture.run(ScriptedEcho { _, _ in Msg(value: CurrentTrace.traceparent ?? "none") }) { fixture in
      try await fixture.echo.unary(Msg(), CallOptions(metadata: metadata)).value
    }
  }

  @Test("a traceparent that is none is neither stored nor carried on")
  func malformed() async throws {
    #expect(try await stored(from: ["traceparent": Self.parent]) == Self.parent)
    let id = "00-4bf92f3577b34da6a3ce929d0e0e4736"
    for value in [
      "\(id)-00f067aa0ba902b7-01-" + String(repeating: "x", count: 4_000), "\(id)-00f067aa0ba902b7-01 ",
      "\(id)-\("00f067aa0ba902b7".uppercased())-01", "\(id)-0000000000000000-01", "\(id)-<script>--------01",
      "\(id)-00f067aa0ba902b7-zz", "ff\(id.dropFirst(2))-00f067aa0ba902b7-01",
      "zz\(id.dropFirst(2))-00f067aa0ba902b7-01",
      "01\(id.dropFirst(2))-00f067aa0ba902b7-01more", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    ] {
      #expect(try await stored(from: ["traceparent": value]) == "none", "\(value.prefix(60))")
      #expect(try await seen(from: ["traceparent": value, "tracestate": "a=1"]) == "none ", "\(value.prefix(60))")
    }
    // Of two neither counts.
    #expect(try await stored(from: ["traceparent": Self.parent, "Traceparent": Self.parent]) == "none")
  }

  @Test("of a later version of traceparent only what this one knows is kept")
  func laterVersion() async throws {
    let later = "01" + Self.parent.dropFirst(2) + "-what-will-be"
    #expect(try await stored(from: ["traceparent": later]) == Self.parent)
  }

  @Test("what the handler itself says of the trace is left as it is")
  func explicit() async throws {
    let own = Self.parent.replacing("4bf9", with: "0000")
    #expect(
      try await seen(from: ["traceparent": Self.parent], CallOptions(metadata: ["traceparent": own])) == "\(own) ")
  }

  @Test("streams carry it on too")
  func streams() async throws {
    try await EchoFixture.run(Self.echoesTrace) { far in
      var near = ScriptedEcho()
      near.chatting = { requests, responses, _ in
        for try await request in requests { try await responses.send(try await far.echo.unary(request)) }
      }
      try await EchoFixture.run(near) { near in
        let seen = try await near.echo.chat(CallOptions(metadata: ["traceparent": Self.parent])) { writer, responses in
          try await writer.send(Msg())
          writer.finish()
          for try await response in responses { return response.value }
          return ""
        }
        #expect(seen == "\(Self.parent) ")
      }
    }
  }

  @Test("where calls are recorded, each is a span with its code; a caller's mistake is no failure of the server")
  func spans() async throws {
    let tracer = InMemoryTracer()
    try await EchoFixture.run(
      ScriptedEcho { request, _ in
        throw Status(request.value == "bug" ? .internal : .notFound, reason: "GONE", "gone")
      }, tracer: tracer
    ) { fixture in
      for value in ["bug", "mistake"] {
        await #expect(throws: Status.self) { try await fixture.echo.unary(Msg(value: value)) }
      }
    }
    let spans = tracer.finishedSpans
    #expect(spans.map(\.operationName) == ["echo.v1.Echo/Unary", "echo.v1.Echo/Unary"])
    #expect(spans.map { $0.status?.code } == [.error, nil])
    #expect(spans.map { $0.attributes.get("rpc.response.status_code") } == [.string("INTERNAL"), .string("NOT_FOUND")])
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test("a client without a handler records its calls where it is told to")
  func client() async throws {
    let tracer = InMemoryTracer()
    try await EchoFixture.run(ScriptedEcho()) { fixture in
      var settings = RPCClient.Settings()
      settings.tracer = tracer
      let client = RPCClient(
        host: "127.0.0.1", port: fixture.port, security: .plaintext, settings: settings, on: fixture.group.executors[0])
      _ = try await EchoClient(client).unary(Msg(value: "x"))
      await client.close()
    }
    let span = try #require(tracer.finishedSpans.first)
    #expect(span.kind == .client && span.attributes.get("server.port") != nil && tracer.finishedSpans.count == 1)
  }
}
