import Foundation
import GoogleProtobuf
import Postgres
import ServiceRuntime
import TTRPC
import TandemEvents
import TestServices
import TestSupport
import Testing

/// A service whose log contains what no real log can.
private struct HostileProducer: TandemService {
  static let service = ServiceDescription(name: "catalog", purpose: "Tells what cannot be", migrations: [])

  static func build(_ runtime: Runtime) async throws -> ServedService { ServedService(services: [HostileLog()]) }
}

private struct HostileLog: EventLogService {
  func follow(
    _ requests: MessageStream<FollowRequest>, _ responses: MessageWriter<FollowResponse>, _ context: CallContext
  ) async throws {
    let told = SessionRevoked(sessionID: "s", userID: "told").serialized()
    let now = Timestamp(seconds: 1_780_000_000)
    let events = [
      Self.event(1, "never", told, Timestamp(seconds: .max, nanos: .max)),
      Self.event(2, "long ago", told, Timestamp(seconds: .min, nanos: .min)),
      Self.event(3, "timeless", told, nil),
      Self.event(4, "torn\0apart", [0x0A, 0xFF], now),
      Self.event(5, "good", told, now),
    ]
    try await responses.send(FollowResponse(events: events, position: Position(transactionID: 10, id: 0)))
    for try await _ in requests {}
  }

  private static func event(_ id: Int64, _ key: String, _ payload: [UInt8], _ time: Timestamp?) -> Event {
    Event(
      position: Position(transactionID: 9, id: id), topic: "identity.sessions", key: key,
      type: SessionRevoked.protobufName, payload: payload, occurTime: time)
  }
}

@Suite("a log that tells what cannot be", .ownThreads, .timeLimit(.minutes(5)))
struct HostileLogTests {
  @Test("times at both ends of what a number holds, and texts that no database takes, stop no consumer")
  func times() async throws {
    try await Pair.with { pair in
      try await RunningService.with(HostileProducer.self, on: pair.database, certificates: pair.certificates) {
        service in
        let consumer = try Self.consumer(pair, service.port)
        defer {
          kill(consumer.processIdentifier, SIGKILL)
          consumer.waitUntilExit()
        }
        #expect(try await pair.handlers(2).sorted() == ["good=told", "timeless=told"])
        let parked = try await pair.sql("select key from lending.parked_events order by event_id")
        #expect(parked == [["never"], ["long ago"], ["torn\u{FFFD}apart"]])
        #expect(consumer.isRunning)
      }
    }
  }

  /// A process, which a trap would end.
  private static func consumer(_ pair: Pair, _ port: Int) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("chaos-consumer")
    process.arguments =
      try pair.certificates.settings(of: "lending") + [
        "--database-url", pair.database.url(of: "lending"), "--log-level", "critical",
        "--catalog-address", "127.0.0.1:\(port)",
      ]
    try Children.start { try process.run() }
    return process
  }
}
