import Foundation
import GRPCHealth
import LoopExecutor
import NIOPosix
import TTRPC
import TTRPCClient
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("A service's metrics", .ownThreads, .timeLimit(.minutes(5)))
struct MetricsTests {
  @Test("count calls by code, bytes, messages and connections, and promtool finds nothing to say")
  func exposition() async throws {
    let service = try ServiceProcess(["--plaintext", "--database-url", "postgresql://x@127.0.0.1:1/t"])
    let listening = try #require(try await service.line(containing: "\"listening\""))
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(listening.utf8)) as? [String: String])
    let rpc = try #require(HostPort(fields["rpc"] ?? ""))
    let admin = try #require(HostPort(fields["admin"] ?? ""))
    let loops = LoopGroup(threads: 1)
    let client = RPCClient(host: rpc.host, port: rpc.port, security: .plaintext, on: loops.executors[0])
    let health = HealthClient(client)
    for name in ["", "", "no.such.Service"] {
      do { _ = try await health.check(HealthCheckRequest(service: name)) } catch is Status {
        // Counted all the same.
      }
    }
    try await health.watch(HealthCheckRequest()) { answers in
      for try await _ in answers { break }
    }

    let text = try await metrics(of: admin)
    let check = #"{method="Check",service="grpc.health.v1.Health"}"#
    #expect(text.contains(#"rpc_server_calls_total{code="OK",method="Check",service="grpc.health.v1.Health"} 2"#))
    #expect(
      text.contains(#"rpc_server_calls_total{code="NOT_FOUND",method="Check",service="grpc.health.v1.Health"} 1"#))
    #expect(text.contains("rpc_server_call_duration_seconds_count\(check) 3"))
    #expect(text.contains("rpc_server_calls_in_flight\(check) 0"))
    #expect(text.contains(#"rpc_server_sent_messages_total{method="Watch",service="grpc.health.v1.Health"} 1"#))
    #expect(text.contains("\nrpc_server_connections 1\n"))
    for name in ["rpc_server_received_bytes_total", "rpc_server_sent_bytes_total"] {
      #expect(try #require(value(of: name + check, in: text)) > 30)
    }
    for line in text.split(separator: "\n") where line.hasPrefix("# HELP ") {
      #expect(line.split(separator: " ").count > 4, "no help: \(line)")
    }
    #expect(try await promtool(text) == "")
    await client.close()
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
    try await loops.shutdown()
  }

  private func value(of series: String, in text: String) -> Double? {
    guard let place = text.firstRange(of: "\n\(series) ") else { return nil }
    return Double(text[place.upperBound...].prefix { $0 != "\n" })
  }

  private func metrics(of admin: HostPort) async throws -> String {
    let answer = try await request(admin, "GET /metrics")
    let body = try #require(answer.firstRange(of: "\r\n\r\n")?.upperBound)
    return String(answer[body...])
  }

  /// What `promtool check metrics` says of the text; nothing is what it should.
  private func promtool(_ text: String) async throws -> String {
    let folder = try TemporaryFolder()
    let file = try folder.file("metrics", text)
    return try await NIOThreadPool.singleton.runIfActive {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/promtool")
      process.arguments = ["check", "metrics"]
      process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      process.standardOutput = output
      process.standardError = output
      try Children.start { try process.run() }
      let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return process.terminationStatus == 0 ? said : "status \(process.terminationStatus): \(said)"
    }
  }
}
