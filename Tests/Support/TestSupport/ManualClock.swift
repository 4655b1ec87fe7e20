import Environment
import Identifiers
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: WallClock {
  private let time: Mutex<Instant>

  /// Starts at a fixed day, so that failures read the same on every run: 2026-01-15T12:00:00Z.
  public init(_ start: Instant = Instant(microseconds: 1_768_478_400_000_000)) {
    time = Mutex(start)
  }

  /// The time that the test set last.
  public var now: Instant { time.withLock { $0 } }

  /// Returns soon after the time was set to `instant` or later.
  public func wait(until instant: Instant, atMost timeout: Duration) async throws {
    let end = ContinuousClock.now + timeout
    // Setting the time does not wake waiting tasks; a check every few milliseconds is soon enough.
    while now < instant, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Moves the time on (or, with a negative duration, back).
  public func advance(by duration: Duration) {
    time.withLock { $0 = $0 + duration }
  }

  /// Sets the time.
  public func set(_ instant: Instant) {
    time.withLock { $0 = instant }
  }
}
