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
    let ceiling = max / first
    var growth = 1.0
    for _ in 1..<Swift.max(failures, 1) where growth < ceiling { growth *= factor }
    let spread = 1 - jitter + 2 * jitter * chance
    return .nanoseconds(Int64((first / .nanoseconds(1) * min(growth, ceiling) * spread).rounded()))
  }
}
