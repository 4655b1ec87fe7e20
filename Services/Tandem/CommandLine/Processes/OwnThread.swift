import Glibc

/// Runs blocking work on a dedicated thread.
///
/// Children are killed with the thread that started them, and the concurrency runtime may end its threads at any time.
enum OwnThread {
  static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      let work = Unmanaged.passRetained(Work { continuation.resume(with: Result(catching: body)) })
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { work in
          guard let work else { return nil }
          Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
      guard result == 0 else {
        work.release()
        return continuation.resume(throwing: Complaint("no thread can be started: \(systemMessage(result))"))
      }
      pthread_detach(thread)
    }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
