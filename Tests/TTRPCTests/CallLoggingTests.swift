import EchoV1
import Logging
import Synchronization
import TTRPC
import TTRPCServer
import Testing

/// Keeps what is logged.
final class Lines: Sendable {
  private let lines = Mutex<[[String: String]]>([])

  func logger(_ level: Logger.Level) -> Logger {
    Logger(label: "calls") { _ in Keeper(lines: self, logLevel: level) }
  }

  func add(_ line: [String: String]) { lines.withLock { $0.append(line) } }
  var all: [[String: String]] { lines.withLock { $0 } }

  private struct Keeper: LogHandler {
    let lines: Lines
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      var line = (event.metadata ?? [:]).mapValues { "\($0)" }
      line["level"] = event.level.rawValue
      line["message"] = "\(event.message)"
      lines.add(line)
    }
  }
}

@Suite("The log of calls", .timeLimit(.minutes(5)))
struct CallLoggingTests {
  static let metadata: Metadata = [
    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "authorization": "Bearer secret-token",
  ]
  static let options = CallOptions(metadata: metadata)

  @Test("a success is one line at debug with its trace and what it moved, and nothing that is secret")
  func success() async throws {
    let lines = Lines()
    try await EchoFixture.run(ScriptedEcho(), interceptors: [CallLogging(lines.logger(.debug))]) { fixture in
      _ = try await fixture.echo.unary(Msg(value: "a private word"), Self.options)
    }
    let line = try #require(lines.all.first)
    #expect(lines.all.count == 1 && line["level"] == "debug" && line["rpc"] == "echo.v1.Echo/Unary")
    #expect(line["code"] == "OK" && line["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736")
    // 10 bytes of header, then the envelope: tag, length, and 16 bytes of message.
    #expect(line["bytes_out"] == "28" && Int(line["bytes_in"] ?? "") ?? 0 > 100 && line["messages_in"] == nil)
    #expect(!line.values.contains { $0.contains("secret") || $0.contains("private") })
  }

  @Test("above debug only failures are logged, each once, at info")
  func failure() async throws {
    let lines = Lines()
    let service = ScriptedEcho { request, _ in
      guard request.value == "good" else { throw Status(.notFound, reason: "GONE", "It is gone") }
      return request
    }
    try await EchoFixture.run(service, interceptors: [CallLogging(lines.logger(.info))]) { fixture in
      _ = try await fixture.echo.unary(Msg(value: "good"))
      await #expect(throws: Status.self) { try await fixture.echo.unary(Msg(value: "bad"), Self.options) }
    }
    let line = try #require(lines.all.first)
    #expect(lines.all.count == 1 && line["level"] == "info" && line["code"] == "NOT_FOUND" && line["reason"] == "GONE")
    #expect(line["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736")
  }

  @Test("a stream is one line when it ends, with the messages and bytes of both sides")
  func stream() async throws {
    let lines = Lines()
    try await EchoFixture.run(ScriptedEcho(), interceptors: [CallLogging(lines.logger(.debug))]) { fixture in
      try await fixture.echo.chat(Self.options) { writer, responses in
        for _ in 0..<3 { try await writer.send(Msg(value: "12345678")) }
        writer.finish()
        for try await _ in responses {}
      }
    }
    let line = try #require(lines.all.first)
    #expect(lines.all.count == 1 && line["code"] == "OK" && line["trace_id"] != nil)
    #expect(line["messages_in"] == "3" && line["messages_out"] == "3")
    // Three frames of 10 and 10 bytes, and the end of 10.
    #expect(line["bytes_out"] == "70")
  }
}
