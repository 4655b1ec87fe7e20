import FoundationEssentials
import Glibc
import Logging
import Metrics
import NIOCore
import NIOPosix
import Telemetry
import Testing

@testable import ServiceRuntime

/// Sends raw bytes to a port of this machine and returns all that comes back until the peer closes.
///
/// It waits on a thread of its own, because the threads of tasks are few and the server under test needs them too.
func exchange(_ address: HostPort, _ text: String) async throws -> String {
  try await NIOThreadPool.singleton.runIfActive { try blockingExchange(address, text) }
}

private func blockingExchange(_ address: HostPort, _ text: String) throws -> String {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  var limit = timeval(tv_sec: 10, tv_usec: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  var name = sockaddr_in()
  name.sin_family = sa_family_t(AF_INET)
  name.sin_port = UInt16(address.port).bigEndian
  name.sin_addr.s_addr = inet_addr("127.0.0.1")
  let connected = withUnsafePointer(to: &name) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  try #require(connected == 0)
  _ = text.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  var answer: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
    answer.append(contentsOf: chunk[..<count])
  }
}

/// One request on a connection of its own.
func request(_ address: HostPort, _ line: String, _ headers: String...) async throws -> String {
  try await exchange(
    address, "\(line) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n" + headers.map { "\($0)\r\n" }.joined() + "\r\n")
}

@Suite("The admin port", .timeLimit(.minutes(5)))
struct AdminServerTests {
  let group = MultiThreadedEventLoopGroup.singleton
  // Long enough for a check that answers at once, on a busy machine too.
  let readiness = Readiness(timeout: .seconds(1))
  let registry = PrometheusRegistry()

  func start() async throws -> AdminServer {
    try await AdminServer.start(
      on: HostPort(host: "127.0.0.1", port: 0), group: group, readiness: readiness, registry: registry,
      logger: Logger(label: "admin"))
  }

  @Test("is live, and ready when every check is well")
  func ready() async throws {
    readiness.add("database") { nil }
    let server = try await start()
    #expect(try await request(server.address, "GET /livez").hasPrefix("HTTP/1.1 200 OK\r\n"))
    let answer = try await request(server.address, "GET /readyz?verbose")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\nready\ndatabase: ok\n"))
    await server.close()
  }

  @Test("is not ready when one check fails or does not answer, and says which")
  func notReady() async throws {
    readiness.add("database") { "no \"connection\"" }
    readiness.add("slow") {
      // What this check is for: it does not answer in the time that checks have, and is cancelled then.
      try? await Task.sleep(for: .seconds(60))
      return nil
    }
    let server = try await start()
    let text = try await request(server.address, "GET /readyz")
    #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(text.contains("not ready\ndatabase: no \"connection\"\nslow: no answer within 1.0 seconds\n"))
    let json = try await request(server.address, "GET /readyz", "accept: application/json")
    #expect(json.contains(#"{"ready":false,"checks":{"database":"no \"connection\"","slow":"#))
    #expect(try await request(server.address, "GET /livez").contains("200 OK"))
    await server.close()
  }

  @Test("tells facts as JSON, whatever becomes of the checks")
  func facts() async throws {
    readiness.describe("version") { "0.1.0" }
    readiness.describe("schema") { nil }
    let server = try await start()
    let json = try await request(server.address, "GET /readyz", "accept: application/json")
    #expect(json.contains(#"{"ready":true,"checks":{},"facts":{"version":"0.1.0","schema":null},"lacks":[]}"#))
    await server.close()
  }

  @Test("31 item 9: tells what is lacking as JSON, in order; it stays ready, and what cannot be asked is left out")
  func lacks() async throws {
    readiness.expect(Lack("push", "nothing is \"pushed\"", cure: "PUSH_URL")) { false }
    readiness.expect(Lack("mail", "no mail", cure: "MAIL")) { true }
    readiness.expect(Lack("slow", "unknown", cure: "none")) {
      // What this one is for: it does not answer in the time that there is.
      try await Task.sleep(for: .seconds(60))
      return false
    }
    readiness.expect(Lack("failing", "unknown", cure: "none")) { throw CancellationError() }
    readiness.expect(Lack("unknown", "unknown", cure: "none")) { nil }
    readiness.expect(Lack("gyms", "no gym", cure: "load")) { false }
    let server = try await start()
    let json = try await request(server.address, "GET /readyz", "accept: application/json")
    #expect(json.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(
      json.contains(
        #""lacks":[{"subject":"push","effect":"nothing is \"pushed\"","cure":"PUSH_URL"},"#
          + #"{"subject":"gyms","effect":"no gym","cure":"load"}]}"#))
    #expect(try await request(server.address, "GET /readyz").hasSuffix("\r\n\r\nready\n"))
    await server.close()
  }

  @Test("shows the metrics")
  func metrics() async throws {
    Counter(label: "things", factory: registry).increment()
    let server = try await start()
    let answer = try await request(server.address, "GET /metrics")
    #expect(answer.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"))
    #expect(answer.contains("\nthings_total 1\n") && answer.contains("\nprocess_resident_memory_bytes "))
    await server.close()
  }

  @Test("answers HEAD without a body, other methods with 405, other paths with 404")
  func methods() async throws {
    let server = try await start()
    #expect(
      try await request(server.address, "HEAD /livez").hasSuffix(
        "content-length: 5\r\ncache-control: no-store\r\nconnection: close\r\n\r\n"))
    let refused = try await request(server.address, "POST /livez", "content-length: 0")
    #expect(refused.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n") && refused.contains("allow: GET, HEAD\r\n"))
    #expect(try await request(server.address, "GET /").hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    await server.close()
  }

  @Test("pipelined requests are answered in order on one connection")
  func pipelining() async throws {
    let server = try await start()
    let answer = try await exchange(
      server.address,
      "GET /livez HTTP/1.1\r\nhost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    let (first, second) = (answer.firstRange(of: "200 OK"), answer.firstRange(of: "404 Not Found"))
    #expect(try #require(first).lowerBound < #require(second).lowerBound)
    await server.close()
  }

  @Test("garbage and oversized headers or bodies lose their connection, nobody else's")
  func garbage() async throws {
    let server = try await start()
    #expect(try await exchange(server.address, "\u{1}\u{2}garbage\r\n\r\n").hasPrefix("HTTP/1.1 400 Bad Request"))
    let huge = String(repeating: "x", count: 200_000)
    #expect(try await !request(server.address, "GET /livez", "a: \(huge)").contains("200 OK"))
    #expect(try await !request(server.address, "GET /livez", "content-length: 200000", "", huge).contains("200 OK"))
    #expect(try await request(server.address, "GET /livez").contains("200 OK"))
    await server.close()
  }

  @Test("a taken port is one line that says who has it and what to set")
  func takenPort() async throws {
    let server = try await start()
    let refusal = await #expect(throws: StartupError.self) {
      try await AdminServer.start(
        on: server.address, group: group, readiness: readiness, registry: registry, logger: Logger(label: "admin"))
    }
    let line = try #require(refusal?.lines.first)
    #expect(refusal?.exitStatus == 1)
    #expect(line.hasPrefix("cannot listen on \(server.address): the address is taken by "))
    // Not this process's number: a database server that another test starts inherits the socket and may be named.
    #expect(line.contains(" (pid ") && line.hasSuffix("); stop it or set --admin-listen or TANDEM_ADMIN_LISTEN"))
    await server.close()
  }
}
