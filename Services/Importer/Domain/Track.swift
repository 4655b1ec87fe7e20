import Geography

/// A sample of a track.
package struct TrackPoint: Sendable, Equatable {
  /// Seconds since the start of the activity; 0 or more.
  package var elapsedSeconds: Double
  package var position: GeoPoint?
  /// Above sea level.
  package var elevationMetres: Double?
  /// Beats per minute.
  package var heartRate: Double?
  /// From the start, as the source measured it.
  package var distanceMetres: Double?
  /// Steps or turns per minute.
  package var cadence: Double?
  package var powerWatts: Double?

  package init(
    elapsedSeconds: Double, position: GeoPoint? = nil, elevationMetres: Double? = nil, heartRate: Double? = nil,
    distanceMetres: Double? = nil, cadence: Double? = nil, powerWatts: Double? = nil
  ) {
    self.elapsedSeconds = elapsedSeconds
    self.position = position
    self.elevationMetres = elevationMetres
    self.heartRate = heartRate
    self.distanceMetres = distanceMetres
    self.cadence = cadence
    self.powerWatts = powerWatts
  }
}

/// The samples of an activity, in order of time.
package struct Track: Sendable, Equatable {
  package var points: [TrackPoint]

  /// - Parameter points: in any order of time; equal times keep their order.
  package init(points: [TrackPoint]) {
    let isOrdered = zip(points, points.dropFirst()).allSatisfy { $0.elapsedSeconds <= $1.elapsedSeconds }
    self.points =
      isOrdered
      ? points
      : points.enumerated().sorted { ($0.1.elapsedSeconds, $0.0) < ($1.1.elapsedSeconds, $1.0) }.map(\.1)
  }

  package var hasPositions: Bool { points.contains { $0.position != nil } }

  /// Metres along the positions.
  package var lengthMetres: Double {
    var (length, last): (Double, GeoPoint?) = (0, nil)
    for point in points {
      guard let position = point.position else { continue }
      if let last { length += last.distance(to: position).value }
      last = position
    }
    return length
  }
}
