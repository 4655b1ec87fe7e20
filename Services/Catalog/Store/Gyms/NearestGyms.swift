import CatalogDomain
import Geography
import Identifiers
import Postgres

extension NearestGyms {
  /// The cube exceeds the ball by six metres, so that rounding excludes nothing.
  private static let margin = 1e-6

  /// - Parameter after: the chord and the id of the last gym of the previous page.
  package init(
    around point: GeoPoint, within radius: Metres, after: (chord: Double, id: GymID)?, limit: Int64, now: Instant
  ) {
    // The whole Earth lies within twice the radius of its sphere; rounding must not exclude the antipode.
    let chord = radius < GeoPoint.farthest ? GeoPoint.chord(ofDistance: radius) : 2 + Self.margin
    self.init(
      vector: point.vector, maxChord: chord, afterChord: after?.chord, afterID: after?.id, limit: limit,
      cubeSize: chord + Self.margin, since: now - GymUsage.lifetime, now: now)
  }
}
