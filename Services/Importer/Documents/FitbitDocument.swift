import Identifiers
import ImporterDomain

/// The records of Fitbit's archives, and of the Web API that was retired in autumn 2026: both have the same names for the same things.
///
/// Times are mostly local and without a zone.
package enum FitbitDocument {
  /// What a list of a document contains.
  package enum List: Sendable {
    /// `exercise-*.json`, and `activities` of the Web API.
    case activities
    /// `sleep-*.json`, and `sleep` of the Web API.
    case sleep
    /// `weight` of the Web API. Those of archives are in the unit of the user's account, which the document does not name.
    case weight
    /// `steps-*.json`, by the minute, and `activities-steps` of the Web API, by the day.
    case steps
  }

  /// The provider of all of its records.
  package static let provider = "fitbit"

  /// Reads a record.
  ///
  /// - Parameter zone: of moments that are told in UTC.
  package static func add(
    _ value: JSONValue, of list: List, zone: String, to records: inout DocumentRecords
  ) throws(RecordRefusal) {
    switch list {
    case .activities: try addActivity(value, zone, &records)
    case .sleep: try addSleep(value, zone, &records)
    case .weight: try addWeight(value, &records)
    case .steps: try addSteps(value, &records)
    }
  }

  private static func addActivity(
    _ value: JSONValue, _ zone: String, _ records: inout DocumentRecords
  ) throws(RecordRefusal) {
    guard let id = value["logId"]?.identifier else { throw RecordRefusal("It has no logId") }
    guard let start = start(of: value) else { throw RecordRefusal("Its start is no time") }
    guard let milliseconds = value["duration"]?.double, (0...Limits.maxSeconds).contains(milliseconds / 1_000)
    else {
      throw RecordRefusal("Its duration is no length of time")
    }
    let moving = value["activeDuration"]?.double.flatMap { Limits.seconds(.number($0 / 1_000)) }
    records.add(
      ImportedActivity(
        provider: provider, externalID: id,
        sport: Sport(
          named: value["activityName"]?.text ?? value["activityParentName"]?.text ?? value["name"]?.text ?? ""),
        startedAt: start.moment(), timeZone: start.zone(orUTC: zone), durationSeconds: milliseconds / 1_000,
        movingSeconds: moving, distanceMetres: metres(value), energyKilocalories: Limits.energy(value["calories"]),
        heartRateAverage: Limits.heartRate(value["averageHeartRate"]),
        ascentMetres: Limits.metres(value["elevationGain"]),
        elevationSource: value["elevationGain"] == nil ? nil : .provider,
        title: Limits.title(value["activityName"] ?? value["name"]), device: Limits.title(value["source"]?["name"]),
        raw: value.json), isLocal: start.offsetSeconds == nil)
  }

  /// `startTime` with a date in it, or beside `startDate`.
  private static func start(of value: JSONValue) -> ProviderTime? {
    let time = value["startTime"]?.text ?? ""
    if let whole = ProviderTime(time), time.utf8.count > 10 { return whole }
    guard let day = (value["startDate"] ?? value["originalStartTime"])?.text else { return nil }
    return ProviderTime("\(day.prefix(10))T\(time.isEmpty ? "00:00" : time)")
  }

  private static func metres(_ value: JSONValue) -> Double? {
    guard let distance = value["distance"]?.double else { return nil }
    let factor: Double
    switch value["distanceUnit"]?.text?.lowercased() {
    case "mile", "miles": factor = 1_609.344
    case "meter", "meters", "metre", "metres": factor = 1
    default: factor = 1_000
    }
    return Limits.metres(.number(distance * factor))
  }

  private static func addSleep(
    _ value: JSONValue, _ zone: String, _ records: inout DocumentRecords
  ) throws(RecordRefusal) {
    guard let id = value["logId"]?.identifier else { throw RecordRefusal("It has no logId") }
    guard let start = value["startTime"]?.text.flatMap({ ProviderTime($0) }) else {
      throw RecordRefusal("Its start is no time")
    }
    guard let milliseconds = value["duration"]?.double, milliseconds > 0, milliseconds / 1_000 <= Limits.maxSeconds
    else { throw RecordRefusal("Its duration is no length of time") }
    let began = start.moment()
    let asleep = Limits.seconds(value["minutesAsleep"]).map { $0 * 60 } ?? milliseconds / 1_000
    records.add(
      ImportedSleep(
        provider: provider, externalID: id, startedAt: began, endedAt: began + .milliseconds(Int64(milliseconds)),
        timeZone: start.zone(orUTC: zone), asleepSeconds: min(asleep, milliseconds / 1_000), raw: value.json),
      isLocal: start.offsetSeconds == nil)
  }

  private static func addWeight(_ value: JSONValue, _ records: inout DocumentRecords) throws(RecordRefusal) {
    guard let day = value["date"]?.text, let time = ProviderTime("\(day)T\(value["time"]?.text ?? "00:00:00")") else {
      throw RecordRefusal("Its date and time are no time")
    }
    guard let kilograms = Limits.kilograms(value["weight"]?.double) else {
      throw RecordRefusal("Its weight is no weight")
    }
    records.add(
      ImportedWeight(provider: provider, measuredAt: time.moment(), kilograms: kilograms, raw: value.json),
      isLocal: time.offsetSeconds == nil)
  }

  private static func addSteps(_ value: JSONValue, _ records: inout DocumentRecords) throws(RecordRefusal) {
    guard let text = value["dateTime"]?.text, let day = ProviderTime.day(text) else {
      throw RecordRefusal("Its dateTime is no day")
    }
    guard let steps = Limits.steps(value["value"]) else { throw RecordRefusal("Its value is no number of steps") }
    if text.utf8.count > 10 { records.add(steps: steps, on: day) } else { records.set(steps: steps, on: day) }
  }
}

extension ProviderTime {
  /// The offset, `other` for a moment that is told in UTC, and nothing for a local time.
  func zone(orUTC other: String) -> String {
    guard let offsetSeconds else { return "" }
    return offsetSeconds == 0 ? other : Self.zone(offsetSeconds: offsetSeconds)
  }
}
