import Identifiers
import ImporterDomain

/// A session of Google Fit, as each is a document of its own in the archives of Google: an activity or a sleep.
package enum GoogleFitSession {
  private static let provider = "google-fit"

  /// Reads a session.
  ///
  /// - Parameter zone: of moments that are told in UTC.
  package static func add(
    _ value: JSONValue, zone: String, to records: inout DocumentRecords
  ) throws(RecordRefusal) {
    guard let word = value["fitnessActivity"]?.text, !word.isEmpty else {
      throw RecordRefusal("It has no fitnessActivity")
    }
    guard let start = value["startTime"]?.text.flatMap({ ProviderTime($0) }) else {
      throw RecordRefusal("Its startTime is no time")
    }
    guard let seconds = seconds(value, from: start), (0...Limits.maxSeconds).contains(seconds) else {
      throw RecordRefusal("Its endTime and duration are no length of time")
    }
    let began = start.moment()
    // The document has no id.
    let id = "\(word.prefix(100)) \(began.wholeMilliseconds)"
    if word.lowercased().hasPrefix("sleep") {
      guard seconds > 0 else { throw RecordRefusal("Its endTime and duration are no length of time") }
      records.add(
        ImportedSleep(
          provider: provider, externalID: id, startedAt: began, endedAt: began + .seconds(seconds),
          timeZone: start.zone(orUTC: zone), asleepSeconds: min(asleep(value["segment"]) ?? seconds, seconds),
          raw: value.json), isLocal: start.offsetSeconds == nil)
      return
    }
    records.add(
      ImportedActivity(
        provider: provider, externalID: id, sport: Sport(named: word), startedAt: began,
        timeZone: start.zone(orUTC: zone), durationSeconds: seconds,
        movingSeconds: value["duration"]?.text.flatMap { ProviderTime.duration($0) }
          .flatMap { Limits.seconds(.number(min($0, seconds))) },
        distanceMetres: Limits.metres(sum("distance.delta", of: value)),
        energyKilocalories: Limits.energy(sum("calories.expended", of: value)),
        heartRateAverage: Limits.heartRate(sum("heart_rate.summary", of: value)), title: Limits.title(value["name"]),
        raw: value.json), isLocal: start.offsetSeconds == nil)
  }

  /// From the start to the end, or as long as it says that it took.
  private static func seconds(_ value: JSONValue, from start: ProviderTime) -> Double? {
    if let end = value["endTime"]?.text.flatMap({ ProviderTime($0) }),
      (end.offsetSeconds == nil) == (start.offsetSeconds == nil)
    {
      return (end.moment() - start.moment()) / .seconds(1)
    }
    return value["duration"]?.text.flatMap { ProviderTime.duration($0) }
  }

  /// What the session measured as a whole.
  private static func sum(_ metric: String, of value: JSONValue) -> JSONValue? {
    let found = value["aggregate"]?.list?.first { $0["metricName"]?.text == "com.google.\(metric)" }
    return found?["floatValue"] ?? found?["intValue"]
  }

  /// Time in the stages of a night that are sleep; `nil` without stages.
  private static func asleep(_ segments: JSONValue?) -> Double? {
    let stages = (segments?.list ?? []).compactMap { segment -> (name: String, seconds: Double)? in
      guard let name = segment["fitnessActivity"]?.text, name.hasPrefix("sleep."),
        let start = segment["startTime"]?.text.flatMap({ ProviderTime($0)?.moment() }),
        let end = segment["endTime"]?.text.flatMap({ ProviderTime($0)?.moment() }), start <= end
      else { return nil }
      return (name, (end - start) / .seconds(1))
    }
    guard !stages.isEmpty else { return nil }
    return stages.filter { !["sleep.awake", "sleep.out_of_bed"].contains($0.name) }.reduce(0) { $0 + $1.seconds }
  }
}
