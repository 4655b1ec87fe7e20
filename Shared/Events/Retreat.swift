/// How long to stay away after failures: longer each time, and never quite the same, so that all who failed together do not come back
/// together.
struct Retreat: Sendable {
  private let longest: Duration
  private var next = Duration.milliseconds(20)

  init(longest: Duration) {
    self.longest = longest
  }

  /// The last attempt succeeded.
  mutating func end() { next = .milliseconds(20) }

  /// Waits.
  ///
  /// - Throws: when the task is cancelled.
  mutating func pass() async throws {
    let wait = next * Double.random(in: 0.8...1.2)
    next = min(next * 2, longest)
    // This is the wait that the caller asked for.
    try await Task.sleep(for: wait)
  }
}
