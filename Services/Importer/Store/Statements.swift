import Identifiers
import ImporterDomain
import Postgres

extension SourcesNear {
  package init(of user: UserID, _ facts: [OutingFacts]) {
    // A trace of a stored source has gaps of its own: its box is widened by those that a day's ride may have.
    let boxes = facts.map { one in
      one.trace.box?.widened(by: SameOuting.samePlace + SameOuting.bendShare * (one.trace.greatestGap + Self.usualGap))
    }
    let reach = SameOuting.window
    self.init(
      starts: facts.map(\.startedAt), ends: facts.map(\.endedAt), placed: facts.map(\.isPlaced),
      souths: boxes.map { $0?.south ?? 0 }, norths: boxes.map { $0?.north ?? 0 }, wests: boxes.map { $0?.west ?? 0 },
      easts: boxes.map { $0?.east ?? 0 }, userID: user, reach: reach.components.seconds,
      candidates: Int64(Outings.candidates))
  }

  /// Metres between points of a trace of 256 over a long day.
  private static let usualGap = 2_000.0
}

extension UpdateActivity {
  package init(_ id: ActivityID, _ figures: SourceFigures, now: Instant) {
    self.init(
      sport: figures.sport, startedAt: figures.startedAt, timeZone: figures.timeZone,
      durationS: figures.durationSeconds, movingS: figures.movingSeconds, distanceM: figures.distanceMetres,
      energyKcal: figures.energyKilocalories, heartRateAvgBpm: figures.heartRateAverage,
      heartRateMaxBpm: figures.heartRateMaximum, ascentM: figures.ascentMetres,
      elevationSource: figures.elevationSource, title: figures.title, now: now, activityID: id)
  }
}

extension SourceFigures {
  package init(_ columns: FigureColumns, positions: Int32, samples: Int32) {
    self.init(
      sport: columns.sport, startedAt: columns.startedAt, timeZone: columns.timeZone,
      durationSeconds: columns.durationS, movingSeconds: columns.movingS, distanceMetres: columns.distanceM,
      energyKilocalories: columns.energyKcal, heartRateAverage: columns.heartRateAvgBpm,
      heartRateMaximum: columns.heartRateMaxBpm, ascentMetres: columns.ascentM,
      elevationSource: columns.elevationSource, title: columns.title, positionCount: Int(positions),
      sampleCount: Int(samples))
  }
}

extension KnownZone {
  /// The error for a zone that the database does not know.
  package static let unknownZone: SQLState = "22023"
}

extension StorageUse {
  package init(_ row: StorageOfUser.Row) {
    self.init(
      activities: row.activities, bytes: row.bytes, stepDays: row.stepDays, sleeps: row.sleeps, weights: row.weights)
  }
}
