import LoopExecutor
import Testing

@testable import TTRPC
@testable import TTRPCClient

@Suite("Cancelling calls", .timeLimit(.minutes(5)))
struct ClientCancellationTests {
  @Test("a call whose task was cancelled before it came to wait is told so")
  func cancelledBefore() async throws {
    let group = LoopGroup(threads: 1)
    let client = LoadBalancer(
      [.init(host: "127.0.0.1", port: 1)], .plaintext, .init(), .system, on: group.executors[0])
    let method = MethodDescriptor(
      service: "echo.v1.Echo", name: "Unary", kind: .unary, access: .public, idempotent: true)
    let call: UnaryClientCall<[UInt8], [UInt8]> = UnaryClientCall(
      method, [], .serialized, .serialized, .default, deadline: nil)
    client.abandon(call)
    try await group.executors[0].loop.submit {}.get()
    await #expect(throws: CancellationError.self) {
      try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
        call.wait(continuation)
        client.start(call)
      }
    }
    try await group.shutdown()
  }
}
