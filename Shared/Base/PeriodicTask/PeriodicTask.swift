import Logging
import ServiceLifecycle

/// Runs `body` now and then `interval` after each of its ends, until the service is told to stop.
///
/// While it has never succeeded it is tried again soon, because a service's parts start before its database is ready. `body` is told how
/// long ago its last success began.
public func repeatUntilShutdown(
  every interval: Duration, _ logger: Logger, _ failure: Logger.Message,
  _ body: @escaping @Sendable (_ lastSuccess: Duration?) async throws -> Void
) async {
  await cancelWhenGracefulShutdown {
    var lastSuccess: ContinuousClock.Instant?
    while !Task.isCancelled {
      let began = ContinuousClock.now
      do {
        try await body(lastSuccess.map { began - $0 })
        lastSuccess = began
      } catch {
        // Of a database that is away the service as a whole has its say.
        logger.log(level: lastSuccess == nil ? .debug : .warning, failure, metadata: ["cause": "\(error)"])
      }
      // What is thrown is the cancellation that ends the loop.
      try? await Task.sleep(for: lastSuccess == nil ? .milliseconds(20) : interval)
    }
  }
}
