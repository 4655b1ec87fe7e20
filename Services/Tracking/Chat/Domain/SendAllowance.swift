/// How much a user may send: a burst, and then a steady rate, which is more than a person types ([TR-32]).
public struct SendAllowance: Sendable, Hashable {
  /// Messages at once.
  public static let burst = 1_000.0
  /// Messages a second.
  public static let rate = 50.0

  private var left: Double
  private var countedAt: Duration

  /// A full one.
  ///
  /// - Parameter now: the time on a clock that never goes back.
  public init(at now: Duration) { (left, countedAt) = (Self.burst, now) }

  /// Whether it is full, as one that does not exist.
  public func isFull(at now: Duration) -> Bool { refilled(at: now) >= Self.burst }

  /// Takes one message off; `nil` if that was possible, else how long to wait.
  public mutating func take(at now: Duration) -> Duration? {
    left = refilled(at: now)
    countedAt = now
    guard left >= 1 else { return .seconds((1 - left) / Self.rate) }
    left -= 1
    return nil
  }

  private func refilled(at now: Duration) -> Double {
    let passed = max(.zero, now - countedAt)
    return min(Self.burst, left + Self.rate * (passed / .seconds(1)))
  }
}
