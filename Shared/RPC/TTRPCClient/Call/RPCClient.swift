import LoopExecutor
import NIOCore
import ProtobufC
import TTRPC
import Tracing

/// Calls the servers of one target over connections to each of its addresses, taken in turn.
///
/// Connections are opened with the first call, and reopened whenever one is lost, with growing waits between attempts
/// that fail. Meanwhile calls go to the other addresses; when there is none left they fail with UNAVAILABLE and
/// `RetryInfo`, unless they are ``CallOptions/waitForReady``. A call's timeout covers all of it: waiting for a
/// connection, writing, the response, and retries.
///
/// A call that failed with UNAVAILABLE is retried by ``RetryPolicy`` when its method is idempotent or no server began
/// it; any other call only its caller may repeat. A client must be closed.
public final class RPCClient: RPCChannel {
  private let settings: Settings
  private let budget: RetryBudget
  private let balancer: LoadBalancer
  private let executor: LoopExecutor
  private let tracing: ClientTracing

  /// - Parameters:
  ///   - addresses: at least one; all of them serve the same methods.
  ///   - executor: where the connections live; calls from tasks that run there cost no hop.
  public convenience init(
    addresses: [Address], security: Security, settings: Settings = Settings(), on executor: LoopExecutor
  ) {
    self.init(addresses: addresses, security: security, settings: settings, resolver: .system, on: executor)
  }

  /// A client of one host.
  ///
  /// - Parameters:
  ///   - host: a name, all of whose addresses are used, or an address.
  ///   - executor: where the connections live; calls from tasks that run there cost no hop.
  public convenience init(
    host: String, port: Int, security: Security, settings: Settings = Settings(), on executor: LoopExecutor
  ) {
    self.init(addresses: [Address(host: host, port: port)], security: security, settings: settings, on: executor)
  }

  init(
    addresses: [Address], security: Security, settings: Settings, resolver: NameResolver, on executor: LoopExecutor
  ) {
    precondition(!addresses.isEmpty, "a client needs an address")
    precondition(settings.connectionsPerAddress > 0, "a client has connections to call over")
    self.settings = settings
    self.executor = executor
    tracing = ClientTracing(tracer: settings.tracer, host: addresses[0].host, port: addresses[0].port)
    budget = RetryBudget(tokens: settings.retry.budget, tokensPerSuccess: settings.retry.budgetPerSuccess)
    balancer = LoadBalancer(addresses, security, settings, resolver, on: executor)
  }

  deinit { balancer.closeUnlessClosed() }

  /// Calls over one of the connections, and opens them first where there is none.
  public func call<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws -> Response {
    try await tracing.traced(method, options) { try await call(method, request, .generated, .generated, $0) }
  }

  /// Calls a unary method for whose messages this program has no types: request and response are serialized messages.
  public func callSerialized(
    _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions = .default
  ) async throws -> [UInt8] {
    try await tracing.traced(method, options) { try await call(method, request, .serialized, .serialized, $0) }
  }

  private nonisolated(nonsending) func call<Request: Sendable, Response: Sendable>(
    _ method: MethodDescriptor, _ request: Request, _ requests: MessageCodec<Request>,
    _ responses: MessageCodec<Response>, _ options: CallOptions
  ) async throws -> Response {
    let deadline = options.deadline
    let counted = settings.metrics?.callBegins(method)
    do {
      let answer = try await attempting(method, deadline) {
        let call = UnaryClientCall(method, request, requests, responses, options, deadline: deadline)
        return try await withTaskCancellationHandler {
          // Without a result type of its own, which would have to be looked up at run time for each call.
          try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            call.wait(continuation)
            balancer.start(call)
          }
          return call.answer
        } onCancel: {
          balancer.abandon(call)
        }
      }
      counted?.ended(nil)
      return answer
    } catch {
      counted?.ended(error)
      throw error
    }
  }

  /// Opens a stream over one of the connections, and opens them first where there is none.
  public func stream<Request: ProtobufMessage, Response: ProtobufMessage, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    try await tracing.traced(method, options) { try await stream(method, request, .generated, .generated, $0, body) }
  }

  /// Opens a stream for whose messages this program has no types: all are serialized messages.
  public func streamSerialized<Result>(
    _ method: MethodDescriptor, _ request: [UInt8]?, _ options: CallOptions = .default,
    _ body: (RequestWriter<[UInt8]>, MessageStream<[UInt8]>) async throws -> Result
  ) async throws -> Result {
    try await tracing.traced(method, options) { try await stream(method, request, .serialized, .serialized, $0, body) }
  }

  private nonisolated(nonsending) func stream<Request: Sendable, Response: Sendable, Result>(
    _ method: MethodDescriptor, _ request: Request?, _ requests: MessageCodec<Request>,
    _ responses: MessageCodec<Response>, _ options: CallOptions,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    let counted = settings.metrics?.callBegins(method)
    do {
      let call = try await open(method, request, requests, responses, options)
      let result = try await use(call, body)
      counted?.ended(nil)
      return result
    } catch {
      counted?.ended(error)
      throw error
    }
  }

  private nonisolated(nonsending) func open<Request: Sendable, Response: Sendable>(
    _ method: MethodDescriptor, _ request: Request?, _ requests: MessageCodec<Request>,
    _ responses: MessageCodec<Response>, _ options: CallOptions
  ) async throws -> StreamClientCall<Request, Response> {
    let deadline = options.deadline
    return try await attempting(method, deadline) {
      let call = StreamClientCall(
        method, request, requests, responses, options, deadline: deadline, unreadLimit: settings.unreadBytesPerStream,
        unread: settings.unreadStreams, on: executor)
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { opened in
          call.wait(opened)
          balancer.start(call)
        }
      } onCancel: {
        balancer.abandon(call)
      }
      return call
    }
  }

  private nonisolated(nonsending) func use<Request: Sendable, Response: Sendable, Result>(
    _ call: StreamClientCall<Request, Response>,
    _ body: (RequestWriter<Request>, MessageStream<Response>) async throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      defer { balancer.leave(call) }
      let (writer, stream) = call.sides
      return try await body(writer, stream)
    } onCancel: {
      balancer.abandon(call)
    }
  }

  /// Runs `attempt` until it succeeds or fails for good.
  private nonisolated(nonsending) func attempting<Result>(
    _ method: MethodDescriptor, _ deadline: NIODeadline?, _ attempt: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    var retry = Retry(method, deadline, settings.retry, budget)
    while true {
      do {
        let result = try await attempt()
        budget.succeeded()
        return result
      } catch {
        let delay = try retry.delay(after: error, chance: settings.chance())
        settings.metrics?.method(method).callRepeated()
        // The wait of the retry policy, or the one that the server asked for.
        try await Task.sleep(for: .nanoseconds(delay.nanoseconds))
      }
    }
  }

  /// Closes the connections; calls in progress and later ones fail with CANCELLED.
  public func close() async {
    await balancer.close()
  }
}

extension CallOptions {
  /// The deadline of a call that is made now with these options.
  fileprivate var deadline: NIODeadline? {
    // A timeout beyond the range of the clock needs no deadline.
    guard let timeout, timeout < .seconds(1 << 32) else { return nil }
    return .now() + .nanoseconds(max(timeout, .zero).nanoseconds)
  }
}
