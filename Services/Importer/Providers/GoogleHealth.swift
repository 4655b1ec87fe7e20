import Identifiers
import ImporterDomain
import OAuth2
import ProviderDocuments
import WorkerPool

/// Fitbit and Pixel trackers through the Google Health API v4 (https://developers.google.com/health/reference/rest), which
/// replaced the Fitbit Web API.
package struct GoogleHealth: ProviderAdapter {
  package let id = "fitbit"
  package let name = "Fitbit"
  package let endpoints = ProviderEndpoints(
    authorization: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token",
    revocation: "https://oauth2.googleapis.com/revoke", data: "https://health.googleapis.com")
  package let consentPage = "https://myaccount.google.com/connections"
  package let streams = [
    DataStream("exercise", .activities, anyOf: [Self.scope("activity_and_fitness")]),
    DataStream("steps", .steps, anyOf: [Self.scope("activity_and_fitness")]),
    DataStream("sleep", .sleep, anyOf: [Self.scope("sleep")]),
    DataStream("weight", .weight, anyOf: [Self.scope("health_metrics_and_measurements")]),
    // Behind the weighings, to which it belongs.
    DataStream("body-fat", .weight, anyOf: [Self.scope("health_metrics_and_measurements")]),
  ]

  /// The most that the provider returns of exercises and sleep.
  private static let sessionsPerPage = 25
  private static let weightsPerPage = 500
  /// The longest range that the provider adds up at once.
  private static let daysPerPage = 90

  package init() {}

  private static func scope(_ name: String) -> String {
    "https://www.googleapis.com/auth/googlehealth.\(name).readonly"
  }

  package var authorization: AuthorizationTerms {
    var terms = AuthorizationTerms()
    terms.authentication = .post
    // Google issues a refresh token only so, and a second one only with a new consent.
    terms.additions = ["access_type": "offline", "prompt": "consent"]
    return terms
  }

  package var introduction: DataRequest? { DataRequest(.get, "/v4/users/me/identity") }

  package let wordsOfMissingConsent = ["access_token_scope_insufficient", "insufficientpermissions"]

  package func saysTokenEnded(_ answer: DataAnswer) -> Bool {
    // The header field by RFC 6750; else reasons of google.rpc.ErrorInfo, and of the errors before it.
    answer.saysInvalidToken || answer.says(["access_token_expired", "autherror"])
  }

  package func request(for stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?) -> DataRequest {
    if stream.kind == .steps { return Self.steps(window, cursor) }
    let (since, until) = (Self.text(window.since), Self.text(window.until))
    let (filter, size): (String, Int) =
      switch stream.kind {
      case .activities:
        (
          "exercise.interval.civil_start_time >= \"\(since.prefix(19))\" AND exercise.interval.civil_start_time < \"\(Self.text(window.until + .seconds(86_400)).prefix(19))\"",
          Self.sessionsPerPage
        )
      case .sleep:
        ("sleep.interval.end_time >= \"\(since)\" AND sleep.interval.end_time < \"\(until)\"", Self.sessionsPerPage)
      default:
        (
          Self.sampled(stream.name == Self.bodyFat ? "body_fat" : "weight", since: since, until: until),
          Self.weightsPerPage
        )
      }
    var request = DataRequest(
      .get, "/v4/users/me/dataTypes/\(stream.name)/dataPoints", ["pageSize": "\(size)", "filter": filter])
    if let cursor { request.fields.append(.init(name: "pageToken", value: cursor.text)) }
    return request
  }

  private static let bodyFat = "body-fat"

  /// The filter of a type of samples.
  private static func sampled(_ type: String, since: String, until: String) -> String {
    let time = "\(type).sample_time.physical_time"
    return "\(time) >= \"\(since)\" AND \(time) < \"\(until)\""
  }

  /// Whole seconds: `2026-01-31T08:00:00Z`.
  private static func text(_ moment: Instant) -> String { moment.description.prefix(19) + "Z" }

  private static func day(_ moment: Instant) -> Int { Int(moment.wholeSeconds / 86_400) }

  /// The first day of the range that a cursor is in.
  private static func firstDay(_ window: SyncWindow, _ cursor: PageCursor?) -> Int {
    cursor.flatMap { Int($0.text) } ?? day(window.since)
  }

  private static func steps(_ window: SyncWindow, _ cursor: PageCursor?) -> DataRequest {
    let first = firstDay(window, cursor)
    let end = min(first + daysPerPage, day(window.until) + 2)
    let date = { (day: Int) -> JSONValue in
      let date = CivilDate(daysSince1970: day)
      return .members([
        "date": .members([
          "year": .integer(Int64(date.year)), "month": .integer(Int64(date.month)), "day": .integer(Int64(date.day)),
        ])
      ])
    }
    let body = JSONValue.members([
      "range": .members(["start": date(first), "end": date(end)]), "windowSizeDays": .integer(1),
    ])
    return DataRequest(.post, "/v4/users/me/dataTypes/steps/dataPoints:dailyRollUp", json: body.json)
  }

  package func page(
    of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?, _ answer: DataAnswer,
    on thread: borrowing PoolThread
  ) throws(PageFault) -> DataPage {
    let value = try answer.json(on: thread)
    guard case .members = value else { throw .shape }
    var page = DataPage()
    if stream.kind == .steps {
      for point in value["rollupDataPoints"]?.list ?? [] {
        // A day without steps has no member for them.
        guard point["steps"] != nil else { continue }
        if let steps = Self.steps(point) { page.records.steps.append(steps) } else { page.skipped += 1 }
      }
      let next = Self.firstDay(window, cursor) + Self.daysPerPage
      if next <= Self.day(window.until) { page.next = PageCursor(number: Int64(next)) }
      return page
    }
    for point in value["dataPoints"]?.list ?? [] {
      switch stream.kind {
      case .activities:
        if let record = Self.activity(point) { page.records.activities.append(record) } else { page.skipped += 1 }
      case .sleep:
        if let record = Self.sleep(point) { page.records.sleeps.append(record) } else { page.skipped += 1 }
      case _ where stream.name == Self.bodyFat:
        if let record = Self.composition(point) { page.records.compositions.append(record) } else { page.skipped += 1 }
      default:
        if let record = Self.weight(point) { page.records.weights.append(record) } else { page.skipped += 1 }
      }
    }
    if let text = value["nextPageToken"]?.text, !text.isEmpty {
      // A token that cannot be stored is not the end: what comes after it would be missing silently.
      guard let next = PageCursor(text) else { throw .shape }
      page.next = next
    }
    return page
  }

  private static func steps(_ point: JSONValue) -> ImportedSteps? {
    guard let date = point["civilStartTime"]?["date"], let year = date["year"]?.integer,
      let month = date["month"]?.integer, let day = date["day"]?.integer, (1...9_999).contains(year),
      (1...12).contains(month), (1...31).contains(day),
      let civil = CivilDate(year: Int(year), month: Int(month), day: Int(day)),
      let steps = Limits.steps(point["steps"]?["countSum"])
    else { return nil }
    return ImportedSteps(provider: "fitbit", day: civil, steps: steps, raw: point.json)
  }

  private struct Interval {
    let start: Instant
    let end: Instant
    let zone: String
    var seconds: Double { (end - start) / .seconds(1) }

    init?(_ value: JSONValue?) {
      guard let start = value?["startTime"]?.text.flatMap({ ProviderTime($0)?.moment() }),
        let end = value?["endTime"]?.text.flatMap({ ProviderTime($0)?.moment() }), start <= end,
        (end - start) / .seconds(1) <= Limits.maxSeconds
      else { return nil }
      let offset = value?["startUtcOffset"]?.text.flatMap { ProviderTime.duration($0) } ?? 0
      (self.start, self.end) = (start, end)
      zone = ProviderTime.zone(offsetSeconds: Int64(max(-86_400, min(86_400, offset))))
    }
  }

  /// The last part of `users/me/dataTypes/exercise/dataPoints/ID`, else the start.
  private static func id(_ point: JSONValue, _ interval: Interval) -> String {
    let id = point["name"]?.text?.split(separator: "/").last.map { String($0) } ?? ""
    return (1...200).contains(id.utf8.count) && !id.utf8.contains(0) ? id : "\(interval.start.wholeSeconds)"
  }

  private static func activity(_ point: JSONValue) -> ImportedActivity? {
    guard let exercise = point["exercise"], let interval = Interval(exercise["interval"]) else { return nil }
    let metrics = exercise["metricsSummary"]
    let millimetres = { (name: String) in
      metrics?[name]?.double.flatMap { Limits.metres(.number($0 / 1_000)) }
    }
    return ImportedActivity(
      provider: "fitbit", externalID: id(point, interval), sport: Sport(named: exercise["exerciseType"]?.text ?? ""),
      startedAt: interval.start, timeZone: interval.zone, durationSeconds: interval.seconds,
      movingSeconds: exercise["activeDuration"]?.text.flatMap { ProviderTime.duration($0) }
        .flatMap { Limits.seconds(.number($0)) },
      distanceMetres: millimetres("distanceMillimeters"), energyKilocalories: Limits.energy(metrics?["caloriesKcal"]),
      heartRateAverage: Limits.heartRate(metrics?["averageHeartRateBeatsPerMinute"]),
      ascentMetres: millimetres("elevationGainMillimeters"),
      elevationSource: metrics?["elevationGainMillimeters"] == nil ? nil : .provider,
      title: Limits.title(exercise["displayName"]),
      device: Limits.title(point["dataSource"]?["device"]?["displayName"]), raw: point.json)
  }

  private static func sleep(_ point: JSONValue) -> ImportedSleep? {
    guard let sleep = point["sleep"], let interval = Interval(sleep["interval"]), interval.seconds > 0 else {
      return nil
    }
    let asleep = sleep["summary"]?["minutesAsleep"]?.double.map { $0 * 60 }
    return ImportedSleep(
      provider: "fitbit", externalID: id(point, interval), startedAt: interval.start, endedAt: interval.end,
      timeZone: interval.zone, asleepSeconds: min(max(asleep ?? interval.seconds, 0), interval.seconds),
      raw: point.json)
  }

  private static func weight(_ point: JSONValue) -> ImportedWeight? {
    guard let weight = point["weight"],
      let time = weight["sampleTime"]?["physicalTime"]?.text.flatMap({ ProviderTime($0)?.moment() }),
      let kilograms = Limits.kilograms(weight["weightGrams"]?.double.map { $0 / 1_000 })
    else { return nil }
    return ImportedWeight(provider: "fitbit", measuredAt: time, kilograms: kilograms, raw: point.json)
  }

  /// What a scale says of the body's fat, kept beside its weighing.
  private static func composition(_ point: JSONValue) -> ImportedComposition? {
    guard let fat = point["bodyFat"],
      let time = fat["sampleTime"]?["physicalTime"]?.text.flatMap({ ProviderTime($0)?.moment() }),
      let share = fat["percentage"]?.double, (0...100).contains(share)
    else { return nil }
    return ImportedComposition(provider: "fitbit", measuredAt: time, raw: point.json)
  }

  package func subject(in document: [UInt8]) -> String? {
    // It is left out where it cannot be read: webhooks find the user by it, imports do not need it.
    JSONValue(short: document)?["healthUserId"]?.identifier
  }

  package func revocation(of tokens: RevokedTokens, at endpoints: ProviderEndpoints) -> DataRequest? {
    // Either token revokes both.
    endpoints.revocation.map { DataRequest(.post, $0, ["token": tokens.refresh ?? tokens.access], with: .none) }
  }

  package var webhook: (any ProviderWebhook)? { GoogleHealthWebhook() }
}

/// Google sends the secret that was agreed on as `authorization`, and checks that calls without it are refused.
struct GoogleHealthWebhook: ProviderWebhook {
  func read(_ call: WebhookCall, secret: String) throws(WebhookRefusal) -> WebhookNotice {
    guard WebhookCall.isSecret(call.headers["authorization"], secret) else { throw .untrusted }
    let event = try call.json()
    if event["type"]?.text == "verification" { return .challenge(WebhookReply()) }
    guard let data = event["data"], let user = data["healthUserId"]?.identifier else { throw .malformed }
    return data["operation"]?.text == "DELETE" ? .nothing : .change(subject: user, at: nil)
  }
}
