import Identifiers

/// How far the clocks of a zone are ahead of UTC during some months, as a table of the moments at which that changes.
public struct ZoneOffsets: Sendable, Equatable {
  /// From a moment on.
  public struct Change: Sendable, Equatable {
    /// When.
    public let at: Instant
    /// Seconds ahead of UTC; negative west of Greenwich.
    public let seconds: Int

    /// From `at` on so many seconds.
    public init(at: Instant, seconds: Int) { (self.at, self.seconds) = (at, seconds) }
  }

  private let changes: [Change]

  /// The table of these changes in the order of their moments; `nil` without any. The first one's offset holds before it too.
  public init?(_ changes: [Change]) {
    guard !changes.isEmpty else { return nil }
    self.changes = changes
  }

  /// Seconds ahead of UTC at a moment.
  public func offset(at instant: Instant) -> Int {
    (changes.last { $0.at <= instant } ?? changes[0]).seconds
  }

  /// What clocks show at a moment.
  func localMinute(at instant: Instant) -> LocalMinute {
    let seconds = Int(instant.wholeSeconds) + offset(at: instant)
    return LocalMinute(sinceEpoch: Int((Double(seconds) / 60).rounded(.down)))
  }

  /// When clocks show a minute: the first time where they show it twice; where it is skipped, the moment after the gap.
  func instant(of local: LocalMinute) -> Instant {
    let read = Instant(microseconds: Int64(local.sinceEpoch) * 60_000_000)
    // Offsets are under a day, so the one in force is one of those about the moment that the minute is in UTC.
    let (first, last) = (read - .seconds(86_400), read + .seconds(86_400))
    var offset = self.offset(at: first)
    for change in changes where change.at > first && change.at < last {
      let candidate = read - .seconds(offset)
      if candidate < change.at { return candidate }
      // Too late for the old offset and too early for the new one: clocks skip it.
      if read - .seconds(change.seconds) < change.at { return change.at }
      offset = change.seconds
    }
    return read - .seconds(offset)
  }
}

/// A minute as clocks show it, of whatever zone: counted from the beginning of 1970-01-01.
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
