import FileContents
import Geography
import Identifiers
import ImporterDomain

/// A Training Center file, version 2.
final class TCXDocument: XMLVisitor {
  private struct Recorded {
    var track = RecordedTrack()
    var sport: Sport
    var seconds = 0.0
    var metres = 0.0
    var calories = 0.0
    var device = ""
    /// The start of the first lap, and what laps say of the heart.
    var start: Instant?
    var beats = 0.0
    var beatSeconds = 0.0
    var greatestRate: Double?
    var laps = LapRecords()

    /// An activity of its laps alone, for one whose points say too little.
    func ofLaps(_ zone: String) -> ImportedActivity? {
      guard let start, seconds > 0 else { return nil }
      return ImportedActivity(
        provider: "file", externalID: "", sport: sport, startedAt: start, timeZone: zone, durationSeconds: seconds,
        device: device)
    }

    var averageRate: Double? { beatSeconds > 0 ? beats / beatSeconds : nil }
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
  private var isInGreatestRate = false
  private var lapSeconds = 0.0
  private var lapRate: Double?
  private var lap = LapRecords.Lap()

  /// The places of the activities that neither points nor laps tell of.
  var activitiesWithoutTimes: [Int] {
    recorded.indices.filter { !recorded[$0].track.hasTimes && recorded[$0].ofLaps("") == nil }
  }

  /// The laps that there are too many of.
  var lapsLeftOut: [SkippedRecord] { recorded.compactMap { $0.laps.leftOut(named: "laps") } }

  func activities(zone: String) -> [ImportedActivity] {
    recorded.compactMap { recorded in
      var activity =
        recorded.track.activity(sport: recorded.sport, zone: zone, title: "", device: recorded.device)
        ?? recorded.ofLaps(zone)
      // A lap may begin before its first point.
      if let made = activity, let start = recorded.start, start < made.startedAt {
        activity = made.starting(at: start)
      }
      if activity?.heartRateAverage == nil { activity?.heartRateAverage = recorded.averageRate }
      if activity?.heartRateMaximum == nil { activity?.heartRateMaximum = recorded.greatestRate }
      if recorded.metres > 0 { activity?.distanceMetres = recorded.metres }
      if recorded.seconds > 0 { activity?.movingSeconds = recorded.seconds }
      if recorded.calories > 0 { activity?.energyKilocalories = recorded.calories }
      activity?.raw = recorded.laps.json().map { "{\"laps\":\($0)}" }
      return activity
    }
  }

  func begin(_ name: XMLName, _ attributes: XMLAttributes) throws(XMLRefusal) -> Bool {
    switch name {
    case "Trackpoint":
      (sample, latitude, longitude) = (Sample(), nil, nil)
    case "Time", "LatitudeDegrees", "LongitudeDegrees", "AltitudeMeters", "Cadence", "Watts", "RunCadence":
      return sample != nil
    case "DistanceMeters", "TotalTimeSeconds", "Calories": return !recorded.isEmpty
    case "Intensity", "TriggerMethod": return sample == nil && !recorded.isEmpty
    case "Value": return isInHeartRate && (sample != nil || !recorded.isEmpty)
    case "Lap":
      (lapSeconds, lapRate, lap) = (0, nil, LapRecords.Lap())
      attributes.forEach { name, value in
        guard name == "StartTime", let moment = PlainValues.time(value), !recorded.isEmpty else { return }
        lap.start = moment.instant
        let known = recorded[recorded.count - 1].start
        recorded[recorded.count - 1].start = min(known ?? moment.instant, moment.instant)
      }
    case "AverageHeartRateBpm": isInHeartRate = true
    case "MaximumHeartRateBpm": (isInHeartRate, isInGreatestRate) = (true, true)
    case "HeartRateBpm": isInHeartRate = true
    case "Track":
      segments += 1
      isInTrack = true
      if !recorded.isEmpty { recorded[recorded.count - 1].track.begin() }
    case "Activity", "Course":
      guard recorded.count < FileLimits.activities else {
        throw XMLRefusal(kind: .tooMuch, message: "The file has too many activities")
      }
      var sport = Sport.other
      attributes.forEach { if $0 == "Sport" { sport = Sport(named: PlainValues.text($1)) } }
      recorded.append(Recorded(sport: sport))
    case "Creator": isInCreator = true
    case "Name": return isInCreator
    case "TrainingCenterDatabase": isTCX = true
    default: break
    }
    return false
  }

  func end(_ name: XMLName, _ text: XMLText) throws(XMLRefusal) {
    switch name {
    case "Trackpoint":
      if let latitude, let longitude {
        points += 1
        if sample?.time != nil { timed += 1 }
        sample?.position = GeoPoint(latitude: latitude, longitude: longitude)
      }
      if let sample, !recorded.isEmpty { try recorded[recorded.count - 1].track.add(sample) }
      sample = nil
    case "Track": isInTrack = false
    case "HeartRateBpm", "AverageHeartRateBpm", "MaximumHeartRateBpm":
      (isInHeartRate, isInGreatestRate) = (false, false)
    case "Lap":
      guard !recorded.isEmpty else { return }
      recorded[recorded.count - 1].laps.add(lap)
      guard let lapRate else { return }
      recorded[recorded.count - 1].beats += lapRate * lapSeconds
      recorded[recorded.count - 1].beatSeconds += lapSeconds
    case "Creator": isInCreator = false
    case "Name": if isInCreator, !recorded.isEmpty { recorded[recorded.count - 1].device = PlainValues.text(text) }
    case "Time":
      guard sample != nil, let moment = PlainValues.time(text) else { return }
      sample?.time = moment.instant
    default: try figure(name, text)
    }
  }

  private func figure(_ name: XMLName, _ text: XMLText) throws(XMLRefusal) {
    switch name {
    case "LatitudeDegrees": latitude = try number(text)
    case "LongitudeDegrees": longitude = try number(text)
    case "AltitudeMeters": sample?.elevation = try number(text)
    case "Value": try addRate(text)
    case "Cadence", "RunCadence": sample?.cadence = try number(text)
    case "Watts": sample?.power = try number(text)
    case "DistanceMeters":
      let metres = try number(text)
      if sample != nil {
        sample?.distance = metres
      } else if !isInTrack, !recorded.isEmpty {
        recorded[recorded.count - 1].metres += metres ?? 0
        lap.add("distance_m", metres)
      }
    case "TotalTimeSeconds":
      guard !recorded.isEmpty else { return }
      lapSeconds = try number(text) ?? 0
      recorded[recorded.count - 1].seconds += lapSeconds
      lap.seconds = lapSeconds
    case "Calories":
      guard !recorded.isEmpty, let kilocalories = try number(text) else { return }
      recorded[recorded.count - 1].calories += kilocalories
      lap.add("energy_kcal", kilocalories)
    case "Intensity", "TriggerMethod":
      guard sample == nil, !text.isEmpty else { return }
      lap.add(name == "Intensity" ? "intensity" : "trigger", word: String(PlainValues.text(text).prefix(40)))
    default: break
    }
  }

  /// Of a point, or of a lap.
  private func addRate(_ text: XMLText) throws(XMLRefusal) {
    guard isInHeartRate, let rate = try number(text) else { return }
    if sample != nil {
      sample?.heartRate = rate
    } else if Plausible.heartRate.contains(rate), !recorded.isEmpty {
      let greatest = recorded[recorded.count - 1].greatestRate ?? 0
      lap.add(isInGreatestRate ? "heart_rate_max_bpm" : "heart_rate_avg_bpm", rate)
      if isInGreatestRate { recorded[recorded.count - 1].greatestRate = max(greatest, rate) } else { lapRate = rate }
    }
  }

  /// `nil` for an empty element, and where the text was not wanted.
  private func number(_ text: XMLText) throws(XMLRefusal) -> Double? {
    if text.allSatisfy({ $0 <= 0x20 }) { return nil }
    guard let number = PlainValues.number(text) else { throw XMLRefusal(message: "A value is no number") }
    return number
  }
}
