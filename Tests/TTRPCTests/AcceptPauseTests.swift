import TestSupport
import Testing

@testable import TTRPC

@Suite("A port without descriptors left", .ownThreads, .timeLimit(.minutes(5)))
struct AcceptPauseTests {
  @Test("waits instead of spinning, says so in one line, and takes clients again once others have gone")
  func exhausted() async throws {
    let server = try EchoProcess([], openFiles: 48)
    let line = "no more clients are accepted for now"
    do {
      let idle = try (0..<100).map { _ in try RawSocket(port: server.port) }
      try await until("the log tells of it") { try server.log().contains(line) }
      let before = try server.processorTime()
      // What is measured is that nothing is done meanwhile.
      try await Task.sleep(for: .milliseconds(500))
      let spent = try server.processorTime() - before
      #expect(spent < .milliseconds(250), "half a second of waiting took \(spent) of a processor")
      withExtendedLifetime(idle) {}
    }
    let client = try RawSocket(port: server.port)
    try client.send(RawSocket.request(stream: 1, method: "Unary", text: "still there"))
    #expect(try client.readCalls(1).count == 1)
    #expect(try server.log().split(separator: "\n").filter { $0.contains(line) }.count == 1)
    server.terminate()
    #expect(try await server.exitStatus() == 0)
  }
}
