import Identifiers

/// What is known of the clock of a user's phone, by the claimed times of positions and the times of their arrivals.
///
/// A position cannot arrive before it is determined, and what a phone stored may arrive at any time after it. So a claimed time in the future proves
/// that the clock is ahead, at once; an old one may be stored, or of a clock that is behind. It is the clock, if the next report is as old and
/// followed the one before as fast as time passed: what was stored comes faster, or has not gone on.
public struct PhoneClock: Sendable, Hashable {
  /// The newest position of a report.
  public struct Reading: Sendable, Hashable {
    public let claimed: Instant
    public let arrivedAt: Instant

    public init(_ claimed: Instant, at arrivedAt: Instant) { (self.claimed, self.arrivedAt) = (claimed, arrivedAt) }

    fileprivate var delay: Duration { arrivedAt - claimed }
  }

  /// What has to be added to the phone's times; negative for a clock that is ahead, zero where none is known to be wrong.
  public private(set) var offset: Duration
  /// That of the last report.
  public private(set) var last: Reading?

  /// What a right clock and a usual network make of it: the times of arrivals within it are those of a clock that is right.
  public static let slack = Duration.seconds(10)
  /// By how much the times differ that two positions take to arrive, when each is sent at once.
  private static let maxJitter = Duration.seconds(15)

  public init(offset: Duration = .zero, last: Reading? = nil) { (self.offset, self.last) = (offset, last) }

  /// Reads the newest time of a report of `count` positions.
  ///
  /// - Parameter alertSince: since when the user is in SOS: then the time of the arrival decides where claimed times say nothing, or what is
  ///   impossible ([TR-5]); `nil` otherwise.
  public mutating func read(_ claimed: Instant, of count: Int, at now: Instant, alertSince: Instant?) -> PhoneTimes {
    let reading = Reading(claimed, at: now)
    let before = last
    last = reading
    let (delay, age) = (reading.delay, reading.delay - offset)
    if (.zero...Self.slack).contains(age) { return PhoneTimes(.known, shift: offset, at: now) }
    // It was put right.
    if (.zero...Self.slack).contains(delay) { return know(.zero, at: now) }
    // Of several such the least tells the most.
    if let before, reading.follows(before) {
      let ageBefore = before.delay - offset
      if age > .zero ? ageBefore > Self.slack : ageBefore < .zero { return know(min(delay, before.delay), at: now) }
    }
    if age < .zero {
      // Ahead of what is known: a little is usual, and where the clock was behind it is less so.
      if delay > .zero || age >= .zero - Self.slack { return know(delay, at: now) }
      if delay >= .zero - ReportedPoint.furthestAhead || alertSince != nil {
        return PhoneTimes(.assumed, shift: delay, at: now)
      }
    } else if let alertSince {
      let isFirst = before.map { $0.arrivedAt < alertSince } ?? true
      let hasSteppedBack = before.map { claimed <= $0.claimed } ?? false
      if count == 1 && (isFirst || hasSteppedBack) || delay > ReportedPoint.oldest {
        return PhoneTimes(.assumed, shift: delay, at: now)
      }
    }
    return PhoneTimes(.uncertain, shift: offset, at: now)
  }

  /// Reads the newest time of a report.
  mutating func read(_ points: [ReportedPoint], at now: Instant, alertSince: Instant?) -> PhoneTimes {
    let claimed = points.compactMap(\.time)
    let latest = max(now + ReportedPoint.furthestAhead, now - offset + Self.slack)
    // One wrong time says nothing about the others.
    guard let newest = claimed.filter({ $0 <= latest }).max() ?? claimed.max() else {
      return PhoneTimes(.uncertain, shift: .zero, at: now)
    }
    return read(newest, of: points.count, at: now, alertSince: alertSince)
  }

  private mutating func know(_ offset: Duration, at now: Instant) -> PhoneTimes {
    self.offset = offset
    return PhoneTimes(.known, shift: offset, at: now)
  }
}

extension PhoneClock.Reading {
  /// Whether it came as fast after another one as the phone's time passed.
  fileprivate func follows(_ before: Self) -> Bool {
    let (passed, between) = (arrivedAt - before.arrivedAt, claimed - before.claimed)
    return between > .zero && passed * 2 >= between && between * 2 >= passed
      && max(passed - between, between - passed) <= PhoneClock.maxJitter
  }
}

/// The times that are used of a report's positions ([TR-2]).
public struct PhoneTimes: Sendable, Hashable {
  public enum Proof: Sendable, Hashable {
    /// The claimed times are as good as any: positions may have been stored.
    case uncertain
    /// The newest position is where the user is as far as is known.
    case assumed
    /// How far the clock is off is known, or it is right.
    case known
  }

  public let proof: Proof
  /// What is added to claimed times.
  public let shift: Duration
  /// When the report arrived.
  public let arrivedAt: Instant

  init(_ proof: Proof, shift: Duration, at arrivedAt: Instant) {
    (self.proof, self.shift, self.arrivedAt) = (proof, shift, arrivedAt)
  }

  /// When the phone was there by the service's clock, as far as is known; `nil` for a time in the future.
  public func time(of claimed: Instant) -> Instant? {
    let time = claimed + shift
    return time <= arrivedAt ? time : nil
  }
}
