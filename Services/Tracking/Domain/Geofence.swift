import Geography
import Identifiers
import VisibleText

public enum PlaceNameLimit: TextLimit {
  public static let name = "The name of the place"
  /// Code points.
  public static let maxLength = 60
  public static let strayMarks = StrayMarks.cleaned
}

/// What a user calls a place ([C-12]).
public typealias PlaceName = VisibleText<PlaceNameLimit>

/// A place that a user named: a circle on the Earth, at which the user is or is not.
public struct Geofence: Sendable, Hashable {
  public let placeID: PlaceID
  /// What the user calls it.
  public let name: String
  public let centre: GeoPoint
  public let radius: Metres
  /// Since when it is this circle: positions from before it decide nothing.
  public let since: Instant
  /// The groups that are told.
  public let groupIDs: [GroupID]
  /// Whether the user is there.
  public internal(set) var presence: Presence
  /// What some of the groups know otherwise, as they did not see all positions ([TR-2]).
  public internal(set) var otherPresences: [GroupID: Presence]

  /// How large a place may be: positions are seldom better than the least.
  public static let radii = Metres(50)...Metres(20_000)
  /// How many places a user may have.
  public static let maxOfUser = 20

  /// The radius of so many metres; `nil` where it may not be, or is not a number.
  public static func radius(_ metres: Double) -> Metres? {
    (radii.lowerBound.value...radii.upperBound.value).contains(metres) ? Metres(metres) : nil
  }

  public init(
    _ placeID: PlaceID, named name: String, around centre: GeoPoint, within radius: Metres, since: Instant,
    told groupIDs: [GroupID] = [], presence: Presence = .unknown, otherPresences: [GroupID: Presence] = [:]
  ) {
    self.placeID = placeID
    self.name = name
    self.centre = centre
    self.radius = radius
    self.since = since
    self.groupIDs = groupIDs
    self.presence = presence
    self.otherPresences = otherPresences
  }

  /// Whether a group knows the user to be there.
  public func presence(knownBy groupID: GroupID) -> Presence { otherPresences[groupID] ?? presence }

  /// Whether the user is there after a position that is newer than those before, and what happened by it.
  public func presence(after fix: Fix) -> (presence: Presence, event: Event?) { presence(presence, after: fix) }

  /// The same for a group that knew something else.
  func presence(_ known: Presence, after fix: Fix) -> (presence: Presence, event: Event?) {
    guard fix.time >= since else { return (known, nil) }
    return known.after(
      Sight(distance: centre.distance(to: fix.point), accuracy: Metres(fix.accuracy ?? Self.usualAccuracy)),
      at: fix.time, within: radius)
  }

  /// Metres: what a position's accuracy is taken for that is not known.
  private static let usualAccuracy = 20.0

  /// An arrival or a departure.
  public struct Event: Sendable, Hashable {
    public let kind: Kind
    /// The time of the position that shows it.
    public let at: Instant

    public enum Kind: Sendable, Hashable, CaseIterable { case arrival, departure }

    public init(_ kind: Kind, at: Instant) { (self.kind, self.at) = (kind, at) }
  }

  /// Where a position is, seen from the middle.
  struct Sight {
    let distance: Metres
    let accuracy: Metres
  }
}

/// Whether a user is at a place.
///
/// ```
/// unknown ── first position that is exact enough ──> outside or inside, which is not told
/// outside ── inside by more than the accuracy ─────> inside: an arrival
/// inside ─── outside by more than the margin ──────> leaving
/// leaving ── within the margin again ──────────────> inside
/// leaving ── still outside after ``settling`` ─────> outside: a departure, at the time of the first position outside
/// ```
///
/// So positions that vary around the edge tell one arrival and no departure; and one wrong position tells no departure.
public enum Presence: Sendable, Hashable {
  case unknown
  case outside
  case inside
  /// Positions since a moment are outside.
  case leaving(since: Instant)

  /// How long a user has to be outside.
  public static let settling = Duration.seconds(10)

  /// How far beyond the edge a user has left: a tenth of the radius, within bounds.
  public static func margin(of radius: Metres) -> Metres { Metres(min(200, max(20, radius.value / 10))) }

  func after(_ sight: Geofence.Sight, at time: Instant, within radius: Metres) -> (Presence, Geofence.Event?) {
    let (distance, accuracy) = (sight.distance.value, sight.accuracy.value)
    let border = radius.value + Self.margin(of: radius).value
    switch self {
    case .unknown:
      // A position that may be anywhere around says nothing.
      guard accuracy <= radius.value else { return (.unknown, nil) }
      return (distance <= radius.value ? .inside : .outside, nil)
    case .outside:
      guard distance + accuracy <= radius.value else { return (.outside, nil) }
      return (.inside, Geofence.Event(.arrival, at: time))
    case .inside:
      return (distance - accuracy > border ? .leaving(since: time) : .inside, nil)
    case .leaving(let since):
      if distance <= border { return (.inside, nil) }
      guard distance - accuracy > border, time - since >= Self.settling else { return (self, nil) }
      return (.outside, Geofence.Event(.departure, at: since))
    }
  }
}

/// What the members of groups are told of a place.
public struct PlaceNews: Sendable, Hashable {
  public let placeID: PlaceID
  public let name: String
  public let event: Geofence.Event
  public let groupIDs: [GroupID]
  /// Groups whose members were told before: they are not notified again.
  public var otherGroupIDs: [GroupID] = []
}
