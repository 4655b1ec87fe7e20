import Identifiers

/// The figures of one source, without its samples.
package struct SourceFigures: Sendable, Equatable {
  package var sport: Sport
  package var startedAt: Instant
  package var timeZone: String
  package var durationSeconds: Double
  package var movingSeconds: Double?
  package var distanceMetres: Double?
  package var energyKilocalories: Double?
  package var heartRateAverage: Double?
  package var heartRateMaximum: Double?
  package var ascentMetres: Double?
  package var elevationSource: ElevationSource?
  package var title: String
  /// Number of samples with positions, and of all.
  package var positionCount: Int
  package var sampleCount: Int

  package init(
    sport: Sport, startedAt: Instant, timeZone: String, durationSeconds: Double, movingSeconds: Double? = nil,
    distanceMetres: Double? = nil, energyKilocalories: Double? = nil, heartRateAverage: Double? = nil,
    heartRateMaximum: Double? = nil, ascentMetres: Double? = nil, elevationSource: ElevationSource? = nil,
    title: String = "", positionCount: Int = 0, sampleCount: Int = 0
  ) {
    self.sport = sport
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.durationSeconds = durationSeconds
    self.movingSeconds = movingSeconds
    self.distanceMetres = distanceMetres
    self.energyKilocalories = energyKilocalories
    self.heartRateAverage = heartRateAverage
    self.heartRateMaximum = heartRateMaximum
    self.ascentMetres = ascentMetres
    self.elevationSource = elevationSource
    self.title = title
    self.positionCount = positionCount
    self.sampleCount = sampleCount
  }

  package init(_ activity: ImportedActivity) {
    self.init(
      sport: activity.sport, startedAt: activity.startedAt, timeZone: activity.timeZone,
      durationSeconds: activity.durationSeconds, movingSeconds: activity.movingSeconds,
      distanceMetres: activity.distanceMetres, energyKilocalories: activity.energyKilocalories,
      heartRateAverage: activity.heartRateAverage, heartRateMaximum: activity.heartRateMaximum,
      ascentMetres: activity.ascentMetres, elevationSource: activity.elevationSource, title: activity.title,
      positionCount: activity.track?.points.count { $0.position != nil } ?? 0,
      sampleCount: activity.track?.points.count ?? 0)
  }

  /// Sources with more positions, then with more samples, then the longer ones know better.
  package static func isMoreExact(_ one: SourceFigures, _ other: SourceFigures) -> Bool {
    (one.positionCount, one.sampleCount, one.durationSeconds)
      > (other.positionCount, other.sampleCount, other.durationSeconds)
  }
}

extension SourceFigures {
  /// The figures of an activity: all from the most exact source, and what it does not know from the next ([IM-8]).
  ///
  /// - Parameter sources: the most exact first; at least one.
  package static func merged(_ sources: [SourceFigures]) -> SourceFigures? {
    guard var merged = sources.first else { return nil }
    for source in sources.dropFirst() {
      if merged.sport == .other { merged.sport = source.sport }
      // An offset says less than a zone.
      if !merged.timeZone.contains("/"), source.timeZone.contains("/") { merged.timeZone = source.timeZone }
      merged.movingSeconds = merged.movingSeconds ?? source.movingSeconds
      merged.distanceMetres = merged.distanceMetres ?? source.distanceMetres
      merged.energyKilocalories = merged.energyKilocalories ?? source.energyKilocalories
      merged.heartRateAverage = merged.heartRateAverage ?? source.heartRateAverage
      merged.heartRateMaximum = merged.heartRateMaximum ?? source.heartRateMaximum
      if merged.ascentMetres == nil, let ascent = source.ascentMetres {
        (merged.ascentMetres, merged.elevationSource) = (ascent, source.elevationSource)
      }
      if merged.title.isEmpty { merged.title = source.title }
    }
    return merged
  }
}
