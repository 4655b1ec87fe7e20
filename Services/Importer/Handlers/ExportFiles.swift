import GPX
import Identifiers
import ImporterDomain
import ImporterStore

/// JSON by hand: flat objects of a few known fields, written while rows arrive.
struct JSONObject {
  private(set) var text = "{"
  private var isEmpty = true

  mutating func add(_ name: String, raw value: String) {
    text += (isEmpty ? "" : ",") + "\"\(name)\":" + value
    isEmpty = false
  }

  mutating func add(_ name: String, _ value: String) { add(name, raw: Self.quoted(value)) }
  mutating func add(_ name: String, _ value: Int64) { add(name, raw: "\(value)") }

  mutating func add(_ name: String, _ value: Double?) {
    if let value, value.isFinite { add(name, raw: "\(value)") }
  }

  var closed: String { text + "}" }

  /// A string of JSON (RFC 8259).
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension SourcesForExport.Row {
  /// What is stored of the source beside its samples, and the raw record as it came.
  var json: String {
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
    if let track = samples { object.add("samples", raw: track.json) }
    return object.closed
  }

  private var samples: Track? { track.flatMap { TrackCodec.decode($0) } }

  /// The samples as GPX 1.1 with Garmin's extension for heart rate and cadence; `nil` without positions.
  var gpx: String? {
    guard let track = samples, track.hasPositions else { return nil }
    var text = GPXTrack.beginning(
      figure.title, type: figure.sport.rawValue.lowercased(),
      namespaces: ["gpxtpx": "http://www.garmin.com/xmlschemas/TrackPointExtension/v1"])
    for sample in track.points {
      guard let position = sample.position else { continue }
      text += GPXTrack.point(
        position, at: figure.startedAt + .seconds(sample.elapsedSeconds), altitude: sample.elevationMetres,
        extensions: sample.extensions)
    }
    return text + GPXTrack.end
  }
}

extension Track {
  /// All samples, by columns: those that no sample has are left out, and what a sample does not have is null. GPX has no place for
  /// samples without positions, nor for some of the columns.
  fileprivate var json: String {
    var object = JSONObject()
    object.add("elapsed_s", raw: Self.list(points) { $0.elapsedSeconds })
    for (name, value) in Self.columns where points.contains(where: { value($0) != nil }) {
      object.add(name, raw: Self.list(points, value))
    }
    return object.closed
  }

  private static func list(_ points: [TrackPoint], _ value: (TrackPoint) -> Double?) -> String {
    "[" + points.map { value($0).map { "\($0)" } ?? "null" }.joined(separator: ",") + "]"
  }

  private static let columns: [(name: String, value: @Sendable (TrackPoint) -> Double?)] = [
    ("latitude_deg", { $0.position?.latitude }), ("longitude_deg", { $0.position?.longitude }),
    ("elevation_m", { $0.elevationMetres }), ("heart_rate_bpm", { $0.heartRate }),
    ("distance_m", { $0.distanceMetres }), ("cadence_per_min", { $0.cadence }), ("power_w", { $0.powerWatts }),
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
    return object.closed
  }
}
