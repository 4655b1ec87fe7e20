import EchoV1
import TTRPC

/// `echo.v1.Deaf`: what a handler that reads nothing does to its stream and to nobody else's. Not part of the contract.
struct Deaf: RPCService {
  static let serviceName = "echo.v1.Deaf"

  /// Reads nothing, and sends nothing until the call is cancelled.
  private static let wait = MethodDescriptor(
    service: serviceName, name: "Wait", kind: .bidirectional, access: .public, idempotent: false)

  func register(in router: inout Router) {
    router.bidirectional(Self.wait) { (_: MessageStream<Msg>, _: MessageWriter<Msg>, _: CallContext) async throws in
      // Ends by being cancelled; the length of one sleep means nothing.
      while true { try await Task.sleep(for: .seconds(3_600)) }
    }
  }
}
