import Glibc

/// The moment on the machine's monotonic clock by which a call must have ended.
public struct Deadline: Sendable, Hashable, Comparable {
  /// The time since the machine started, without the time that it slept.
  @usableFromInline package let uptimeNanoseconds: UInt64

  @inlinable
  package init(uptimeNanoseconds: UInt64) {
    self.uptimeNanoseconds = uptimeNanoseconds
  }

  /// The time until the deadline; negative when it has passed.
  public var remaining: Duration {
    var now = timespec()
    // It does not fail: every system has this clock.
    clock_gettime(CLOCK_MONOTONIC, &now)
    return .seconds(Int64(uptimeNanoseconds / 1_000_000_000) - Int64(now.tv_sec))
      + .nanoseconds(Int64(uptimeNanoseconds % 1_000_000_000) - Int64(now.tv_nsec))
  }

  @inlinable
  public static func < (a: Deadline, b: Deadline) -> Bool {
    a.uptimeNanoseconds < b.uptimeNanoseconds
  }
}
