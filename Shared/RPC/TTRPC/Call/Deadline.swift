import NIOCore

/// The moment on the machine's monotonic clock by which a call must have ended.
public struct Deadline: Sendable, Hashable, Comparable {
  let instant: NIODeadline

  init(_ instant: NIODeadline) {
    self.instant = instant
  }

  /// The deadline of a request's `timeout_nano`: zero sets none, a negative one has passed already.
  init?(timeoutNanoseconds: Int64, from now: NIODeadline) {
    guard timeoutNanoseconds != 0 else { return nil }
    instant = now + .nanoseconds(timeoutNanoseconds)
  }

  /// The time until the deadline; negative when it has passed.
  public var remaining: Duration {
    .nanoseconds((instant - .now()).nanoseconds)
  }

  public static func < (a: Deadline, b: Deadline) -> Bool {
    a.instant < b.instant
  }
}
