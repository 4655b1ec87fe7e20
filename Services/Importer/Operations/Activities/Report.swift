import Cryptography
import Identifiers
import ImporterDomain
import ImporterStore
import WorkerPool
import Base64

/// A record that is to be stored, with what is computed of it once; its samples are kept as bytes alone.
package struct Report: Sendable {
  /// Without its track.
  let activity: ImportedActivity
  let facts: OutingFacts
  let figures: SourceFigures
  let track: [UInt8]?
  let trace: [UInt8]
  let outline: [UInt8]
  let digest: [UInt8]
  /// Least times by distance in metres.
  let efforts: [(distance: Double, time: Double)]

  /// Points of an outline ([IM-11]).
  static let outlinePoints = 500

  /// A report of what a source says; `nil` for what cannot be (see `Plausible`).
  package init?(of given: ImportedActivity, on thread: borrowing PoolThread) {
    // An activity of a file has no id: a digest of what it says stands for one, the same each time.
    let given = given.externalID.isEmpty ? given.named : given
    guard let activity = given.cleaned else { return nil }
    let points = activity.track ?? Track(points: [])
    facts = OutingFacts(activity)
    figures = SourceFigures(activity)
    track = activity.track.map(TrackCodec.encode)
    trace = TrackCodec.encode(
      Track(points: facts.trace.points.map { TrackPoint(elapsedSeconds: $0.elapsedSeconds, position: $0.position) }))
    outline = TrackCodec.encode(points.simplified(to: Self.outlinePoints, on: thread))
    let progress = Progress(points, sport: activity.sport, on: thread)
    efforts = Progress.recordDistances(activity.sport).compactMap { distance in
      progress.fastest(distance).map { (distance, $0) }
    }
    var plain = activity
    plain.track = nil
    self.activity = plain
    digest = Digest.sha256(Array("\(plain)".utf8) + (track ?? []))
  }

  /// One that was staged, as it was.
  init(_ row: StagedReports.Row) {
    let figure = row.figure
    activity = ImportedActivity(
      provider: row.provider, externalID: row.externalID, sport: figure.sport, startedAt: figure.startedAt,
      timeZone: figure.timeZone, durationSeconds: figure.durationS, movingSeconds: figure.movingS,
      distanceMetres: figure.distanceM, energyKilocalories: figure.energyKcal, heartRateAverage: figure.heartRateAvgBpm,
      heartRateMaximum: figure.heartRateMaxBpm, ascentMetres: figure.ascentM, elevationSource: figure.elevationSource,
      title: figure.title, device: row.device, raw: row.raw)
    facts = OutingFacts(
      sport: figure.sport, startedAt: figure.startedAt, durationSeconds: figure.durationS,
      distanceMetres: figure.distanceM, encoded: row.trace)
    figures = SourceFigures(figure, positions: row.positionCount, samples: row.sampleCount)
    (track, trace, outline, digest) = (row.track, row.trace, row.outline, row.digest)
    efforts = zip(row.effortDistancesM, row.effortDurationsS).map { (distance: $0, time: $1) }
  }

  var key: String { Self.key(activity.provider, activity.externalID) }

  static func key(_ provider: String, _ externalID: String) -> String { "\(provider) \(externalID)" }
}

extension ImportedActivity {
  /// With a digest of what it says as its id.
  fileprivate var named: ImportedActivity {
    let text = "\(sport.rawValue) \(startedAt) \(durationSeconds)"
    var activity = self
    activity.externalID = Digest.sha256(Array(text.utf8) + (track.map(TrackCodec.encode) ?? [])).prefix(16).hexadecimal
    return activity
  }
}

/// Where a report belongs.
struct Place {
  enum Outcome {
    /// It is an activity of its own.
    case new
    /// Another source reported the same outing.
    case merged
    /// The same source reported it before, otherwise.
    case changed
    /// The same source reported exactly this before.
    case unchanged
  }

  var activity: ActivityID
  let source: SourceID
  var outcome: Outcome

  var isChange: Bool { outcome != .unchanged }
}

extension PutSource {
  init(_ report: Report, _ place: Place, of user: UserID, by importID: ImportID?, now: Instant) {
    let (activity, figures) = (report.activity, report.figures)
    self.init(
      sourceID: place.source, activityID: place.activity, userID: user, provider: activity.provider,
      externalID: activity.externalID, importID: importID, digest: report.digest, sport: activity.sport,
      startedAt: activity.startedAt, timeZone: activity.timeZone, durationS: activity.durationSeconds,
      movingS: activity.movingSeconds, distanceM: activity.distanceMetres, energyKcal: activity.energyKilocalories,
      heartRateAvgBpm: activity.heartRateAverage, heartRateMaxBpm: activity.heartRateMaximum,
      ascentM: activity.ascentMetres, elevationSource: activity.elevationSource, title: activity.title,
      device: activity.device, positionCount: Int32(figures.positionCount), sampleCount: Int32(figures.sampleCount),
      trace: report.trace, south: report.facts.trace.box?.south, north: report.facts.trace.box?.north,
      west: report.facts.trace.box?.west, east: report.facts.trace.box?.east, outline: report.outline,
      track: report.track, raw: activity.raw, now: now)
  }
}
