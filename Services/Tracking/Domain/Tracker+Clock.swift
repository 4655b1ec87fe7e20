import Identifiers

// Phones whose clocks are behind.

/// What the times of a report's positions prove, where they are from before the journey or alert.
enum PhoneClock: Sendable, Hashable {
  /// Nothing: they may have been stored before it.
  case uncertain
  /// That the clock is behind: positions arrive as fast as they follow each other.
  case confirmed
}

extension Tracker {
  /// Finds out by the newest position of a report how far the phone's clock is behind.
  ///
  /// A position that arrives alone, newer than the last one, is where the user is as far as is known, so it belongs to a journey or alert that
  /// has begun, whatever its time. Of several such the one that arrived fastest tells the most.
  mutating func compareClock(with newest: Fix, of count: Int, at now: Instant) -> PhoneClock {
    guard let journey else { return .uncertain }
    let found = journey.startedAt - max(.zero, now - newest.time)
    guard let known = phoneStartedAt else {
      let isNewer = position.map { newest.time > $0.time } ?? true
      if count == 1, isNewer, newest.time < journey.startedAt { phoneStartedAt = found }
      return .uncertain
    }
    if found > known || (count == 1 && newest.time < known) { phoneStartedAt = found }
    guard count == 1, let position, let receivedAt else { return .uncertain }
    return (now - receivedAt) * 2 >= newest.time - position.time ? .confirmed : .uncertain
  }

  /// When a position was determined, by the service's clock; `nil` if that was before the journey or alert.
  func journeyTime(of fix: Fix) -> Instant? {
    guard let journey else { return nil }
    let start = phoneStartedAt ?? journey.startedAt
    return fix.time >= start ? journey.startedAt + (fix.time - start) : nil
  }

  /// What is known of the current position before another one becomes it.
  var lastArrival: Arrival? {
    guard let position, let receivedAt, let determinedAt else { return nil }
    return Arrival(time: position.time, receivedAt: receivedAt, determinedAt: determinedAt)
  }

  /// When the user was at the current position, which has just arrived, by the service's clock.
  ///
  /// Where its time is a minute ago at most, that is now. Otherwise the phone stored it, or its clock is behind: that is so when two positions
  /// in a row are old, and the second one followed the first one as fast as time passed.
  func moment(after last: Arrival?, at now: Instant) -> Instant {
    guard let time = position?.time, now - time > Self.usualDelay else { return now }
    guard let last else { return time }
    let (passed, between) = (now - last.receivedAt, time - last.time)
    if last.receivedAt - last.time > Self.usualDelay, passed * 2 >= between, between * 2 >= passed { return now }
    // As far behind as it was found to be.
    let behind = last.determinedAt - last.time
    return behind > Self.usualDelay ? min(now, time + behind) : time
  }

  /// How old by its own time a position may be that is where the user is now: clocks differ a little, and networks take a moment.
  private static let usualDelay = Duration.seconds(60)

  /// When a position arrived, and when it was determined.
  struct Arrival: Sendable, Hashable {
    /// By the phone's clock.
    let time: Instant
    let receivedAt: Instant
    let determinedAt: Instant
  }
}
