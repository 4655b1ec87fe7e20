import Cryptography
import Geography
import Identifiers
import ImporterDomain
import OAuth2
import ProviderDocuments
import WorkerPool
import Base64

/// Polar's AccessLink API v3 (https://www.polar.com/accesslink-api): the last 30 days, in one page each.
package struct Polar: ProviderAdapter {
  package let id = "polar"
  package let name = "Polar"
  package let endpoints = ProviderEndpoints(
    authorization: "https://flow.polar.com/oauth2/authorization", token: "https://polarremote.com/v2/oauth2/token",
    revocation: "https://www.polaraccesslink.com/v3/users", data: "https://www.polaraccesslink.com")
  package let consentPage = "https://account.polar.com"
  package let streams = [
    DataStream("exercises", .activities, anyOf: [Self.scope]), DataStream("activities", .steps, anyOf: [Self.scope]),
    DataStream("sleep", .sleep, anyOf: [Self.scope]),
  ]
  /// The only one: users allow all or nothing.
  private static let scope = "accesslink.read_all"

  package init() {}

  package var authorization: AuthorizationTerms {
    var terms = AuthorizationTerms()
    // Tokens of Polar work until they are revoked, and there are none to refresh them with.
    terms.usualLifetime = .seconds(365 * 86_400)
    return terms
  }

  /// Without being registered, a user has no data; registering again is answered with 409.
  package var introduction: DataRequest? {
    DataRequest(.post, "/v3/users", json: #"{"member-id":"tandem"}"#)
  }

  package func request(for stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?) -> DataRequest {
    switch stream.kind {
    case .activities: DataRequest(.get, "/v3/exercises", ["samples": "true", "route": "true"])
    case .steps: DataRequest(.get, "/v3/users/activities")
    default: DataRequest(.get, "/v3/users/sleep")
    }
  }

  package let wordsOfMissingConsent = ["mandatory consent"]

  package func verdict(of answer: DataAnswer) -> AnswerVerdict? {
    // Nothing there yet.
    answer.status == 204 ? .page : usualVerdict(of: answer)
  }

  package func page(
    of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?, _ answer: DataAnswer,
    on thread: borrowing PoolThread
  ) throws(PageFault) -> DataPage {
    var page = DataPage()
    if answer.status == 204 { return page }
    // Of two releases of the interface, one writes `start-time` and the other `start_time`.
    let value = try answer.json(on: thread).withUnderscores
    guard let elements = value.list ?? value["nights"]?.list ?? value["exercises"]?.list ?? value["activities"]?.list
    else { throw .shape }
    for element in elements {
      switch stream.kind {
      case .activities:
        if let record = Self.activity(element) { page.records.activities.append(record) } else { page.skipped += 1 }
      case .steps:
        if let record = Self.steps(element) { page.records.steps.append(record) } else { page.skipped += 1 }
      default:
        if let record = Self.sleep(element) { page.records.sleeps.append(record) } else { page.skipped += 1 }
      }
    }
    return page
  }

  private static func activity(_ value: JSONValue) -> ImportedActivity? {
    guard let id = value["id"]?.identifier, let start = value["start_time"]?.text.flatMap({ ProviderTime($0) }),
      let duration = value["duration"]?.text.flatMap({ ProviderTime.duration($0) }),
      (0...Limits.maxSeconds).contains(duration)
    else { return nil }
    // In minutes; the start is the watch's own time.
    let offset = min(max(value["start_time_utc_offset"]?.integer ?? 0, -1_080), 1_080) * 60
    var raw = value
    if case .members(var members) = value {
      (members["route"], members["samples"]) = (nil, nil)
      raw = .members(members)
    }
    let sport = value["detailed_sport_info"]?.text ?? value["sport"]?.text ?? ""
    return ImportedActivity(
      provider: "polar", externalID: id, sport: Sport(named: sport), startedAt: start.moment(assuming: offset),
      timeZone: ProviderTime.zone(offsetSeconds: offset), durationSeconds: duration,
      distanceMetres: Limits.metres(value["distance"]), energyKilocalories: Limits.energy(value["calories"]),
      heartRateAverage: Limits.heartRate(value["heart_rate"]?["average"]),
      heartRateMaximum: Limits.heartRate(value["heart_rate"]?["maximum"]), device: Limits.title(value["device"]),
      track: track(value["route"], samples: samples(value["samples"])), raw: raw.json)
  }

  /// Positions with the samples of the same second; samples alone where there are no positions.
  private static func track(_ route: JSONValue?, samples: [TrackPoint]) -> Track? {
    let points = (route?.list ?? []).prefix(Limits.maxPoints).compactMap { point -> TrackPoint? in
      guard let latitude = point["latitude"]?.double, let longitude = point["longitude"]?.double,
        let elapsed = point["time"]?.text.flatMap({ ProviderTime.duration($0) }),
        (0...Limits.maxSeconds).contains(elapsed)
      else { return nil }
      var made = Int(elapsed) < samples.count ? samples[Int(elapsed)] : TrackPoint(elapsedSeconds: elapsed)
      made.elapsedSeconds = elapsed
      made.position = GeoPoint(latitude: latitude, longitude: longitude)
      return made
    }
    let track = points.isEmpty ? samples.filter { !$0.isEmpty } : points
    return track.isEmpty ? nil : Track(points: track)
  }

  /// A point for each second, from lists of values at equal times; the types of the lists are numbers.
  private static func samples(_ value: JSONValue?) -> [TrackPoint] {
    var points: [TrackPoint] = []
    for list in value?.list ?? [] {
      guard let type = list["sample_type"]?.integer, let data = list["data"]?.text else { continue }
      let rate = Int(min(max(list["recording_rate"]?.integer ?? 1, 1), 3_600))
      for (place, word) in data.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
        let second = place * rate
        guard second < Limits.maxPoints else { break }
        guard let number = Double(word), number.isFinite else { continue }
        while points.count <= second { points.append(TrackPoint(elapsedSeconds: Double(points.count))) }
        add(number, of: type, to: &points[second])
      }
    }
    return points
  }

  private static func add(_ number: Double, of type: Int64, to point: inout TrackPoint) {
    switch type {
    case 0: if (20...300).contains(number) { point.heartRate = number }
    case 2: point.cadence = number
    case 3: point.elevationMetres = number
    case 4: point.powerWatts = number
    case 10: point.distanceMetres = number
    default: break
    }
  }

  private static func steps(_ value: JSONValue) -> ImportedSteps? {
    guard let day = (value["date"] ?? value["start_time"])?.text.flatMap({ ProviderTime.day($0) }),
      let steps = Limits.steps(value["steps"] ?? value["active_steps"])
    else { return nil }
    return ImportedSteps(provider: "polar", day: day, steps: steps, raw: value.json)
  }

  private static func sleep(_ value: JSONValue) -> ImportedSleep? {
    guard let start = value["sleep_start_time"]?.text.flatMap({ ProviderTime($0) }),
      let end = value["sleep_end_time"]?.text.flatMap({ ProviderTime($0) }), start.moment() < end.moment()
    else { return nil }
    let inBed = (end.moment() - start.moment()) / .seconds(1)
    let stages = ["light_sleep", "deep_sleep", "rem_sleep"].compactMap { Limits.seconds(value[$0]) }.reduce(0, +)
    return ImportedSleep(
      provider: "polar", externalID: value["date"]?.text ?? "\(start.moment().wholeSeconds)",
      startedAt: start.moment(), endedAt: end.moment(),
      timeZone: ProviderTime.zone(offsetSeconds: start.offsetSeconds ?? 0),
      asleepSeconds: stages > 0 ? min(stages, inBed) : inBed, raw: value.json)
  }

  /// `RateLimit-Limit: 500,1000`, `RateLimit-Usage: 20,300`, `RateLimit-Reset: 12,86400`.
  package func allowance(in headers: [String: String], at now: Instant) -> RequestAllowance {
    let waits = RequestAllowance.numbers(headers["ratelimit-reset"]) ?? []
    return RequestAllowance(
      limits: headers["ratelimit-limit"], uses: headers["ratelimit-usage"],
      waits: waits.map { .seconds(min(max($0, 1), 86_400)) })
  }

  package func subject(in document: [UInt8]) -> String? {
    // It is left out where it cannot be read: webhooks find the user by it, imports do not need it.
    let value = JSONValue(short: document)
    return value?["x_user_id"]?.identifier ?? value?["polar-user-id"]?.identifier
  }

  package func revocation(of tokens: RevokedTokens, at endpoints: ProviderEndpoints) -> DataRequest? {
    guard let users = endpoints.revocation, let subject = tokens.subject,
      subject.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return DataRequest(.delete, "\(users)/\(subject)")
  }

  package var webhook: (any ProviderWebhook)? { PolarWebhook() }
}

/// Polar signs the body: HMAC-SHA-256 in hexadecimal digits.
struct PolarWebhook: ProviderWebhook {
  func read(_ call: WebhookCall, secret: String) throws(WebhookRefusal) -> WebhookNotice {
    let event = (call.headers["polar-webhook-event"] ?? "").uppercased()
    let expected = Digest.hmacSHA256(call.body, key: Array(secret.utf8)).hexadecimal
    // The first ping comes before the secret is known, and has no effect.
    if event == "PING" { return .challenge(WebhookReply()) }
    guard let given = call.headers["polar-webhook-signature"],
      Digest.constantTimeEquals(Array(given.lowercased().utf8), Array(expected.utf8))
    else { throw .untrusted }
    let value = try call.json()
    guard let user = value["user_id"]?.identifier else { throw .malformed }
    return .change(subject: user, at: value["timestamp"]?.text.flatMap { ProviderTime($0)?.moment() })
  }
}

extension TrackPoint {
  /// Whether it says nothing but its time.
  fileprivate var isEmpty: Bool {
    position == nil && heartRate == nil && cadence == nil && elevationMetres == nil && powerWatts == nil
      && distanceMetres == nil
  }
}
