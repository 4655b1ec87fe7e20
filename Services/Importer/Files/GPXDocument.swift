import FileContents
import Geography
import Identifiers
import ImporterDomain

/// A GPX file, 1.0 or 1.1, with the extensions for heart rate, cadence and power that trackers write.
final class GPXDocument: XMLVisitor {
  /// What a file contains, for comparison.
  struct Counts: Equatable {
    var segments = 0
    var points = 0
    var timed = 0
    var waypoints = 0
    var routePoints = 0
  }

  private(set) var counts = Counts()
  private(set) var isGPX = false
  private var device = ""
  private(set) var tracks: [(track: RecordedTrack, sport: Sport, title: String)] = []
  private var sample: Sample?
  private var isInTrack = false

  /// The activities of the file: its tracks that have times.
  func activities(zone: String) -> [ImportedActivity] {
    tracks.compactMap { $0.track.activity(sport: $0.sport, zone: zone, title: $0.title, device: device) }
  }

  /// The places of the tracks that are no activities.
  var tracksWithoutTimes: [Int] { tracks.indices.filter { !tracks[$0].track.hasTimes } }

  /// All samples of the file as one activity, for a route that belongs to a workout.
  func track() -> Track? {
    var whole = RecordedTrack()
    whole.segments = tracks.flatMap(\.track.segments)
    return whole.activity(sport: .other, zone: "UTC", title: "", device: "")?.track
  }

  /// The samples of all tracks, in the order of the file.
  var segments: [[Sample]] { tracks.flatMap(\.track.segments) }

  /// When the first sample of `track()` was taken.
  var start: Instant? { tracks.lazy.flatMap(\.track.segments).joined().compactMap(\.time).min() }

  func begin(_ name: XMLName, _ attributes: XMLAttributes) throws(XMLRefusal) -> Bool {
    switch name {
    case "trkpt":
      counts.points += 1
      sample = try point(attributes)
      return false
    case "ele", "time", "hr", "heartrate", "cad", "cadence", "power", "watts":
      return sample != nil
    case "name", "type":
      return isInTrack && sample == nil
    case "trkseg":
      counts.segments += 1
      if !tracks.isEmpty { tracks[tracks.count - 1].track.begin() }
    case "trk":
      guard tracks.count < FileLimits.activities else {
        throw XMLRefusal(kind: .tooMuch, message: "The file has too many tracks")
      }
      tracks.append((RecordedTrack(), .other, ""))
      isInTrack = true
    case "wpt": counts.waypoints += 1
    case "rtept": counts.routePoints += 1
    case "gpx":
      isGPX = true
      attributes.forEach { if $0 == "creator" { device = PlainValues.text($1) } }
    default: break
    }
    return false
  }

  func end(_ name: XMLName, _ text: XMLText) throws(XMLRefusal) {
    switch name {
    case "trkpt":
      if let sample, !tracks.isEmpty { try tracks[tracks.count - 1].track.add(sample) }
      sample = nil
    case "trk": isInTrack = false
    case "ele": if sample != nil, !text.isEmpty { sample?.elevation = try number(text) }
    case "time":
      guard sample != nil, let moment = PlainValues.time(text) else { return }
      counts.timed += 1
      sample?.time = moment.instant
    case "hr", "heartrate": sample?.heartRate = PlainValues.number(text)
    case "cad", "cadence": sample?.cadence = PlainValues.number(text)
    case "power", "watts": sample?.power = PlainValues.number(text)
    case "name" where isInTrack && sample == nil && !tracks.isEmpty:
      tracks[tracks.count - 1].title = PlainValues.text(text)
    case "type" where isInTrack && sample == nil && !tracks.isEmpty:
      tracks[tracks.count - 1].sport = Sport(named: PlainValues.text(text))
    default: break
    }
  }

  private func point(_ attributes: XMLAttributes) throws(XMLRefusal) -> Sample {
    var (latitude, longitude): (Double?, Double?)
    attributes.forEach { name, value in
      if name == "lat" {
        latitude = PlainValues.number(value)
      } else if name == "lon" {
        longitude = PlainValues.number(value)
      }
    }
    guard let latitude, let longitude else { throw XMLRefusal(message: "A point has no number as lat or lon") }
    var sample = Sample()
    sample.position = GeoPoint(latitude: latitude, longitude: longitude)
    return sample
  }

  private func number(_ text: XMLText) throws(XMLRefusal) -> Double? {
    // An empty height is none; a word is a fault.
    if text.allSatisfy({ $0 <= 0x20 }) { return nil }
    guard let number = PlainValues.number(text) else { throw XMLRefusal(message: "A height is no number") }
    return number
  }
}
