import GoogleProtobuf
import GoogleType
import Identifiers
import ImporterDomain
import ImporterStore
import TandemImporter
import Timestamps

extension Activity {
  /// An activity without its track and splits.
  init(_ id: ActivityID, _ figures: FigureColumns, _ sources: [SourcesOfActivities.Row]) {
    self.init(
      activityID: id.description, sport: figures.sport.wire, startTime: figures.startedAt.timestamp,
      timeZone: figures.timeZone, durationS: figures.durationS, movingS: figures.movingS ?? 0,
      distanceM: figures.distanceM ?? 0, energyKcal: figures.energyKcal ?? 0,
      heartRateAvgBpm: figures.heartRateAvgBpm ?? 0, heartRateMaxBpm: figures.heartRateMaxBpm ?? 0,
      ascentM: figures.ascentM ?? 0, elevationSource: figures.elevationSource?.rawValue ?? "", title: figures.title,
      sources: sources.map { ActivitySource($0) })
  }
}

extension ActivitySource {
  fileprivate init(_ row: SourcesOfActivities.Row) {
    self.init(
      sourceID: row.id.description, provider: row.provider, externalID: row.externalID,
      startTime: row.figure.startedAt.timestamp, durationS: row.figure.durationS,
      distanceM: row.figure.distanceM ?? 0, hasTrack: row.positionCount > 0, device: row.device)
  }
}

extension TandemImporter.TrackPoint {
  /// A point with a position; `nil` without one.
  init?(_ point: ImporterDomain.TrackPoint) {
    guard let position = point.position else { return nil }
    self.init(
      latitude: position.latitude, longitude: position.longitude, elevationM: point.elevationMetres,
      elapsedS: point.elapsedSeconds, heartRateBpm: point.heartRate ?? 0)
  }
}

extension TandemImporter.Split {
  init(_ split: ImporterDomain.Split) {
    self.init(
      distanceM: split.distanceMetres, durationS: split.durationSeconds, ascentM: split.ascentMetres,
      heartRateAvgBpm: split.heartRateAverage ?? 0)
  }
}

extension CivilDate {
  var wire: GoogleType.Date { GoogleType.Date(year: Int32(year), month: Int32(month), day: Int32(day)) }
}

extension FileImport {
  /// - Parameter interrupted: imports that began before this and still run were interrupted, by an end of the service for example.
  init(_ row: StoredFileImport, interrupted: Instant) {
    self.init(
      importID: row.id.description, format: row.format, newActivities: row.newActivities,
      mergedActivities: row.mergedActivities, knownActivities: row.knownActivities, stepDays: row.stepDays,
      sleeps: row.sleepCount, weights: row.weightCount, activityIds: row.activityIDs.map(\.description),
      startTime: row.startedAt.timestamp,
      state: row.state == .running && row.startedAt < interrupted ? .failed : row.state.wire,
      skippedCount: row.skippedCount, skipped: TandemImporter.SkippedRecord.all(of: row), reason: row.failure ?? "")
    if let message = row.faultMessage {
      fault = FileFault(
        message: message, byteOffset: row.faultOffset ?? 0, line: row.faultLine ?? 0, member: row.faultMember ?? "")
    }
  }
}

extension TandemImporter.SkippedRecord {
  fileprivate static func all(of row: StoredFileImport) -> [Self] {
    zip(zip(row.skippedMembers, row.skippedLists), zip(row.skippedIndexes, row.skippedMessages)).map {
      Self(member: $0.0, list: $0.1, index: $1.0, message: $1.1)
    }
  }
}
