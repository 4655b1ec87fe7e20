import EchoV1
import NIOCore
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCServer

@Suite("Calls that are refused before they begin", .ownThreads, .timeLimit(.minutes(5)))
struct RefusedCallTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

  private func lines(
    _ limits: RPCServer.Limits = .init(), _ body: (RawSocket, EchoFixture) async throws -> Void
  ) async throws -> [[String: String]] {
    let lines = Lines()
    try await EchoFixture.run(ScriptedEcho(), limits: limits, logger: lines.logger(.info)) { fixture in
      try await body(try RawSocket(port: fixture.port), fixture)
    }
    return lines.all.filter { $0["message"] == "call refused" }
  }

  @Test("a method that nobody serves is a line at info, which names it cut short, with the trace")
  func unknownMethod() async throws {
    let method = MethodDescriptor(
      service: "no.such.Service", name: String(repeating: "x", count: 5_000), kind: .unary, access: .public,
      idempotent: true)
    let lines = try await lines { _, fixture in
      let options = CallOptions(metadata: ["traceparent": "00-\(Self.trace)-00f067aa0ba902b7-01", "secret": "hidden"])
      await #expect(throws: Status.self) {
        let _: Msg = try await fixture.client.call(method, Msg(value: "private"), options)
      }
    }
    let line = try #require(lines.first)
    #expect(lines.count == 1 && line["level"] == "info" && line["left_out"] == nil)
    #expect(line["code"] == "UNIMPLEMENTED" && line["reason"] == "UNKNOWN_METHOD" && line["trace_id"] == Self.trace)
    #expect(line["rpc"]?.hasPrefix("no.such.Service/xxx") == true && line["rpc"]?.count == 116)
    #expect(line["peer"]?.hasPrefix("127.0.0.1:") == true)
    #expect(!line.values.contains { $0.contains("hidden") || $0.contains("private") })
  }

  @Test("an envelope that is none is a line too")
  func malformedEnvelope() async throws {
    let lines = try await lines { socket, _ in
      try socket.send(RawSocket.frame(stream: 1, type: 1, flags: 0, [0xFF, 0xFF, 0xFF]))
      let frames = try socket.readFrames { $0.streamID == 1 }
      #expect(try RawSocket.status(frames[0]).errorInfo?.reason == "MALFORMED_REQUEST")
    }
    let line = try #require(lines.first)
    #expect(lines.count == 1 && line["code"] == "INVALID_ARGUMENT" && line["reason"] == "MALFORMED_REQUEST")
    #expect(line["rpc"] == nil)
  }

  @Test("a call beyond a limit is a line that names its method")
  func limit() async throws {
    var limits = RPCServer.Limits()
    limits.metadataPairs = 1
    let lines = try await lines(limits) { _, fixture in
      let options = CallOptions(metadata: ["a": "1", "b": "2"])
      await #expect(throws: Status.self) { try await fixture.echo.unary(Msg(), options) }
    }
    #expect(lines.count == 1)
    #expect(lines.first?["rpc"] == "echo.v1.Echo/Unary" && lines.first?["reason"] == "METADATA_TOO_LARGE")
  }

  @Test("a request that is too long to be read is a line as well")
  func tooLong() async throws {
    var limits = RPCServer.Limits()
    limits.messageBytes = 1_000
    let lines = try await lines(limits) { socket, _ in
      try socket.send(RawSocket.frame(stream: 1, type: 1, flags: 0, [UInt8](repeating: 0, count: 1_001)))
      _ = try socket.readFrames { $0.streamID == 1 }
    }
    #expect(lines.map { $0["reason"] } == ["MESSAGE_TOO_LARGE"])
  }

  @Test("of many lines one is written for a time, and the next one tells how many were left out")
  func thinning() {
    var lines = ThinnedLines(every: .seconds(1))
    let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
    #expect(lines.admit(at: start) == 0)
    for milliseconds: Int64 in 1...999 { #expect(lines.admit(at: start + .milliseconds(milliseconds)) == nil) }
    #expect(lines.admit(at: start + .seconds(1)) == 999)
    #expect(lines.admit(at: start + .seconds(1)) == nil)
    #expect(lines.admit(at: start + .seconds(90)) == 1)
    #expect(lines.admit(at: start + .seconds(91)) == 0)
  }

  @Test("unknown methods and malformed envelopes are counted, by reasons that no client chooses")
  func counts() async throws {
    let server = try EchoProcess([])
    let socket = try RawSocket(port: server.port)
    for (stream, name) in zip([1, 3, 5] as [UInt32], ["a", "b", "c"]) {
      try socket.send(RawSocket.request(stream: stream, service: "no.such.\(name)", method: name))
    }
    try socket.send(RawSocket.frame(stream: 7, type: 1, flags: 0, [0xFF]))
    _ = try socket.readFrames { $0.streamID == 7 }
    #expect(try await server.metric("rpc_server_refusals_total{reason=\"UNKNOWN_METHOD\"}") == 3)
    #expect(try await server.metric("rpc_server_refusals_total{reason=\"MALFORMED_REQUEST\"}") == 1)
    #expect(try await !server.exposition().contains("no.such"))
  }
}
