import NIOCore

/// How long to wait before connecting again: 25 ms at first, doubled each time up to 2 s, shortened at random by up to half so that many processes do not come back at once.
package struct BackOff {
  private static let first = TimeAmount.milliseconds(25)
  private static let longest = TimeAmount.seconds(2)
  private var ceiling = first

  /// Begins with the shortest wait.
  package init() {}

  /// How long to wait this time.
  package mutating func next() -> TimeAmount {
    let wait = ceiling
    ceiling = min(ceiling * 2, Self.longest)
    return .nanoseconds(.random(in: wait.nanoseconds / 2...wait.nanoseconds))
  }

  /// Begins again with the shortest wait.
  package mutating func reset() { ceiling = Self.first }
}
