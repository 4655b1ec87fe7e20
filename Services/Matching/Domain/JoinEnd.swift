import Identifiers

/// From when on a session can no longer be joined ([MA-15]).
public enum JoinEnd {
  /// How long before the start, if the poster does not say.
  public static let lead = Duration.seconds(15 * 60)

  /// - Parameter wish: what the poster says, if anything.
  /// - Returns: `nil` for a moment that is not in the future, or after the start.
  public static func decide(_ wish: Instant?, for slot: Slot, at now: Instant) -> Instant? {
    if let wish { return now < wish && wish <= slot.start ? wish : nil }
    // Who posts for now is looking for a partner until the start.
    return slot.start - lead > now ? slot.start - lead : slot.start
  }

  /// For a session that a series posts.
  public static func ofSeries(_ slot: Slot, lead: Duration) -> Instant { slot.start - lead }
}
