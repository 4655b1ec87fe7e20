import FileContents
import Geography
import Identifiers
import ImporterDomain

/// A Training Center file, version 2.
final class TCXDocument: XMLVisitor {
  private enum Names {
    static let (root, activity, course) = (
      XMLName("TrainingCenterDatabase"), XMLName("Activity"), XMLName("Course")
    )
    static let (lap, track, trackpoint, time) = (
      XMLName("Lap"), XMLName("Track"), XMLName("Trackpoint"), XMLName("Time")
    )
    static let (latitude, longitude) = (XMLName("LatitudeDegrees"), XMLName("LongitudeDegrees"))
    static let (altitude, distance) = (XMLName("AltitudeMeters"), XMLName("DistanceMeters"))
    static let (heartRate, value, cadence) = (XMLName("HeartRateBpm"), XMLName("Value"), XMLName("Cadence"))
    static let (watts, runCadence, sport) = (XMLName("Watts"), XMLName("RunCadence"), XMLName("Sport"))
    static let (totalTime, calories) = (XMLName("TotalTimeSeconds"), XMLName("Calories"))
    static let (creator, name, notes) = (XMLName("Creator"), XMLName("Name"), XMLName("Notes"))
  }

  private struct Recorded {
    var track = RecordedTrack()
    var sport: Sport
    var seconds = 0.0
    var metres = 0.0
    var calories = 0.0
    var device = ""
  }

  private(set) var isTCX = false
  private(set) var segments = 0
  /// Points with a position, and those of them with a time.
  private(set) var points = 0
  private(set) var timed = 0
  private var recorded: [Recorded] = []
  private var sample: Sample?
  private var latitude: Double?
  private var longitude: Double?
  private var isInHeartRate = false
  private var isInCreator = false
  private var isInTrack = false

  func activities(zone: String) -> [ImportedActivity] {
    recorded.compactMap { recorded in
      var activity = recorded.track.activity(
        sport: recorded.sport, zone: zone, title: "", device: recorded.device)
      if recorded.metres > 0 { activity?.distanceMetres = recorded.metres }
      if recorded.seconds > 0 { activity?.movingSeconds = recorded.seconds }
      if recorded.calories > 0 { activity?.energyKilocalories = recorded.calories }
      return activity
    }
  }

  func begin(_ name: XMLName, _ attributes: XMLAttributes) throws(XMLRefusal) -> Bool {
    switch name {
    case Names.trackpoint:
      (sample, latitude, longitude) = (Sample(), nil, nil)
    case Names.time, Names.latitude, Names.longitude, Names.altitude, Names.cadence, Names.watts, Names.runCadence:
      return sample != nil
    case Names.distance, Names.totalTime, Names.calories: return !recorded.isEmpty
    case Names.value: return sample != nil && isInHeartRate
    case Names.heartRate: isInHeartRate = true
    case Names.track:
      segments += 1
      isInTrack = true
      if !recorded.isEmpty { recorded[recorded.count - 1].track.begin() }
    case Names.activity, Names.course:
      guard recorded.count < FileLimits.activities else {
        throw XMLRefusal(kind: .tooMuch, message: "The file has too many activities")
      }
      var sport = Sport.other
      attributes.forEach { if $0 == Names.sport { sport = Sport(named: PlainValues.text($1)) } }
      recorded.append(Recorded(sport: sport))
    case Names.creator: isInCreator = true
    case Names.name: return isInCreator
    case Names.root: isTCX = true
    default: break
    }
    return false
  }

  func end(_ name: XMLName, _ text: ArraySlice<UInt8>) throws(XMLRefusal) {
    switch name {
    case Names.trackpoint:
      if let latitude, let longitude {
        points += 1
        if sample?.time != nil { timed += 1 }
        sample?.position = GeoPoint(latitude: latitude, longitude: longitude)
      }
      if let sample, !recorded.isEmpty { try recorded[recorded.count - 1].track.add(sample) }
      sample = nil
    case Names.track: isInTrack = false
    case Names.heartRate: isInHeartRate = false
    case Names.creator: isInCreator = false
    case Names.name: if isInCreator, !recorded.isEmpty { recorded[recorded.count - 1].device = PlainValues.text(text) }
    case Names.time:
      guard sample != nil, let moment = PlainValues.time(text) else { return }
      sample?.time = moment.instant
    default: try figure(name, text)
    }
  }

  private func figure(_ name: XMLName, _ text: ArraySlice<UInt8>) throws(XMLRefusal) {
    switch name {
    case Names.latitude: latitude = try number(text)
    case Names.longitude: longitude = try number(text)
    case Names.altitude: sample?.elevation = try number(text)
    case Names.value: if isInHeartRate, sample != nil { sample?.heartRate = try number(text) }
    case Names.cadence, Names.runCadence: sample?.cadence = try number(text)
    case Names.watts: sample?.power = try number(text)
    case Names.distance:
      let metres = try number(text)
      if sample != nil {
        sample?.distance = metres
      } else if !isInTrack, !recorded.isEmpty {
        recorded[recorded.count - 1].metres += metres ?? 0
      }
    case Names.totalTime: if !recorded.isEmpty { recorded[recorded.count - 1].seconds += try number(text) ?? 0 }
    case Names.calories: if !recorded.isEmpty { recorded[recorded.count - 1].calories += try number(text) ?? 0 }
    default: break
    }
  }

  /// `nil` for an empty element, and where the text was not wanted.
  private func number(_ text: ArraySlice<UInt8>) throws(XMLRefusal) -> Double? {
    if text.allSatisfy({ $0 <= 0x20 }) { return nil }
    guard let number = PlainValues.number(text) else { throw XMLRefusal(message: "A value is no number") }
    return number
  }
}
