import Geography
import Identifiers

/// Where and when a user was.
public struct TrailPoint: Sendable, Hashable {
  public let point: GeoPoint
  public let time: Instant

  public init(_ point: GeoPoint, at time: Instant) { (self.point, self.time) = (point, time) }
}

/// The last positions of a journey that are all within ``reach`` of each other: a stop, once they are many or last long ([TR-8]).
public struct Trail: Sendable, Hashable {
  /// At most ``maxPoints``, the oldest first.
  public private(set) var points: [TrailPoint]
  /// Whether the stop was noticed; it is over with a position further away from its first one.
  public private(set) var isStop: Bool

  public static let reach = Metres(10)
  public static let maxPoints = 30
  public static let maxAge = Duration.seconds(600)

  public init(_ points: [TrailPoint] = [], isStop: Bool = false) { (self.points, self.isStop) = (points, isStop) }

  /// Adds a position that is later than the others; returns whether a stop was noticed by it.
  public mutating func add(_ next: TrailPoint) -> Bool {
    if isStop {
      guard let first = points.first, first.point.distance(to: next.point) <= Self.reach else {
        self = Trail([next])
        return false
      }
      return false
    }
    if let apart = points.lastIndex(where: { $0.point.distance(to: next.point) > Self.reach }) {
      points.removeFirst(apart + 1)
    }
    points.append(next)
    return notice(at: next.time)
  }

  /// Notices a stop by the time that has passed, without a further position; returns whether there is a new one.
  public mutating func notice(at now: Instant) -> Bool {
    guard !isStop, points.count >= Self.maxPoints || (stopsAt.map { now >= $0 } ?? false) else { return false }
    isStop = true
    return true
  }

  /// When the positions will have been long enough at one place; `nil` for a stop that was noticed, for less than two positions,
  /// and while the last one is too old to say where the user is by then.
  public var stopsAt: Instant? {
    guard !isStop, points.count >= 2, let first = points.first, let last = points.last,
      last.time + Self.fresh >= first.time + Self.maxAge
    else { return nil }
    return first.time + Self.maxAge
  }

  /// How long a position says where a user is: more may follow of what a phone stored while it was offline.
  private static let fresh = Duration.seconds(120)
}
