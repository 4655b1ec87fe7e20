import Identifiers

/// When a session takes place: from a start to an end, half open ([MA-1], [MA-2]).
///
/// A slot is a range of moments, so changes of local time do not concern it.
public struct Slot: Sendable, Hashable {
  public let start: Instant
  public let end: Instant

  /// The shortest session.
  public static let shortest: Duration = .seconds(15 * 60)
  /// The longest session.
  public static let maxDuration: Duration = .seconds(8 * 3_600)
  /// How far ahead a session may start.
  public static let horizon: Duration = .seconds(60 * 86_400)

  /// `nil` if the end is not after the start.
  public init?(from start: Instant, to end: Instant) {
    guard start < end else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// Whether a session may be posted with it at `now`: it starts in the future and at most 60 days ahead, and lasts 15 min to 8 h.
  public func canBePosted(at now: Instant) -> Bool {
    start > now && start - now <= Self.horizon && (Self.shortest...Self.maxDuration).contains(end - start)
  }

  /// Whether two half-open intervals have a moment in common ([MA-2]).
  public func overlaps(_ other: Slot) -> Bool { start < other.end && other.start < end }
}
