import Identifiers

// Phones whose clocks are behind.

/// What the times of a report's positions prove, where they are from before the journey or alert.
enum PhoneClock: Sendable, Hashable {
  /// Nothing: they may have been stored before it.
  case uncertain
  /// Nothing, but that the position, which arrived alone, is where the user is as far as is known: in an alert it counts.
  case assumed
  /// That the clock is behind: positions arrive as fast as they follow each other.
  case confirmed
}

extension Tracker {
  /// When a position arrived, and when it was determined.
  struct Arrival: Sendable, Hashable {
    /// By the phone's clock.
    let time: Instant
    let receivedAt: Instant
    let determinedAt: Instant
  }

  /// What is known of the current position before another one becomes it.
  private var lastArrival: Arrival? {
    guard let position, let receivedAt, let determinedAt else { return nil }
    return Arrival(time: position.time, receivedAt: receivedAt, determinedAt: determinedAt)
  }

  /// How old by its own time a position may be that is where the user is now: clocks differ a little, and networks take a moment.
  private static let usualDelay = Duration.seconds(60)
  /// By how much the times differ that two positions take to arrive, when each is sent at once.
  private static let mostJitter = Duration.seconds(15)

  /// How far the phone's clock is behind, by the newest position of a report; `nil` if it is not known to be.
  ///
  /// It is when two positions in a row are old, of which the second one followed the first one as fast as time passed. What a phone stored
  /// comes faster, or has not gone on.
  func clockDelay(by newest: Fix, at now: Instant) -> Duration? {
    let delay = now - newest.time
    guard delay > Self.usualDelay, let last = lastArrival else { return nil }
    let (passed, between) = (now - last.receivedAt, newest.time - last.time)
    let follows =
      passed * 2 >= between && between * 2 >= passed && max(passed - between, between - passed) <= Self.mostJitter
    if follows, last.receivedAt - last.time > Self.usualDelay { return delay }
    // As it was found to be.
    let known = last.determinedAt - last.time
    return known > Self.usualDelay ? min(delay, known) : nil
  }

  /// When the user was at the current position, which has just arrived, by the service's clock.
  ///
  /// - Parameter clockDelay: how far the phone's clock is behind, if it is known to be.
  func moment(_ clockDelay: Duration?, at now: Instant) -> Instant {
    guard let time = position?.time, now - time > Self.usualDelay else { return now }
    return min(now, time + (clockDelay ?? .zero))
  }

  /// Finds out by the newest position of a report when the journey or alert began by the phone's clock.
  ///
  /// - Parameter clockDelay: how far the phone's clock is behind, if it is known to be. Of several such the least tells the most.
  mutating func compareClock(
    with newest: Fix, of count: Int, behind clockDelay: Duration?, at now: Instant
  ) -> PhoneClock {
    guard let journey else { return .uncertain }
    if let clockDelay {
      let found = journey.startedAt - clockDelay
      if phoneStartedAt.map({ found > $0 || newest.time < $0 }) ?? true { phoneStartedAt = found }
      return .confirmed
    }
    let isNewer = phoneStartedAt != nil || (position.map { newest.time > $0.time } ?? true)
    guard journey.plan == nil, count == 1, isNewer, newest.time < phoneStartedAt ?? journey.startedAt else {
      return .uncertain
    }
    phoneStartedAt = journey.startedAt - (now - newest.time)
    return .assumed
  }

  /// When a position was determined, by the service's clock; `nil` if that was before the journey or alert.
  func journeyTime(of fix: Fix, by clock: PhoneClock) -> Instant? {
    guard let journey else { return nil }
    let start = clock == .uncertain ? journey.startedAt : phoneStartedAt ?? journey.startedAt
    return fix.time >= start ? journey.startedAt + (fix.time - start) : nil
  }
}
