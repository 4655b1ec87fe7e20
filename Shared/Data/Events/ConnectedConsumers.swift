import Synchronization

/// The consumers that follow a log at present, through this process.
final class ConnectedConsumers: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// The names, in no order.
  var names: [String] { counts.withLock { Array($0.keys) } }

  /// Runs `body` while `consumer` counts as connected; `nil` is a follower without a stored position.
  func with<R>(_ consumer: String?, _ body: () async throws -> R) async rethrows -> R {
    guard let consumer else { return try await body() }
    counts.withLock { $0[consumer, default: 0] += 1 }
    defer { counts.withLock { counts in counts[consumer] = counts[consumer].flatMap { $0 > 1 ? $0 - 1 : nil } } }
    return try await body()
  }
}
