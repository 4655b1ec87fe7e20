import Geography

/// A point of a trace.
package struct TracePoint: Sendable, Equatable {
  /// Seconds since the start of the source's activity.
  package var elapsedSeconds: Double
  package var position: GeoPoint

  package init(elapsedSeconds: Double, position: GeoPoint) {
    (self.elapsedSeconds, self.position) = (elapsedSeconds, position)
  }
}

/// Where a user was over time, with what comparisons need of it, computed once.
package struct Trace: Sendable, Equatable {
  package let points: [TracePoint]
  /// Around all points; `nil` without any.
  package let box: TraceBox?
  /// Metres between the two neighbours that are farthest apart.
  package let greatestGap: Double
  /// Whether the user went anywhere: a shifted clock proves nothing of one who did not.
  package let moves: Bool

  /// Metres from the middle that a receiver indoors does not wander, and the share of points that must be beyond.
  private static let (wandering, shareAway) = (150.0, 0.25)

  /// - Parameter points: in order of time.
  package init(_ points: [TracePoint]) {
    self.points = points
    box = TraceBox(points.map(\.position))
    greatestGap = zip(points, points.dropFirst()).lazy.map { Flat.metres($0.position, $1.position) }.max() ?? 0
    guard let middle = GeoPoint(inTheMiddleOf: points.map(\.position)) else {
      moves = !points.isEmpty
      return
    }
    let away = points.count { Flat.metres(middle, $0.position) > Self.wandering }
    moves = Double(away) >= Self.shareAway * Double(points.count) && away > 0
  }

  /// The position at a time, between two points, and how far apart these are; `nil` before the first and after the last.
  func place(at time: Double) -> (latitude: Double, longitude: Double, gap: Double)? {
    var (low, next) = (0, points.count)
    while low < next {
      let middle = (low + next) / 2
      if points[middle].elapsedSeconds < time { low = middle + 1 } else { next = middle }
    }
    guard next < points.count else { return nil }
    let after = points[next]
    if after.elapsedSeconds == time { return (after.position.latitude, after.position.longitude, 0) }
    guard next > 0 else { return nil }
    let before = points[next - 1]
    let share = (time - before.elapsedSeconds) / (after.elapsedSeconds - before.elapsedSeconds)
    let turn = Flat.turn(from: before.position.longitude, to: after.position.longitude)
    return (
      before.position.latitude + share * (after.position.latitude - before.position.latitude),
      before.position.longitude + share * turn, Flat.metres(before.position, after.position)
    )
  }
}

/// The latitudes and longitudes that a trace lies between.
package struct TraceBox: Sendable, Equatable {
  package let south: Double
  package let north: Double
  package let west: Double
  package let east: Double

  /// `nil` without points. Those on both sides of the antimeridian are taken to go around the Earth.
  package init?(_ points: [GeoPoint]) {
    guard let first = points.first else { return nil }
    var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
    for point in points {
      (south, north) = (min(south, point.latitude), max(north, point.latitude))
      (west, east) = (min(west, point.longitude), max(east, point.longitude))
    }
    (self.south, self.north) = (south, north)
    (self.west, self.east) = east - west > 180 ? (-180, 180) : (west, east)
  }

  private init(south: Double, north: Double, west: Double, east: Double) {
    (self.south, self.north, self.west, self.east) = (south, north, west, east)
  }

  /// The box with so many metres more on each side; at the antimeridian and the poles it goes around the Earth.
  package func widened(by metres: Double) -> TraceBox {
    let high = metres / Flat.metresOfDegree
    let wide = metres / max(1, Flat.metresOfDegree(at: max(abs(south), abs(north))))
    let (left, right) = (west - wide, east + wide)
    let isWhole = left < -180 || right > 180 || wide > 90
    return TraceBox(
      south: south - high, north: north + high, west: isWhole ? -180 : left, east: isWhole ? 180 : right)
  }

  func isWithin(_ metres: Double, of other: TraceBox) -> Bool {
    let wide = widened(by: metres)
    return other.south <= wide.north && other.north >= wide.south && other.west <= wide.east && other.east >= wide.west
  }
}

/// Distances as on a plane: exact to a thousandth for points that are near each other, and far for those that are not.
enum Flat {
  static let metresOfDegree = GeoPoint.farthest.value / 180

  /// Of a degree of longitude at a latitude.
  static func metresOfDegree(at latitude: Double) -> Double { GeoPoint.lengthOfParallel(at: latitude).value / 360 }

  static func metres(_ one: GeoPoint, _ other: GeoPoint) -> Double {
    let (up, turn) = (other.latitude - one.latitude, turn(from: one.longitude, to: other.longitude))
    let (north, east) = (up * metresOfDegree, turn * metresOfDegree(at: one.latitude))
    return (north * north + east * east).squareRoot()
  }

  /// Degrees eastwards, the shorter way.
  static func turn(from west: Double, to east: Double) -> Double {
    let turn = east - west
    return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
  }
}
