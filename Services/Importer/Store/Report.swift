import Cryptography
import Identifiers
import ImporterDomain

/// A record that is to be stored, with what is computed of it once.
struct Report {
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

  init(_ activity: ImportedActivity) {
    self.activity = activity
    let points = activity.track ?? Track(points: [])
    facts = OutingFacts(activity)
    figures = SourceFigures(activity)
    track = activity.track.map(TrackCodec.encode)
    trace = TrackCodec.encode(
      Track(points: facts.trace.map { TrackPoint(elapsedSeconds: $0.elapsedSeconds, position: $0.position) }))
    outline = TrackCodec.encode(points.simplified(to: Self.outlinePoints))
    let progress = Progress(points, sport: activity.sport)
    efforts = Progress.recordDistances(activity.sport).compactMap { distance in
      progress.fastest(distance).map { (distance, $0) }
    }
    var plain = activity
    plain.track = nil
    digest = Digest.sha256(Array("\(plain)".utf8) + (track ?? []))
  }

  var key: String { Self.key(activity.provider, activity.externalID) }

  static func key(_ provider: String, _ externalID: String) -> String { "\(provider) \(externalID)" }
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

  let activity: ActivityID
  let source: SourceID
  let outcome: Outcome

  var isChange: Bool { outcome != .unchanged }
}

/// The stored reports of a user around some times, to find what a new one belongs to.
struct Outings {
  private struct Stored {
    let source: SourceID
    let activity: ActivityID
    let facts: OutingFacts
  }

  private var stored: [Stored]

  init(_ rows: [SourcesNear.Row]) {
    stored = rows.map { row in
      let trace = TrackCodec.decode(row.trace)?.points.compactMap { point in
        point.position.map { TracePoint(elapsedSeconds: point.elapsedSeconds, position: $0) }
      }
      return Stored(
        source: row.id, activity: row.activityID,
        facts: OutingFacts(
          sport: row.sport, startedAt: row.startedAt, durationSeconds: row.durationS, distanceMetres: row.distanceM,
          trace: trace ?? []))
    }
  }

  /// The place of a report, which is known to later ones. One that the same source reported before stays where it is.
  mutating func place(_ report: Report, known: KnownSources.Row?, newID: () -> UUIDs) -> Place {
    if let known {
      return Place(
        activity: known.activityID, source: known.id, outcome: known.digest == report.digest ? .unchanged : .changed)
    }
    let ids = newID()
    let fits = stored.map { ($0, SameOuting.likeness($0.facts, report.facts)) }
    // An activity with a source that contradicts the report is another outing, though a vague third one fits both.
    let contradicted = Set(fits.filter { $0.1 == 0 }.map(\.0.activity))
    let found = fits.filter { $0.1 > 0 && !contradicted.contains($0.0.activity) }.max { $0.1 < $1.1 }?.0
    let activity = found?.activity ?? ids.activity
    stored.append(Stored(source: ids.source, activity: activity, facts: report.facts))
    return Place(activity: activity, source: ids.source, outcome: found == nil ? .new : .merged)
  }

  /// New ids for a report.
  struct UUIDs {
    let activity: ActivityID
    let source: SourceID
  }
}
