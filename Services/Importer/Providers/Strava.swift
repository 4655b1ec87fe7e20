import FoundationEssentials
import Geography
import Identifiers
import ImporterDomain
import OAuth2
import ProviderDocuments
import WorkerPool

/// Strava's API v3 (https://developers.strava.com/docs/reference).
package struct Strava: ProviderAdapter {
  package let id = "strava"
  package let name = "Strava"
  package let endpoints = ProviderEndpoints(
    authorization: "https://www.strava.com/oauth/authorize", token: "https://www.strava.com/oauth/token",
    revocation: "https://www.strava.com/oauth/deauthorize", data: "https://www.strava.com")
  package let consentPage = "https://www.strava.com/settings/apps"
  package let streams = [DataStream("activities", .activities, anyOf: ["activity:read", "activity:read_all"])]

  /// Each activity of a page is a further request for its track, and Strava allows 100 requests in 15 minutes.
  private static let pageSize = 30

  package init() {}

  package var authorization: AuthorizationTerms {
    var terms = AuthorizationTerms()
    terms.scopeSeparator = ","
    terms.authentication = .post
    terms.additions = ["approval_prompt": "auto"]
    return terms
  }

  package let wordsOfMissingConsent = ["activity:read_permission", "activity:read_all_permission"]

  package func saysTokenEnded(_ answer: DataAnswer) -> Bool {
    // {"message":"Authorization Error","errors":[{"resource":"Athlete","field":"access_token","code":"invalid"}]}
    let errors = answer.errorJSON?["errors"]?.list ?? []
    return answer.saysInvalidToken
      || errors.contains { $0["field"]?.text == "access_token" && $0["code"]?.text == "invalid" }
  }

  package func request(for stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?) -> DataRequest {
    DataRequest(
      .get, "/api/v3/athlete/activities",
      [
        "after": "\(window.since.wholeSeconds)", "before": "\(window.until.wholeSeconds)", "page": cursor?.text ?? "1",
        "per_page": "\(Self.pageSize)",
      ])
  }

  package func page(
    of stream: DataStream, _ window: SyncWindow, at cursor: PageCursor?, _ answer: DataAnswer,
    on thread: borrowing PoolThread
  ) throws(PageFault) -> DataPage {
    guard let elements = try answer.json(on: thread).list else { throw .shape }
    var page = DataPage()
    for element in elements { Self.add(element, to: &page) }
    // A page may have fewer than asked for and still not be the last; one without any is.
    if !elements.isEmpty { page.next = PageCursor(number: (Int64(cursor?.text ?? "1") ?? 1) + 1) }
    return page
  }

  private static func add(_ element: JSONValue, to page: inout DataPage) {
    guard let activity = activity(element) else {
      page.skipped += 1
      return
    }
    // One on a trainer has no positions, but hearts and distances.
    if element["manual"]?.bool != true {
      page.details.append((page.records.activities.count, tracks(of: activity.externalID)))
    }
    page.records.activities.append(activity)
  }

  package func request(forActivity id: String) -> DataRequest? { DataRequest(.get, "/api/v3/activities/\(id)") }

  package func page(ofActivity answer: DataAnswer, on thread: borrowing PoolThread) throws(PageFault) -> DataPage {
    let value = try answer.json(on: thread)
    guard case .members = value else { throw .shape }
    var page = DataPage()
    Self.add(value, to: &page)
    return page
  }

  /// One activity, of a list or by itself; `nil` where what the model needs is missing.
  package static func activity(_ value: JSONValue) -> ImportedActivity? {
    guard let id = value["id"]?.identifier, let start = value["start_date"]?.text.flatMap({ ProviderTime($0) }),
      let duration = value["elapsed_time"]?.double, (0...Limits.maxSeconds).contains(duration)
    else { return nil }
    return ImportedActivity(
      provider: "strava", externalID: id,
      sport: Sport(named: value["sport_type"]?.text ?? value["type"]?.text ?? ""), startedAt: start.moment(),
      timeZone: zone(value, start), durationSeconds: duration,
      movingSeconds: Limits.seconds(value["moving_time"]), distanceMetres: Limits.metres(value["distance"]),
      energyKilocalories: Limits.energy(value["calories"]),
      heartRateAverage: Limits.heartRate(value["average_heartrate"]),
      heartRateMaximum: Limits.heartRate(value["max_heartrate"]),
      ascentMetres: Limits.metres(value["total_elevation_gain"]),
      elevationSource: value["total_elevation_gain"] == nil ? nil : .provider, title: Limits.title(value["name"]),
      device: Limits.title(value["device_name"]), raw: value.json)
  }

  /// `(GMT-08:00) America/Los_Angeles` is the zone, and the local time tells its offset.
  private static func zone(_ value: JSONValue, _ start: ProviderTime) -> String {
    if let name = value["timezone"]?.text?.split(separator: " ").last, name.contains("/"), name.utf8.count <= 64 {
      return String(name)
    }
    guard let local = value["start_date_local"]?.text.flatMap({ ProviderTime($0) }) else { return "UTC" }
    return ProviderTime.zone(offsetSeconds: (local.local - start.moment()).components.seconds)
  }

  private static func tracks(of id: String) -> DataRequest {
    DataRequest(
      .get, "/api/v3/activities/\(id)/streams",
      ["keys": "time,latlng,altitude,heartrate,cadence,watts,distance", "key_by_type": "true"])
  }

  package func add(_ answer: DataAnswer, to activity: inout ImportedActivity, on thread: borrowing PoolThread) {
    // An activity without a track is answered with 404; the activity is imported without one.
    guard answer.status == 200, let value = try? answer.json(on: thread) else { return }
    let numbers = { (name: String) in value[name]?["data"]?.list?.map(\.double) ?? [] }
    let times = numbers("time")
    guard !times.isEmpty, times.count <= Limits.maxPoints else { return }
    let positions = value["latlng"]?["data"]?.list ?? []
    let (heights, rates, distances) = (numbers("altitude"), numbers("heartrate"), numbers("distance"))
    let (cadences, powers) = (numbers("cadence"), numbers("watts"))
    let at = { (values: [Double?], index: Int) in index < values.count ? values[index] : nil }
    let points = times.indices.compactMap { index -> TrackPoint? in
      guard let elapsed = times[index], (0...Limits.maxSeconds).contains(elapsed) else { return nil }
      return TrackPoint(
        elapsedSeconds: elapsed, position: index < positions.count ? Limits.position(positions[index]) : nil,
        elevationMetres: at(heights, index), heartRate: at(rates, index), distanceMetres: at(distances, index),
        cadence: at(cadences, index), powerWatts: at(powers, index))
    }
    activity.track = Track(points: points)
  }

  /// Windows of a quarter of an hour, on the clock, and of a day.
  package func allowance(in headers: [String: String], at now: Instant) -> RequestAllowance {
    let second = now.wholeSeconds
    let waits: [Duration] = [.seconds(900 - second % 900), .seconds(86_400 - second % 86_400)]
    let all = RequestAllowance(
      limits: headers["x-ratelimit-limit"], uses: headers["x-ratelimit-usage"], waits: waits)
    let reads = RequestAllowance(
      limits: headers["x-readratelimit-limit"], uses: headers["x-readratelimit-usage"], waits: waits)
    return RequestAllowance(
      left: [all.left, reads.left].compactMap { $0 }.min(), wait: [all.wait, reads.wait].compactMap { $0 }.max())
  }

  package func subject(in document: [UInt8]) -> String? {
    // It is left out where it cannot be read: webhooks find the user by it, imports do not need it.
    JSONValue(short: document)?["athlete"]?["id"]?.identifier
  }

  package func revocation(of tokens: RevokedTokens, at endpoints: ProviderEndpoints) -> DataRequest? {
    endpoints.revocation.map { DataRequest(.post, $0, ["access_token": tokens.access], with: .none) }
  }

  package var webhook: (any ProviderWebhook)? { StravaWebhook() }
}

/// Strava does not sign: the secret is the verification token of the subscription, and `token` of the callback's URL.
struct StravaWebhook: ProviderWebhook {
  func read(_ call: WebhookCall, secret: String) throws(WebhookRefusal) -> WebhookNotice {
    if call.method == "GET" {
      guard WebhookCall.isSecret(call.query["hub.verify_token"], secret) else { throw .untrusted }
      guard let challenge = call.query["hub.challenge"], challenge.utf8.count <= 200 else { throw .malformed }
      return .challenge(WebhookReply(json: JSONValue.members(["hub.challenge": .text(challenge)]).json))
    }
    guard WebhookCall.isSecret(call.query["token"], secret) else { throw .untrusted }
    let event = try call.json()
    guard let owner = event["owner_id"]?.identifier, let type = event["object_type"]?.text else { throw .malformed }
    let time = ProviderTime.moment(unixSeconds: event["event_time"]?.double)
    if type == "athlete" {
      let isRevoked = event["updates"]?["authorized"].map { $0 == .text("false") || $0 == .bool(false) } ?? false
      return isRevoked ? .revocation(subject: owner, at: time) : .nothing
    }
    guard event["aspect_type"]?.text == "delete" else {
      return .change(subject: owner, activity: event["object_id"]?.identifier, at: time)
    }
    guard let activity = event["object_id"]?.identifier else { throw .malformed }
    return .deletion(subject: owner, activity: activity, at: time)
  }
}
