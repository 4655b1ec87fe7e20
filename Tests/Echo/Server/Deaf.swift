import EchoV1
import GoogleRPC
import TTRPC

/// `echo.v1.Deaf`: handlers that read nothing, or never end, to show that they affect only their own calls. Not part of the contract.
struct Deaf: RPCService {
  static let serviceName = "echo.v1.Deaf"

  /// Reads nothing, and sends nothing until the call is cancelled.
  private static let wait = MethodDescriptor(
    service: serviceName, name: "Wait", kind: .bidirectional, access: .public, idempotent: false)

  /// Reads nothing of messages that have lists, and sends nothing until the call is cancelled.
  private static let waitWithLists = MethodDescriptor(
    service: serviceName, name: "WaitWithLists", kind: .bidirectional, access: .public, idempotent: false)

  /// Keeps its one message, which has lists, until the call is cancelled.
  private static let keep = MethodDescriptor(
    service: serviceName, name: "Keep", kind: .unary, access: .public, idempotent: false)

  /// Answers with four megabytes, in pieces that are made as there is room for them.
  private static let pour = MethodDescriptor(
    service: serviceName, name: "Pour", kind: .serverStreaming, access: .public, idempotent: false)
  private static let (pieces, pieceLength) = (64, 65_536)

  func register(in router: inout Router) {
    router.serverStreaming(Self.pour) { (_: Msg, responses: MessageWriter<Msg>, _: CallContext) async throws in
      for _ in 0..<Self.pieces {
        try await responses.send(about: Self.pieceLength) {
          // As a piece of a file that has to be fetched.
          await Task.yield()
          return Msg(value: String(repeating: "x", count: Self.pieceLength))
        }
      }
    }
    router.bidirectional(Self.wait) { (_: MessageStream<Msg>, _: MessageWriter<Msg>, _: CallContext) async throws in
      try await Self.waitForCancellation()
    }
    router.bidirectional(Self.waitWithLists) {
      (_: MessageStream<BadRequest>, _: MessageWriter<Msg>, _: CallContext) async throws in
      try await Self.waitForCancellation()
    }
    router.unary(Self.keep) { (request: BadRequest, _: CallContext) async throws -> BadRequest in
      try await Self.waitForCancellation()
      return request
    }
  }

  private static func waitForCancellation() async throws {
    // The purpose of this service: a handler that never ends by itself. Cancellation ends the sleep, whose length does not matter.
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }
}
