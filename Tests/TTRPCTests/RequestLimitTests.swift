import EchoV1
import struct GoogleRPC.BadRequest
import TTRPC
import TestSupport
import Testing

@testable import TTRPC

@Suite("messages that are longer than their method takes", .timeLimit(.minutes(5)))
struct RequestLimitTests {
  private static let limit = 1_000

  private static func method(_ name: String, _ kind: MethodKind) -> MethodDescriptor {
    MethodDescriptor(
      service: Limited.serviceName, name: name, kind: kind, access: .public, idempotent: false, maxRequestBytes: limit)
  }

  /// Methods that answer how long the texts were that they got.
  private struct Limited: RPCService {
    static let serviceName = "test.v1.Limited"
    static let take = method("Take", .unary)
    static let gather = method("Gather", .clientStreaming)
    static let tell = method("Tell", .serverStreaming)

    func register(in router: inout Router) {
      router.unary(Self.take) { (message: Msg, _) in Msg(value: "\(message.value.utf8.count)") }
      router.clientStreaming(Self.gather) { (messages: MessageStream<Msg>, _) in
        Msg(value: "\(try await messages.reduce(into: 0) { $0 += $1.value.utf8.count })")
      }
      router.serverStreaming(Self.tell) { (message: Msg, writer: MessageWriter<Msg>, _) in
        try await writer.send(Msg(value: "\(message.value.utf8.count)"))
      }
    }
  }

  /// A message of so many bytes; three of them are not its text.
  private static func message(_ bytes: Int) -> Msg { Msg(value: String(repeating: "x", count: bytes - 3)) }

  private static func refusal(_ call: () async throws -> Void) async throws -> Status {
    try await #require(throws: Status.self) { try await call() }
  }

  @Test("a request of exactly the length is taken, a longer one is refused with the limit, and the connection goes on")
  func unary() async throws {
    try await EchoFixture.run(Limited()) { fixture in
      let client = fixture.client
      let fitting: Msg = try await client.call(Limited.take, Self.message(Self.limit), .default)
      #expect(fitting.value == "\(Self.limit - 3)")
      let status = try await Self.refusal {
        let _: Msg = try await client.call(Limited.take, Self.message(Self.limit + 1), .default)
      }
      #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "MESSAGE_TOO_LARGE")
      #expect(status.message == "message length 1001 exceed maximum message size of 1000")
      let next: Msg = try await client.call(Limited.take, Msg(value: "next"), .default)
      #expect(next.value == "4")
    }
  }

  @Test("what is too long is not read: neither its text nor its form is looked at")
  func unread() async throws {
    try await EchoFixture.run(Limited()) { fixture in
      for payload in [
        [0x0A, 0xFE, 0x07] + [UInt8](repeating: 0xFF, count: 1_022), [UInt8](repeating: 0xFF, count: 4_000),
      ] {
        let status = try await Self.refusal {
          _ = try await fixture.client.callSerialized(Limited.take, payload, .default)
        }
        #expect(status.errorInfo?.reason == "MESSAGE_TOO_LARGE")
      }
    }
  }

  @Test("each message of a stream has the limit, the first and those that come later")
  func streams() async throws {
    try await EchoFixture.run(Limited()) { fixture in
      let client = fixture.client
      let told = try await Self.refusal {
        try await client.serverStream(Limited.tell, Self.message(Self.limit + 1), .default) {
          (answers: MessageStream<Msg>) in for try await _ in answers {}
        }
      }
      #expect(told.errorInfo?.reason == "MESSAGE_TOO_LARGE")
      let many: Msg = try await client.clientStream(Limited.gather, .default) { (writer: RequestWriter<Msg>) in
        for _ in 0..<3 { try await writer.send(Self.message(Self.limit)) }
      }
      #expect(many.value == "\(3 * (Self.limit - 3))")
      let gathered = try await Self.refusal {
        let _: Msg = try await client.clientStream(Limited.gather, .default) { (writer: RequestWriter<Msg>) in
          try await writer.send(Self.message(Self.limit))
          try await writer.send(Self.message(Self.limit + 1))
        }
      }
      #expect(gathered.code == .resourceExhausted && gathered.errorInfo?.reason == "MESSAGE_TOO_LARGE")
    }
  }
}

@Suite("what a server reads of hostile bytes", .timeLimit(.minutes(5)))
struct HostileTextTests {
  @Test("[C-2] a text that is not UTF-8 is named by its path, in a message within the message too")
  func paths() async throws {
    try await EchoFixture.run(Details()) { fixture in
      // The second of the violations says a field that is no text.
      let payload: [UInt8] = [0x0A, 0x03, 0x0A, 0x01, 0x61, 0x0A, 0x03, 0x0A, 0x01, 0xFF]
      let status = try await #require(throws: Status.self) {
        _ = try await fixture.client.callSerialized(Details.take, payload, .default)
      }
      #expect(status.code == .invalidArgument && status.errorInfo?.reason == "MALFORMED_MESSAGE")
      let violation = try #require(status.badRequest?.fieldViolations.first)
      #expect(violation.field == "field_violations[1].field" && violation.reason == "MALFORMED")
      #expect(violation.description == "The text is not UTF-8")
    }
  }

  @Test("a message of more fields than any list has is refused with their number, whether or not they are known")
  func fields() async throws {
    try await EchoFixture.run(Details()) { fixture in
      for field: [UInt8] in [[0x78, 0x00], [0x0A, 0x00]] {
        let payload = [[UInt8]](repeating: field, count: 65_537).flatMap(\.self)
        let status = try await #require(throws: Status.self) {
          _ = try await fixture.client.callSerialized(Details.take, payload, .default)
        }
        #expect(status.code == .invalidArgument && status.errorInfo?.reason == "MALFORMED_MESSAGE")
        #expect(status.badRequest?.fieldViolations.first?.description.contains("more than 65536 fields") == true)
      }
    }
  }

  @Test("metadata that is not UTF-8 matches nothing, and proves nobody")
  func metadata() {
    func received(_ name: [UInt8], _ value: [UInt8]) -> Metadata {
      Metadata(
        received: ReceivedPairs(count: 1, bytes: name.count + value.count) { pairs in
          name.withUnsafeBytes { name in value.withUnsafeBytes { pairs.append(name, $0) } }
        })
    }
    let wrong = received(Array("authorization".utf8), Array("Bearer ".utf8) + [UInt8](repeating: 0xFF, count: 30_000))
    #expect(wrong.bearerToken == "\u{FFFD}" && wrong["authorization"] == "\u{FFFD}")
    #expect(wrong.pairs == [.init(name: "authorization", value: "\u{FFFD}")])
    #expect(received([0xFF], [0x61]).pairs == [.init(name: "\u{FFFD}", value: "a")])
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
      #expect(received(Array("Authorization".utf8), Array("\(scheme) abc".utf8)).bearerToken == "abc")
      #expect((["authorization": "\(scheme) abc"] as Metadata).bearerToken == "abc")
    }
    for other in ["Basic abc", "Bearer", "Bearerabc", "Bearer\u{C}abc", ""] {
      #expect(received(Array("authorization".utf8), Array(other.utf8)).bearerToken == nil, "\(other)")
      #expect((["authorization": .init(other)] as Metadata).bearerToken == nil, "\(other)")
    }
  }

  /// A method whose request has messages in a list.
  private struct Details: RPCService {
    static let serviceName = "test.v1.Details"
    static let take = MethodDescriptor(
      service: serviceName, name: "Take", kind: .unary, access: .public, idempotent: false)

    func register(in router: inout Router) {
      router.unary(Self.take) { (_: BadRequest, _) in Msg() }
    }
  }
}
