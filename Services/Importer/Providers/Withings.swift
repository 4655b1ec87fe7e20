import Identifiers
import ImporterDomain
import OAuth2
import ProviderDocuments
import WorkerPool

/// Withings' public API (https://developer.withings.com/api-reference): every answer has the HTTP status 200, and its own
/// status in the body.
package struct Withings: ProviderAdapter {
  package let id = "withings"
  package let name = "Withings"
  package let endpoints = ProviderEndpoints(
    authorization: "https://account.withings.com/oauth2_user/authorize2",
    token: "https://wbsapi.withings.net/v2/oauth2", revocation: nil, data: "https://wbsapi.withings.net")
  package let consentPage = "https://account.withings.com"
  package let streams = [
    DataStream("workouts", .activities, anyOf: ["user.activity"]),
    DataStream("activity", .steps, anyOf: ["user.activity"]),
    DataStream("sleep", .sleep, anyOf: ["user.activity"]),
    DataStream("weight", .weight, anyOf: ["user.metrics"]),
  ]

  package init() {}

  package var authorization: AuthorizationTerms {
    var terms = AuthorizationTerms()
    terms.scopeSeparator = ","
    terms.dialect = .withings
    terms.authentication = .post
    terms.usualLifetime = .seconds(10_800)
    return terms
  }

  package func request(for stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?) -> DataRequest {
    let (path, action): (String, String) =
      switch stream.name {
      case "workouts": ("/v2/measure", "getworkouts")
      case "activity": ("/v2/measure", "getactivity")
      case "sleep": ("/v2/sleep", "getsummary")
      default: ("/measure", "getmeas")
      }
    var request = DataRequest(.post, path, ["action": action])
    // What was changed since, also of days long ago; a first import is one of everything since then.
    request.fields.append(.init(name: "lastupdate", value: "\(window.since.wholeSeconds)"))
    if stream.kind == .weight {
      // Weight, and what scales measure beside it: fat-free mass, fat by share and mass, muscle, water and bone.
      request.fields.append(.init(name: "meastypes", value: "1,5,6,8,76,77,88"))
      request.fields.append(.init(name: "category", value: "1"))
    } else if stream.kind == .activities {
      request.fields.append(
        .init(name: "data_fields", value: "calories,distance,elevation,steps,hr_average,hr_min,hr_max,pause_duration"))
    } else if stream.kind == .steps {
      request.fields.append(
        .init(
          name: "data_fields",
          value: "steps,distance,elevation,soft,moderate,intense,active,calories,totalcalories,hr_average,hr_min,hr_max"
        ))
    } else if stream.kind == .sleep {
      request.fields.append(.init(name: "data_fields", value: "total_sleep_time,sleep_score,hr_average"))
    }
    if let cursor { request.fields.append(.init(name: "offset", value: cursor.text)) }
    return request
  }

  /// Its own status where authentication failed.
  private static let notAuthenticated: Set<Int64> = [100, 101, 102, 200, 401]

  package func saysTokenEnded(_ answer: DataAnswer) -> Bool {
    let status = answer.errorJSON?["status"]?.integer
    return answer.saysInvalidToken || status.map(Self.notAuthenticated.contains) ?? false
  }

  package func verdict(of answer: DataAnswer) -> AnswerVerdict? {
    answer.status == 200 ? nil : usualVerdict(of: answer)
  }

  package func verdict(ofBody answer: DataAnswer, on thread: borrowing PoolThread) -> AnswerVerdict {
    // An answer that is no JSON is refused where it is read as a page.
    guard let status = (try? answer.json(on: thread))?["status"]?.integer else { return .page }
    if Self.notAuthenticated.contains(status) { return .tokenRefused }
    switch status {
    case 0: return .page
    case 214, 277, 2_553...2_555: return .notGranted
    case 601: return .tooMany
    case 522, 524, 2_556, 3_017...3_021: return .failing
    default: return .unexpected
    }
  }

  package func page(
    of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?, _ answer: DataAnswer,
    on thread: borrowing PoolThread
  ) throws(PageFault) -> DataPage {
    guard let body = try answer.json(on: thread)["body"] else { throw .shape }
    var page = DataPage()
    switch stream.kind {
    case .activities: Self.read(body["series"], &page, \.activities, Self.activity)
    case .steps: Self.read(body["activities"], &page, \.steps, Self.steps)
    case .sleep: Self.read(body["series"], &page, \.sleeps, Self.sleep)
    case .weight: Self.read(body["measuregrps"], &page, \.weights, Self.weight)
    }
    let hasMore = body["more"] == .bool(true) || (body["more"]?.integer ?? 0) != 0
    if hasMore, let offset = body["offset"]?.integer, offset > 0 { page.next = PageCursor(number: offset) }
    return page
  }

  private static func read<Record>(
    _ list: JSONValue?, _ page: inout DataPage, _ records: WritableKeyPath<ImportedBatch, [Record]>,
    _ record: (JSONValue) -> Reading<Record>
  ) {
    for element in list?.list ?? [] {
      switch record(element) {
      case .record(let record): page.records[keyPath: records].append(record)
      case .broken: page.skipped += 1
      case .other: continue
      }
    }
  }

  package enum Reading<Record> {
    case record(Record)
    case broken
    /// Something that is not imported, such as a goal or a height.
    case other
  }

  package static func activity(_ value: JSONValue) -> Reading<ImportedActivity> {
    guard let id = value["id"]?.identifier,
      let start = ProviderTime.moment(unixSeconds: value["startdate"]?.double),
      let end = ProviderTime.moment(unixSeconds: value["enddate"]?.double), start <= end
    else { return .broken }
    let data = value["data"]
    let duration = (end - start) / .seconds(1)
    guard duration <= Limits.maxSeconds else { return .broken }
    let pause = Limits.seconds(data?["pause_duration"]) ?? 0
    return .record(
      ImportedActivity(
        provider: "withings", externalID: id, sport: sport(value["category"]?.integer), startedAt: start,
        timeZone: zone(value), durationSeconds: duration, movingSeconds: pause > 0 ? max(0, duration - pause) : nil,
        distanceMetres: Limits.metres(data?["distance"]) ?? Limits.metres(data?["manual_distance"]),
        energyKilocalories: Limits.energy(data?["calories"]) ?? Limits.energy(data?["manual_calories"]),
        heartRateAverage: Limits.heartRate(data?["hr_average"]), heartRateMaximum: Limits.heartRate(data?["hr_max"]),
        ascentMetres: Limits.metres(data?["elevation"]), elevationSource: data?["elevation"] == nil ? nil : .provider,
        raw: value.json))
  }

  package static func steps(_ value: JSONValue) -> Reading<ImportedSteps> {
    guard let day = value["date"]?.text.flatMap({ ProviderTime.day($0) }) else { return .broken }
    guard let steps = Limits.steps(value["steps"]) else { return value["steps"] == nil ? .other : .broken }
    return .record(ImportedSteps(provider: "withings", day: day, steps: steps, raw: value.json))
  }

  package static func sleep(_ value: JSONValue) -> Reading<ImportedSleep> {
    guard let start = ProviderTime.moment(unixSeconds: value["startdate"]?.double),
      let end = ProviderTime.moment(unixSeconds: value["enddate"]?.double), start < end
    else { return .broken }
    let data = value["data"]
    let stages = ["lightsleepduration", "deepsleepduration", "remsleepduration"]
      .compactMap { Limits.seconds(data?[$0]) }.reduce(0, +)
    let inBed = (end - start) / .seconds(1)
    let asleep = Limits.seconds(data?["total_sleep_time"]) ?? (stages > 0 ? stages : inBed)
    return .record(
      ImportedSleep(
        provider: "withings", externalID: value["id"]?.identifier ?? "\(start.wholeSeconds)", startedAt: start,
        endedAt: end, timeZone: zone(value), asleepSeconds: min(asleep, inBed), raw: value.json))
  }

  package static func weight(_ value: JSONValue) -> Reading<ImportedWeight> {
    // Category 2 is a goal; attributes 1 and 4 are of scales whose user may be another one.
    guard value["category"]?.integer != 2 else { return .other }
    guard let measures = value["measures"]?.list,
      let measure = measures.first(where: { $0["type"]?.integer == 1 })
    else { return .other }
    guard let time = ProviderTime.moment(unixSeconds: value["date"]?.double),
      let number = measure["value"]?.double, let unit = measure["unit"]?.integer, (-12...3).contains(unit),
      let kilograms = Limits.kilograms(number * power(of: unit))
    else { return .broken }
    return .record(ImportedWeight(provider: "withings", measuredAt: time, kilograms: kilograms, raw: value.json))
  }

  private static func power(of exponent: Int64) -> Double {
    let factor = (0..<abs(exponent)).reduce(1.0) { product, _ in product * 10 }
    return exponent < 0 ? 1 / factor : factor
  }

  private static func zone(_ value: JSONValue) -> String {
    guard let zone = value["timezone"]?.text, zone.utf8.count <= 64, !zone.isEmpty else { return "UTC" }
    return zone
  }

  private static func sport(_ category: Int64?) -> Sport {
    switch category {
    case 1: .walk
    case 2, 307: .run
    case 3: .hike
    case 6, 308: .ride
    case 7: .swim
    case 16, 46, 188: .strength
    case 28: .yoga
    case 34, 35: .ski
    case 36: .row
    default: .other
    }
  }

  package func subject(in document: [UInt8]) -> String? {
    // It is left out where it cannot be read: webhooks find the user by it, imports do not need it.
    JSONValue(short: document)?["body"]?["userid"]?.identifier
  }

  package var webhook: (any ProviderWebhook)? { WithingsWebhook() }
}

/// Withings does not sign: the secret is `token` of the callback's URL.
struct WithingsWebhook: ProviderWebhook {
  func read(_ call: WebhookCall, secret: String) throws(WebhookRefusal) -> WebhookNotice {
    guard WebhookCall.isSecret(call.query["token"], secret) else { throw .untrusted }
    // The check of the URL, when the subscription is made.
    if call.method != "POST" { return .challenge(WebhookReply()) }
    let form = call.form
    guard let user = form["userid"], (1...200).contains(user.utf8.count) else {
      if form.isEmpty { return .challenge(WebhookReply()) }
      throw .malformed
    }
    if form["action"] == "unlink" || form["action"] == "delete" { return .revocation(subject: user, at: nil) }
    return .change(subject: user, at: nil)
  }
}
