import Logging
import ServiceLifecycle

/// Runs `body` again `interval` after each of its ends, until the service is shut down.
///
/// Until its first success it is retried soon, because a service's parts start before its database is ready. The
/// argument of `body` is the time since its last success began.
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
        // Before the first success the database may not be there yet, which the service as a whole reports.
        logger.log(level: lastSuccess == nil ? .debug : .warning, failure, metadata: ["cause": "\(error)"])
      }
      // It throws only the cancellation that ends the loop.
      try? await Task.sleep(for: lastSuccess == nil ? .milliseconds(20) : interval)
    }
  }
}
