public import Logging
import PeriodicTask
public import ServiceLifecycle
import Synchronization
public import TTRPC

/// Ends streams whose access tokens have expired, or were revoked, since they were opened ([ID-7]).
///
/// A stream is authenticated when it begins. One that stays open is looked at twice a second, from memory alone.
public final class StreamTokens: Service {
  private struct Stream {
    let token: Substring
    let end: @Sendable (Status) -> Void
  }

  private struct State {
    var streams: [UInt64: Stream] = [:]
    var lastID: UInt64 = 0
  }

  private let authenticator: any Authenticator
  private let interval: Duration
  private let logger: Logger
  private let state = Mutex(State())

  /// - Parameter interval: the longest time for which a stream outlives its token.
  public init(_ authenticator: any Authenticator, every interval: Duration = .milliseconds(500), logger: Logger) {
    self.authenticator = authenticator
    self.interval = interval
    self.logger = logger
  }

  /// Runs `body`, the work of a stream; meanwhile calls `end`, at most once, when the token that authenticated `context` is no
  /// longer valid: with its refusal, from any thread. `end` returns at once.
  public nonisolated(nonsending) func observe<R>(
    _ context: CallContext, end: @escaping @Sendable (Status) -> Void, _ body: () async throws -> R
  ) async rethrows -> R {
    guard let token = context.metadata.bearerToken else { return try await body() }
    let id = state.withLock { state in
      state.lastID += 1
      state.streams[state.lastID] = Stream(token: token, end: end)
      return state.lastID
    }
    defer { remove(id) }
    return try await body()
  }

  /// Refuses what a stream is to pass on behind the end of its token, before the next look.
  public func requireValid(_ context: CallContext) throws(Status) {
    guard let token = context.metadata.bearerToken else { return }
    _ = try authenticator.caller(provenBy: token, for: .user)
  }

  /// Runs `body`, the work of a stream, until it ends or the token that authenticated `context` is no longer valid: then it is cancelled.
  ///
  /// - Throws: the refusal of the token; what `body` throws.
  public func whileValid(_ context: CallContext, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let (refusals, refusal) = AsyncStream<Status>.makeStream()
    try await observe(context, end: { refusal.yield($0) }) {
      try await withThrowingTaskGroup { group in
        group.addTask { try await body() }
        group.addTask {
          for await status in refusals { throw status }
          throw CancellationError()
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }

  /// Looks at the tokens of all streams, until the service stops.
  public func run() async throws {
    await repeatUntilShutdown(every: interval, logger, "the tokens of streams could not be looked at") { _ in
      self.look()
    }
  }

  private func look() {
    let streams = state.withLock { $0.streams }
    for (id, stream) in streams {
      do throws(Status) {
        _ = try authenticator.caller(provenBy: stream.token, for: .user)
      } catch {
        // Any other failure says nothing about the token.
        guard error.code == .unauthenticated else { continue }
        remove(id)
        stream.end(error)
      }
    }
  }

  private func remove(_ id: UInt64) {
    // Released outside the lock, with what the closure holds.
    _ = state.withLock { $0.streams.removeValue(forKey: id) }
  }
}
