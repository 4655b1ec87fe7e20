import Glibc

/// Waits between attempts that fail: longer each time up to a maximum, and spread at random, so that clients which failed together do not come
/// back together.
public struct Backoff: Sendable {
  /// The wait before the second attempt.
  public var first: Duration
  /// The longest wait, before it is spread.
  public var max: Duration
  /// By how much each wait is longer than the one before.
  public var factor: Double
  /// The part of a wait, from 0 to 1, by which it may be longer or shorter.
  public var jitter: Double
  private var failures = 0

  public init(first: Duration, max: Duration, factor: Double = 2, jitter: Double = 0.2) {
    precondition(factor >= 1 && (0...1).contains(jitter), "waits do not shrink, and are not negative")
    self.first = first
    self.max = max
    self.factor = factor
    self.jitter = jitter
  }

  /// Counts a failure and returns the wait before the next attempt.
  public mutating func next() -> Duration {
    failures += 1
    return delay(after: failures)
  }

  /// Begins again with the shortest wait, after a success.
  public mutating func reset() { failures = 0 }

  /// The wait after that many failures in a row.
  ///
  /// - Parameters:
  ///   - failures: 1 or more.
  ///   - chance: the random number, from 0 to 1, that spreads the wait.
  public func delay(after failures: Int, chance: Double = .random(in: 0...1)) -> Duration {
    guard first > .zero else { return .zero }
    let growth = min(pow(factor, Double(Swift.max(failures, 1) - 1)), max / first)
    let spread = 1 - jitter + 2 * jitter * chance
    return .nanoseconds(Int64(min(first / .nanoseconds(1) * growth * spread, Self.maxDuration).rounded()))
  }

  /// Nanoseconds: about a century.
  private static let maxDuration = 3e18
}
