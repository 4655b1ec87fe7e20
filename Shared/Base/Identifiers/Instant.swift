/// A moment in UTC with microsecond precision: what `google.protobuf.Timestamp` and PostgreSQL's
/// `timestamptz` can both hold without loss (the wire's nanoseconds are cut to microseconds).
public struct Instant: Sendable, Hashable, Comparable {
  /// Microseconds since 1970-01-01T00:00:00Z, negative before it.
  public let microseconds: Int64

  /// The moment `microseconds` after (or, negative, before) 1970-01-01T00:00:00Z.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  @inlinable
  public static func < (earlier: Instant, later: Instant) -> Bool {
    earlier.microseconds < later.microseconds
  }

  /// The moment a `duration` later; parts of a microsecond are cut off.
  @inlinable
  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds + duration.wholeMicroseconds)
  }

  /// The moment a `duration` earlier; parts of a microsecond are cut off.
  @inlinable
  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds - duration.wholeMicroseconds)
  }

  /// How long after `earlier` this moment is; negative when it comes first.
  @inlinable
  public static func - (later: Instant, earlier: Instant) -> Duration {
    .microseconds(later.microseconds - earlier.microseconds)
  }

  /// Whole seconds since 1970, rounded towards the past, as JWT's NumericDate wants them.
  @inlinable
  public var wholeSeconds: Int64 {
    microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
  }

  /// Whole milliseconds since 1970, rounded towards the past, as UUIDv7 wants them.
  @inlinable
  public var wholeMilliseconds: Int64 {
    microseconds >= 0 ? microseconds / 1_000 : (microseconds - 999) / 1_000
  }
}

extension Duration {
  /// The whole microseconds of this duration, rounded towards zero.
  @inlinable
  public var wholeMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}

extension Instant: CustomStringConvertible {
  /// RFC 3339 in UTC with six decimals: `2026-11-21T03:34:05.123456Z`.
  public var description: String {
    let seconds = wholeSeconds
    let days = seconds.flooredQuotient(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let date = CivilDate(daysSince1970: Int(days))
    let fraction = Int(microseconds - seconds * 1_000_000)
    return "\(date)T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
      + ".\(padded(fraction, 6))Z"
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
