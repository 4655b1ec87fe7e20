import Dispatch

/// Turns for what keeps a machine busy as a whole suite that starts does, a dozen processes at once: several of them beside each other would make each
/// other's calls miss their deadlines.
enum SuiteTurns {
  private static let turns = DispatchSemaphore(value: 2)

  /// Waits for a turn, on a thread of the test's own.
  static func take<R>(_ body: () throws -> R) rethrows -> R {
    turns.wait()
    defer { turns.signal() }
    return try body()
  }
}
