import NIOCore

/// The moment at which a call has taken too long, on the machine's monotonic clock.
public struct Deadline: Sendable, Hashable, Comparable {
  let instant: NIODeadline

  init(_ instant: NIODeadline) {
    self.instant = instant
  }

  /// The deadline that a request's `timeout_nano` sets: zero sets none, a negative one has passed already.
  init?(timeoutNanoseconds: Int64, from now: NIODeadline) {
    guard timeoutNanoseconds != 0 else { return nil }
    instant = now + .nanoseconds(timeoutNanoseconds)
  }

  /// What is left of it; negative when it has passed.
  public var remaining: Duration {
    .nanoseconds((instant - .now()).nanoseconds)
  }

  /// Whether the first passes before the second.
  public static func < (a: Deadline, b: Deadline) -> Bool {
    a.instant < b.instant
  }
}
