import Identifiers

/// The offsets of a time zone from UTC during some months, as a table of their changes.
public struct ZoneOffsets: Sendable, Equatable {
  /// An offset and the moment from which it holds.
  public struct Change: Sendable, Equatable {
    public let at: Instant
    /// Seconds ahead of UTC; negative west of Greenwich.
    public let seconds: Int

    public init(at: Instant, seconds: Int) { (self.at, self.seconds) = (at, seconds) }
  }

  private let changes: [Change]

  /// - Parameter changes: in ascending order; the first one's offset holds before it too. `nil` if it is empty.
  public init?(_ changes: [Change]) {
    guard !changes.isEmpty else { return nil }
    self.changes = changes
  }

  /// Seconds ahead of UTC at a moment.
  public func offset(at instant: Instant) -> Int {
    (changes.last { $0.at <= instant } ?? changes[0]).seconds
  }

  /// The local time at a moment.
  func localMinute(at instant: Instant) -> LocalMinute {
    let seconds = Int(instant.wholeSeconds) + offset(at: instant)
    return LocalMinute(sinceEpoch: Int((Double(seconds) / 60).rounded(.down)))
  }

  /// The moment of a local time: the first if it occurs twice; the moment after the gap if it is skipped.
  func instant(of local: LocalMinute) -> Instant {
    let read = Instant(microseconds: Int64(local.sinceEpoch) * 60_000_000)
    // Offsets are shorter than a day, so the one in force is among those around the same minute in UTC.
    let (first, last) = (read - .seconds(86_400), read + .seconds(86_400))
    var offset = self.offset(at: first)
    for change in changes where change.at > first && change.at < last {
      let candidate = read - .seconds(offset)
      if candidate < change.at { return candidate }
      // The minute falls into the gap between the old offset and the new one.
      if read - .seconds(change.seconds) < change.at { return change.at }
      offset = change.seconds
    }
    return read - .seconds(offset)
  }
}

/// A local time to the minute, of any zone, counted from the beginning of 1970-01-01.
struct LocalMinute: Sendable, Hashable, Comparable {
  static let perDay = 1_440

  let sinceEpoch: Int

  /// Days since 1970-01-01.
  var day: Int { sinceEpoch >= 0 ? sinceEpoch / Self.perDay : (sinceEpoch + 1) / Self.perDay - 1 }

  init(sinceEpoch: Int) { self.sinceEpoch = sinceEpoch }

  /// - Parameter minute: from the beginning of the day; may lie on the next.
  init(day: Int, minute: Int) { sinceEpoch = day * Self.perDay + minute }

  static func < (earlier: LocalMinute, later: LocalMinute) -> Bool { earlier.sinceEpoch < later.sinceEpoch }
}
