import EchoV1
import NIOCore
import TestSupport
import Testing

@testable import TTRPC
@testable import TTRPCServer

@Suite("Floods of log lines", .ownThreads, .timeLimit(.minutes(5)))
struct LogFloodTests {
  private static let refusing = ScriptedEcho { request, _ in
    throw Status(.unauthenticated, reason: "PASSWORD_WRONG", "no")
  }

  /// How many calls the lines report: each its own, and those that were left out before it.
  private func told(_ lines: [[String: String]]) -> Int {
    lines.reduce(0) { sum, line in
      sum + (line["message"] == "calls left out" ? 0 : 1) + (Int(line["left_out"] ?? "0") ?? 0)
    }
  }

  /// Makes `count` calls that fail, a hundred at a time.
  private func flood(_ socket: RawSocket, _ count: Int, _ frame: (UInt32) -> [UInt8]) throws {
    for _ in 0..<(count / 100) {
      try socket.send((0..<100).flatMap { _ in frame(socket.takeStream()) })
      _ = try socket.readCalls(100)
    }
  }

  @Test("calls that fail by the thousand are a few lines, which account for all of them and hide nobody else's")
  func failures() async throws {
    let lines = Lines()
    try await EchoFixture.run(Self.refusing, interceptors: [CallLogging(lines.logger(.info))]) { fixture in
      let (flooder, other) = (
        try RawSocket(port: fixture.port, from: 2), try RawSocket(port: fixture.port, from: 3)
      )
      for _ in 0..<3 {
        try flood(flooder, 5_000) { RawSocket.request(stream: $0, method: "Unary", text: "x") }
        let stream = other.takeStream()
        try other.send(RawSocket.request(stream: stream, method: "Unary", text: "x"))
        _ = try other.readCalls(1)
      }
      let stream = flooder.takeStream()
      try flooder.send(RawSocket.request(stream: stream, method: "Meta", text: "x"))
      _ = try flooder.readCalls(1)
    }
    let all = lines.all
    #expect(all.count < 200, "\(all.count) lines")
    #expect(all.filter { $0["peer"]?.hasPrefix("127.0.0.3") == true && $0["message"] == "call ended" }.count == 3)
    #expect(all.filter { $0["rpc"] == "echo.v1.Echo/Meta" && $0["message"] == "call ended" }.count == 1)
    #expect(
      told(all.filter { $0["peer"]?.hasPrefix("127.0.0.2") == true && $0["rpc"] == "echo.v1.Echo/Unary" }) == 15_000)
    #expect(told(all) == 15_004)
  }

  @Test("calls that are refused by the thousand are a few lines too, whatever methods they name")
  func refusals() async throws {
    let lines = Lines()
    try await EchoFixture.run(ScriptedEcho(), logger: lines.logger(.info)) { fixture in
      let (flooder, other) = (
        try RawSocket(port: fixture.port, from: 2), try RawSocket(port: fixture.port, from: 3)
      )
      try flood(flooder, 5_000) { RawSocket.request(stream: $0, service: "no.such", method: "M\($0)") }
      let stream = other.takeStream()
      try other.send(RawSocket.request(stream: stream, service: "no.such", method: "Mine"))
      _ = try other.readCalls(1)
    }
    let all = lines.all.filter { ["call refused", "calls left out"].contains($0["message"]) }
    #expect(all.count < 100, "\(all.count) lines")
    #expect(told(all) == 5_001)
    #expect(all.contains { $0["rpc"] == "no.such/Mine" && $0["peer"]?.hasPrefix("127.0.0.3") == true })
  }

  @Test("clients that open calls and hang up are a few lines too")
  func hangUps() async throws {
    let lines = Lines()
    let service = ScriptedEcho { request, _ in
      await waitForCancellation()
      return request
    }
    try await EchoFixture.run(service, interceptors: [CallLogging(lines.logger(.info))]) { fixture in
      for _ in 0..<20 {
        let socket = try RawSocket(port: fixture.port)
        try socket.send(
          (0..<100).flatMap { _ in RawSocket.request(stream: socket.takeStream(), method: "Unary", text: "x") })
        try await until("they run") { fixture.server.load.callsAtWork == 100 }
        socket.shutDown()
        try await until("they have ended") { fixture.server.load.callsAtWork == 0 }
      }
    }
    #expect(lines.all.count < 100, "\(lines.all.count) lines")
    #expect(told(lines.all) == 2_000)
  }
}
