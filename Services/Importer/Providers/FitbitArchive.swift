import Identifiers
import ImporterDomain

/// The shapes of the Fitbit Web API, which was retired in autumn 2026: archives are full of them.
///
/// Times of sleep and weights are local and without a zone, so the caller says where the user was.
package struct FitbitArchive: Sendable {
  /// Seconds east of UTC that local times are taken for.
  private let offsetSeconds: Int64

  package init(offsetSeconds: Int64) { self.offsetSeconds = offsetSeconds }

  /// The records of a document: lists of activities, sleep, weights and time series of steps.
  ///
  /// - Returns: nothing for documents of other kinds.
  package func page(_ bytes: [UInt8]) throws(PageFault) -> DataPage {
    let value: JSONValue
    do { value = try JSONValue(bytes) } catch { throw .unreadable(error) }
    var page = DataPage()
    for element in value["activities"]?.list ?? [] {
      if let record = activity(element) { page.records.activities.append(record) } else { page.skipped += 1 }
    }
    for element in value["sleep"]?.list ?? [] {
      if let record = sleep(element) { page.records.sleeps.append(record) } else { page.skipped += 1 }
    }
    for element in value["weight"]?.list ?? [] {
      if let record = weight(element) { page.records.weights.append(record) } else { page.skipped += 1 }
    }
    for element in value["activities-steps"]?.list ?? [] {
      if let record = steps(element) { page.records.steps.append(record) } else { page.skipped += 1 }
    }
    return page
  }

  private func activity(_ value: JSONValue) -> ImportedActivity? {
    guard let id = value["logId"]?.identifier, let start = start(of: value),
      let milliseconds = value["duration"]?.double, (0...Limits.longestSeconds).contains(milliseconds / 1_000)
    else { return nil }
    let moving = value["activeDuration"]?.double.flatMap { Limits.seconds(.number($0 / 1_000)) }
    return ImportedActivity(
      provider: "fitbit", externalID: id,
      sport: Sport(
        named: value["activityName"]?.text ?? value["activityParentName"]?.text ?? value["name"]?.text ?? ""),
      startedAt: start.moment(assuming: offsetSeconds),
      timeZone: ProviderTime.zone(offsetSeconds: start.offsetSeconds ?? offsetSeconds),
      durationSeconds: milliseconds / 1_000, movingSeconds: moving, distanceMetres: metres(value),
      energyKilocalories: Limits.energy(value["calories"]),
      heartRateAverage: Limits.heartRate(value["averageHeartRate"]),
      ascentMetres: Limits.metres(value["elevationGain"]),
      elevationSource: value["elevationGain"] == nil ? nil : .provider,
      title: Limits.title(value["activityName"] ?? value["name"]), device: Limits.title(value["source"]?["name"]),
      raw: value.json)
  }

  /// `startTime` with a date in it, or beside `startDate`.
  private func start(of value: JSONValue) -> ProviderTime? {
    let time = value["startTime"]?.text ?? ""
    if let whole = ProviderTime(time), time.utf8.count > 10 { return whole }
    guard let day = (value["startDate"] ?? value["originalStartTime"])?.text else { return nil }
    return ProviderTime("\(day.prefix(10))T\(time.isEmpty ? "00:00" : time)")
  }

  private func metres(_ value: JSONValue) -> Double? {
    guard let distance = value["distance"]?.double else { return nil }
    let factor: Double
    switch value["distanceUnit"]?.text?.lowercased() {
    case "mile", "miles": factor = 1_609.344
    case "meter", "meters", "metre", "metres": factor = 1
    default: factor = 1_000
    }
    return Limits.metres(.number(distance * factor))
  }

  private func sleep(_ value: JSONValue) -> ImportedSleep? {
    guard let id = value["logId"]?.identifier, let start = value["startTime"]?.text.flatMap({ ProviderTime($0) }),
      let milliseconds = value["duration"]?.double, milliseconds > 0, milliseconds / 1_000 <= Limits.longestSeconds
    else { return nil }
    let began = start.moment(assuming: offsetSeconds)
    let asleep = Limits.seconds(value["minutesAsleep"]).map { $0 * 60 } ?? milliseconds / 1_000
    return ImportedSleep(
      provider: "fitbit", externalID: id, startedAt: began, endedAt: began + .milliseconds(Int64(milliseconds)),
      timeZone: ProviderTime.zone(offsetSeconds: start.offsetSeconds ?? offsetSeconds),
      asleepSeconds: min(asleep, milliseconds / 1_000), raw: value.json)
  }

  private func weight(_ value: JSONValue) -> ImportedWeight? {
    guard let day = value["date"]?.text, let time = ProviderTime("\(day)T\(value["time"]?.text ?? "00:00:00")"),
      let kilograms = Limits.kilograms(value["weight"]?.double)
    else { return nil }
    return ImportedWeight(
      provider: "fitbit", measuredAt: time.moment(assuming: offsetSeconds), kilograms: kilograms)
  }

  private func steps(_ value: JSONValue) -> ImportedSteps? {
    guard let day = value["dateTime"]?.text.flatMap({ ProviderTime.day($0) }), let steps = Limits.steps(value["value"])
    else { return nil }
    return ImportedSteps(provider: "fitbit", day: day, steps: steps)
  }
}
