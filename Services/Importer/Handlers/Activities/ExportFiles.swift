import GPX
import Identifiers
import ImporterDomain
import ImporterStore
import WorkerPool
import JSONText

/// JSON by hand: flat objects of a few known fields, written while rows arrive.
struct JSONObject {
  private(set) var text = "{"
  private var isEmpty = true

  mutating func add(_ name: String, raw value: String) {
    text += (isEmpty ? "" : ",") + "\"\(name)\":" + value
    isEmpty = false
  }

  mutating func add(_ name: String, _ value: String) { add(name, raw: JSONText.quoted(value)) }
  mutating func add(_ name: String, _ value: Int64) { add(name, raw: "\(value)") }

  mutating func add(_ name: String, _ value: Double?) {
    if let value, value.isFinite { add(name, raw: "\(value)") }
  }

  var closed: String { text + "}" }
}

/// Writes sources of activities into a zip file, some samples at a time.
///
/// Unchecked: an export waits for each of its calls before it makes the next.
final class ExportedSources: @unchecked Sendable {
  private enum Part {
    case begin(String, SourcesForExport.Row)
    case text(String)
    /// Values of a column, with a comma before all but the first.
    case column(Int, Range<Int>, Track)
    case positions(Range<Int>, Track, Instant)
  }

  private let zip: ZipWriter
  private var rows: ArraySlice<SourcesForExport.Row>
  /// What is left of the present source, the next one last.
  private var parts: [Part] = []

  /// Values and points that are written in one go.
  private static let (most, atOnce) = (60_000, 10_000)
  /// What beginning a source counts as.
  private static let source = 200

  init(_ rows: [SourcesForExport.Row], to zip: ZipWriter) { (self.rows, self.zip) = (rows[...], zip) }

  /// Writes some more; false once all is written.
  func goOn(on thread: borrowing PoolThread) throws(ZipWriter.Failure) -> Bool {
    var left = Self.most
    while left > 0 {
      guard let part = parts.popLast() else {
        guard let row = rows.popFirst() else { return false }
        parts = Self.parts(of: row).reversed()
        left -= Self.source + parts.count
        continue
      }
      left -= try write(part)
    }
    return true
  }

  private func write(_ part: Part) throws(ZipWriter.Failure) -> Int {
    switch part {
    case .begin(let name, let row):
      try zip.begin(name, at: row.figure.startedAt.wholeSeconds)
      return Self.source
    case .text(let text):
      try zip.write(Array(text.utf8))
      return text.utf8.count / 20
    case .column(let column, let range, let track):
      var text = ""
      for index in range {
        if index > 0 { text += "," }
        text += Track.columns[column].value(track.points[index]).map { "\($0)" } ?? "null"
      }
      try zip.write(Array(text.utf8))
      return range.count
    case .positions(let range, let track, let start):
      var text = ""
      for sample in track.points[range] {
        guard let position = sample.position else { continue }
        text += GPXTrack.point(
          position, at: start + .seconds(sample.elapsedSeconds), altitude: sample.elevationMetres,
          extensions: sample.extensions)
      }
      try zip.write(Array(text.utf8))
      // A point is some numbers.
      return 5 * range.count
    }
  }

  private static func parts(of row: SourcesForExport.Row) -> [Part] {
    let (name, track) = ("activities/\(row.activityID)/\(row.id)", row.track.flatMap { TrackCodec.decode($0) })
    var parts: [Part] = [.begin(name + ".json", row)]
    guard let track else { return parts + [.text(row.object.closed)] }
    parts.append(.text(row.object.text + ",\"samples\":{"))
    let columns = Track.columns.indices.filter { column in
      column == 0 || track.points.contains { Track.columns[column].value($0) != nil }
    }
    for column in columns {
      parts.append(.text((column == 0 ? "" : ",") + "\"\(Track.columns[column].name)\":["))
      parts += ranges(of: track).map { .column(column, $0, track) }
      parts.append(.text("]"))
    }
    parts.append(.text("}}"))
    return parts + positions(of: track, row, name)
  }

  /// The samples as GPX 1.1 with Garmin's extension for heart rate and cadence; none without positions.
  private static func positions(of track: Track, _ row: SourcesForExport.Row, _ name: String) -> [Part] {
    guard track.hasPositions else { return [] }
    let beginning = GPXTrack.beginning(
      row.figure.title, type: row.figure.sport.rawValue.lowercased(),
      namespaces: ["gpxtpx": "http://www.garmin.com/xmlschemas/TrackPointExtension/v1"])
    return [.begin(name + ".gpx", row), .text(beginning)]
      + ranges(of: track).map { .positions($0, track, row.figure.startedAt) } + [.text(GPXTrack.end)]
  }

  private static func ranges(of track: Track) -> [Range<Int>] {
    stride(from: 0, to: track.points.count, by: atOnce).map { $0..<min($0 + atOnce, track.points.count) }
  }
}

extension SourcesForExport.Row {
  /// What is stored of the source beside its samples, and the raw record as it came.
  fileprivate var object: JSONObject {
    var object = JSONObject()
    object.add("activity_id", activityID.description)
    object.add("source_id", id.description)
    object.add("provider", provider)
    object.add("external_id", externalID)
    object.add("device", device)
    object.add("sport", figure.sport.rawValue)
    object.add("start_time", figure.startedAt.description)
    object.add("time_zone", figure.timeZone)
    object.add("duration_s", figure.durationS)
    object.add("moving_s", figure.movingS)
    object.add("distance_m", figure.distanceM)
    object.add("energy_kcal", figure.energyKcal)
    object.add("heart_rate_avg_bpm", figure.heartRateAvgBpm)
    object.add("heart_rate_max_bpm", figure.heartRateMaxBpm)
    object.add("ascent_m", figure.ascentM)
    if let source = figure.elevationSource { object.add("elevation_source", source.rawValue) }
    object.add("title", figure.title)
    // As a string, because a provider's record may not be strict JSON.
    if let raw { object.add("raw", raw) }
    return object
  }
}

extension Track {
  /// All samples, by columns: those that no sample has are left out, and what a sample does not have is null. GPX has no place for
  /// samples without positions, nor for some of the columns.
  fileprivate static let columns: [(name: String, value: @Sendable (TrackPoint) -> Double?)] = [
    ("elapsed_s", { $0.elapsedSeconds }), ("latitude_deg", { $0.position?.latitude }),
    ("longitude_deg", { $0.position?.longitude }), ("elevation_m", { $0.elevationMetres }),
    ("heart_rate_bpm", { $0.heartRate }), ("distance_m", { $0.distanceMetres }), ("cadence_per_min", { $0.cadence }),
    ("power_w", { $0.powerWatts }),
  ]
}

extension TrackPoint {
  /// What GPX itself has no elements for.
  fileprivate var extensions: String {
    guard heartRate != nil || cadence != nil else { return "" }
    let rate = heartRate.map { "<gpxtpx:hr>\(Int($0))</gpxtpx:hr>" } ?? ""
    let pace = cadence.map { "<gpxtpx:cad>\(Int($0))</gpxtpx:cad>" } ?? ""
    return "<gpxtpx:TrackPointExtension>\(rate)\(pace)</gpxtpx:TrackPointExtension>"
  }
}

extension StepsForExport.Row {
  var json: String {
    var object = JSONObject()
    object.add("day", day.description)
    object.add("provider", provider)
    object.add("steps", steps)
    if let raw { object.add("raw", raw) }
    return object.closed
  }
}

extension SleepsForExport.Row {
  var json: String {
    var object = JSONObject()
    object.add("provider", provider)
    object.add("external_id", externalID)
    object.add("start_time", startedAt.description)
    object.add("end_time", endedAt.description)
    object.add("time_zone", timeZone)
    object.add("asleep_s", asleepS)
    if let raw { object.add("raw", raw) }
    return object.closed
  }
}

extension WeightsForExport.Row {
  var json: String {
    var object = JSONObject()
    object.add("time", measuredAt.description)
    object.add("provider", provider)
    object.add("weight_kg", weightKg)
    if let raw { object.add("raw", raw) }
    if let composition { object.add("composition", composition) }
    return object.closed
  }
}
