import Foundation
import TTRPC
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("A crowd that watches health", .ownThreads, .timeLimit(.minutes(5)))
struct WatchCrowdTests {
  private static let connections = 8
  private static let watches = 300
  private static let rounds = 8

  @Test("that leaves all at once, again and again, stops no event loop, and the service still stops when told to")
  func leaving() async throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/ready.json"
    let service = try ServiceProcess(
      ["--plaintext", "--ready-file", file, "--threads=4"],
      environment: ["TANDEM_DATABASE_URL": try await freshDatabase("crowd")])
    #expect(try await service.line(containing: "\"message\":\"ready\"") != nil)
    do {
      let ready = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
      let rpc = try #require(HostPort(ready["rpc"] as? String ?? ""))
      for _ in 0..<Self.rounds {
        try watchAndLeave(rpc.port)
        // Readiness is checked once a second, and no metric reports a check without watchers. Only after such a check are the next watchers
        // answered all at once, which is what hung: with less time between rounds the fault does not occur.
        try await Task.sleep(for: .milliseconds(1_200))
      }
      let last = try HealthSocket(rpc.port)
      try last.send(HealthSocket.request(stream: 1, "Check"))
      try last.waitForAnswer()
    } catch {
      service.signal(SIGKILL)
      throw error
    }
    service.signal(SIGTERM)
    #expect(try await service.ending().status == 0)
  }

  /// Opens all connections with all their watches, and closes them one right after the other once the first has an answer.
  private func watchAndLeave(_ port: Int) throws {
    let requests = (0..<Self.watches).flatMap { HealthSocket.request(stream: UInt32($0) * 2 + 1, "Watch") }
    let sockets = try (0..<Self.connections).map { _ in try HealthSocket(port) }
    for socket in sockets { try socket.send(requests) }
    try sockets[0].waitForAnswer()
  }
}

/// A blocking connection that sends only requests for `grpc.health.v1.Health`, byte by byte; closed when it is released.
private final class HealthSocket {
  private let descriptor: Int32

  init(_ port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // A service that hangs fails the test instead of holding it up.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0, "errno \(errno)")
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      try #require(count > 0, "the service takes no request: errno \(errno)")
      sent += count
    }
  }

  /// Waits for the first byte of an answer.
  func waitForAnswer() throws {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    try #require(count == 1, "the service does not answer: errno \(errno)")
  }

  /// A Request frame without a payload.
  static func request(stream: UInt32, _ method: String) -> [UInt8] {
    let names = [[UInt8]("grpc.health.v1.Health".utf8), [UInt8](method.utf8)]
    let body = zip([0x0A, 0x12] as [UInt8], names).flatMap { [$0, UInt8($1.count)] + $1 }
    // Length, stream id, type Request, and for a stream of answers that the client sends no more.
    return bigEndian(UInt32(body.count)) + bigEndian(stream) + [1, method == "Watch" ? 1 : 0] + body
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
