import Glibc

/// Runs blocking work on a thread of its own, so that no event loop waits for it.
package enum BackgroundThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new detached thread.
  ///
  /// - Returns: false when the system allows no more threads; `body` is not run then.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { raw in
        guard let raw else { return nil }
        Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if status != 0 { work.release() }
    return status == 0
  }

  /// Runs `body` on a new thread and returns its result, or throws its error.
  package static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<R, any Error>) in
      let started = start { continuation.resume(with: Result { try body() }) }
      if !started { continuation.resume(throwing: PostgresError.unavailable("the system grants no more threads")) }
    }
  }
}
