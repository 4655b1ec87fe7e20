import Foundation
import TestSupport
import Testing

/// A real OTLP collector of a test's own (oteltap), in a process of its own.
struct Collector {
  /// What OTEL_EXPORTER_OTLP_ENDPOINT is to say.
  let endpoint: String
  private let folder: TemporaryFolder

  /// A span as it arrived.
  struct Span: Decodable {
    let name: String
    let trace: String
    let id: String
    let parent: String
    let state: String
    let kind: Int
    let status: Int
    let nanoseconds: Int
    let attributes: [String: String]
  }

  /// Runs `body` with a collector.
  static func with(_ body: (Collector) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = python
    process.arguments = [script, folder.path]
    process.standardOutput = FileHandle.nullDevice
    // It ends when this closes: with the test, and when the test's own process is killed.
    process.standardInput = Pipe()
    try Children.start { try process.run() }
    // The test's own process ignores SIGTERM, and a child inherits that.
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = try await eventually("the collector listens") {
      try #require(process.isRunning, "oteltap does not start; .ci/install installs it")
      return try? String(contentsOfFile: "\(folder.path)/port", encoding: .utf8)
    }
    try await body(Collector(endpoint: "http://127.0.0.1:\(port)", folder: folder))
  }

  /// The first span that `condition` is true of; waits for it.
  func span(_ what: String, _ condition: (Span) -> Bool) async throws -> Span {
    try await eventually("a span arrives: \(what)") { try spans().first(where: condition) }
  }

  /// What arrived so far.
  func spans() throws -> [Span] {
    let text = (try? String(contentsOfFile: "\(folder.path)/spans", encoding: .utf8)) ?? ""
    // The last line may not be whole yet.
    return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { try JSONDecoder().decode(Span.self, from: Data($0.utf8)) }
  }

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let script = tests.appendingPathComponent("otel_tap.py").path

  /// The project's own Python where `.ci/install` made it, else the system's.
  private static var python: URL {
    let own = tests.appendingPathComponent("../../.venv/bin/python").standardized
    return FileManager.default.isExecutableFile(atPath: own.path) ? own : URL(fileURLWithPath: "/usr/bin/python3")
  }
}
