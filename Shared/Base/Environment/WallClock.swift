import Identifiers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time of day. Passed in, never called globally, so that a test decides what time it is.
public protocol WallClock: Sendable {
  /// The present moment in UTC.
  var now: Instant { get }
  /// Returns once `now` has reached `instant`, as far as the clock can foresee that, and after `timeout` of real time
  /// in any case.
  ///
  /// The caller reads ``now`` again afterwards: a clock that is set during the wait is noticed only when the wait
  /// returns.
  /// - Throws: `CancellationError`.
  func wait(until instant: Instant, atMost timeout: Duration) async throws
}

extension WallClock {
  /// Sleeps for the time that is left now; correct unless the clock is set meanwhile.
  public func wait(until instant: Instant, atMost timeout: Duration) async throws {
    let left = instant - now
    // This is the wait that the caller asked for.
    if left > .zero { try await Task.sleep(for: min(left, timeout)) }
  }
}

/// The machine's clock (`CLOCK_REALTIME`).
public struct SystemClock: WallClock {
  public init() {}

  /// The time of day, which an operator or NTP may set back.
  public var now: Instant {
    var time = timespec()
    // Fails only for an unknown clock or a bad address.
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}
