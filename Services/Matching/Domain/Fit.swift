import Geography
import Glibc
import Identifiers

/// How well a session fits what a user looks for, and why ([MA-4]). Every number is 0 to 1, more being better.
public struct Fit: Sendable, Hashable {
  public let slot: Double
  public let distance: Double
  public let focus: Double
  public let level: Double
  public let rating: Double
  public let attendance: Double

  /// How much each part counts.
  public enum Weight {
    /// A session at another time is of no use.
    public static let slot = 0.30
    /// Nor is one that is far away.
    public static let distance = 0.25
    public static let focus = 0.15
    public static let level = 0.10
    public static let rating = 0.10
    public static let attendance = 0.10
  }

  /// Where the part of the distance is one half: twenty minutes on foot.
  public static let halfway = Metres(2_000)

  /// The weighted mean of the parts.
  public var score: Double {
    Weight.slot * slot + Weight.distance * distance + Weight.focus * focus + Weight.level * level
      + Weight.rating * rating + Weight.attendance * attendance
  }

  public init(_ offer: Offer, for wish: Wish) {
    slot = Self.part(offer.slot, of: wish)
    let metres = wish.point.map { $0.distance(to: offer.gym).value } ?? 0
    distance = Self.halfway.value / (Self.halfway.value + metres)
    let place = wish.focuses.firstIndex(of: offer.focus)
    focus = wish.focuses.isEmpty ? 1 : place.map { 1 / Double($0 + 1) } ?? 0
    level = 1 - Double(abs(offer.level.rank - wish.level.rank)) / Double(Level.allCases.count - 1)
    rating = (offer.reputation.rating - 1) / 4
    attendance = offer.reputation.reliability
  }

  /// The share of a session that lies in the slot asked for.
  private static func part(_ slot: Slot, of wish: Wish) -> Double {
    let (start, end) = (max(slot.start, wish.since ?? slot.start), min(slot.end, wish.until ?? slot.end))
    return max(0, Double((end - start).wholeMicroseconds)) / Double((slot.end - slot.start).wholeMicroseconds)
  }
}

/// A session, as far as its rank depends on it.
public struct Offer: Sendable, Hashable {
  public let slot: Slot
  public let gym: GeoPoint
  public let focus: Focus
  public let level: Level
  public let reputation: Reputation

  public init(slot: Slot, gym: GeoPoint, focus: Focus, level: Level, reputation: Reputation) {
    (self.slot, self.gym, self.focus, self.level, self.reputation) = (slot, gym, focus, level, reputation)
  }
}

/// What a user looks for.
public struct Wish: Sendable, Hashable {
  public let since: Instant?
  public let until: Instant?
  public let point: GeoPoint?
  /// The first one is wanted most.
  public let focuses: [Focus]
  /// The user's own level.
  public let level: Level

  public init(since: Instant? = nil, until: Instant? = nil, point: GeoPoint? = nil, focuses: [Focus] = [], level: Level)
  {
    (self.since, self.until, self.point, self.focuses, self.level) = (since, until, point, focuses, level)
  }
}
