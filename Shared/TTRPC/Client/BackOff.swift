import NIOCore

/// How long to wait before the next of several attempts: longer each time, and never quite the same, so that many clients which failed
/// together do not come back together.
public struct BackOff: Sendable {
  /// Before the second attempt.
  public var first: Duration
  /// However many attempts failed.
  public var longest: Duration
  /// By how much each wait is longer than the one before.
  public var factor: Double
  /// The part of a wait, from 0 to 1, by which it may be longer or shorter.
  public var jitter: Double

  /// Waits between `first` and `longest`.
  public init(first: Duration, longest: Duration, factor: Double = 1.6, jitter: Double = 0.2) {
    self.first = first
    self.longest = longest
    self.factor = factor
    self.jitter = jitter
  }

  /// The wait after that many failures in a row.
  ///
  /// - Parameters:
  ///   - failures: 1 or more.
  ///   - chance: from 0 to 1; what is random about it.
  func delay(after failures: Int, chance: Double) -> TimeAmount {
    var nanoseconds = Double(first.nanoseconds)
    let most = Double(longest.nanoseconds)
    for _ in 1..<max(failures, 1) where nanoseconds < most { nanoseconds *= factor }
    let spread = 1 - jitter + 2 * jitter * chance
    return .nanoseconds(Int64(min(nanoseconds, most) * spread))
  }
}
