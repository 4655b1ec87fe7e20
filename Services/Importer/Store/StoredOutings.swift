import Identifiers
import ImporterDomain

extension KnownReport {
  package init(_ row: SourcesNear.Row) {
    self.init(
      source: row.id, activity: row.activityID,
      facts: OutingFacts(
        sport: row.sport, startedAt: row.startedAt, durationSeconds: row.durationS, distanceMetres: row.distanceM,
        encoded: row.trace), isSplitOff: row.splitOff)
  }

  package init(_ row: SourcesBeside.Row) {
    self.init(
      source: row.id, activity: row.activityID,
      facts: OutingFacts(
        sport: row.sport, startedAt: row.startedAt, durationSeconds: row.durationS, distanceMetres: row.distanceM,
        encoded: row.trace), isSplitOff: row.splitOff)
  }
}

extension OutingFacts {
  /// - Parameter trace: as ``TrackCodec`` encodes it.
  package init(
    sport: Sport, startedAt: Instant, durationSeconds: Double, distanceMetres: Double?, encoded trace: [UInt8]
  ) {
    let points = TrackCodec.decode(trace)?.points.compactMap { point in
      point.position.map { TracePoint(elapsedSeconds: point.elapsedSeconds, position: $0) }
    }
    self.init(
      sport: sport, startedAt: startedAt, durationSeconds: durationSeconds, distanceMetres: distanceMetres,
      trace: points ?? [])
  }
}
