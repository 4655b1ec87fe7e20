import Cryptography
import Foundation
import Identifiers
import ImporterDomain
import Testing
import WorkerPool

@testable import ProviderAdapters
@testable import ProviderDocuments

@Suite("adapters of providers")
struct AdapterTests {
  @Test(
    "[IM-6] 29 A1: a call of a webhook that is longer than any notice is malformed, however it is signed",
    arguments: [60_000, 70_000])
  func longNotice(length: Int) throws {
    let webhook = try #require(Strava().webhook)
    let padding = String(repeating: " ", count: length)
    let notice = #"{"owner_id":1,"object_type":"activity","aspect_type":"create","object_id":2}"#
    let call = WebhookCall(method: "POST", query: ["token": "s"], headers: [:], body: Array((padding + notice).utf8))
    guard length > JSONValue.maxShortLength else { _ = try webhook.read(call, secret: "s"); return }
    #expect(throws: WebhookRefusal.malformed) { try webhook.read(call, secret: "s") }
    #expect(throws: WebhookRefusal.untrusted) { try webhook.read(call, secret: "other") }
  }

  @Test("[IM-6] Strava's list is mapped, and each activity with a track has a further request")
  func strava() throws {
    let page = try Samples.page(
      Strava(), .activities,
      """
      [{"id": 154504250376823, "name": "Evening Ride", "sport_type": "MountainBikeRide", "distance": 24931.4,
        "moving_time": 4500, "elapsed_time": 4600, "total_elevation_gain": 516, "start_date": "2018-05-02T12:15:09Z",
        "start_date_local": "2018-05-02T05:15:09Z", "timezone": "(GMT-08:00) America/Los_Angeles",
        "average_heartrate": 140.3, "max_heartrate": 178, "kilojoules": 788.7},
       {"id": 2, "manual": true, "type": "Run", "elapsed_time": 60, "start_date": "2018-05-03T12:15:09Z"},
       {"id": 3, "elapsed_time": 60, "start_date": "yesterday"}]
      """)
    let ride = try #require(page.records.activities.first)
    #expect(ride.externalID == "154504250376823" && ride.sport == .ride && ride.title == "Evening Ride")
    #expect(ride.startedAt == Instant(microseconds: 1_525_263_309_000_000) && ride.timeZone == "America/Los_Angeles")
    #expect(ride.durationSeconds == 4_600 && ride.movingSeconds == 4_500 && ride.distanceMetres == 24_931.4)
    #expect(ride.heartRateAverage == 140.3 && ride.ascentMetres == 516 && ride.raw?.contains("788.7") == true)
    #expect(page.records.activities.count == 2 && page.skipped == 1 && page.next?.text == "2")
    #expect(page.details.map(\.activity) == [0])
    #expect(try Samples.page(Strava(), .activities, "[]").next == nil)
  }

  @Test("[IM-7] Strava's streams become the track of an activity")
  func stravaTrack() throws {
    var activity = try #require(
      Strava.activity(try JSONValue(Array(#"{"id":1,"elapsed_time":9,"start_date":"2018-05-02T12:15:09Z"}"#.utf8))))
    Strava().add(
      Samples.answer(
        """
        {"time": {"data": [0, 5, 9]}, "latlng": {"data": [[1.5, 103.5], [91, 0], [1.6, 103.6]]},
         "heartrate": {"data": [100, null, 120]}, "altitude": {"data": [4.5]}}
        """), to: &activity, on: .assumed())
    let points = activity.track?.points ?? []
    #expect(points.map(\.elapsedSeconds) == [0, 5, 9] && points.map(\.heartRate) == [100, nil, 120])
    #expect(points.map { $0.position == nil } == [false, true, false] && points[0].elevationMetres == 4.5)
  }

  @Test("[IM-5] Strava's limits tell how many requests are left, and when its windows end")
  func stravaLimits() {
    // 100 seconds into a quarter of an hour.
    let now = Instant(microseconds: 1_700_000_100_000_000 - 1_700_000_100_000_000 % 900_000_000 + 100_000_000)
    let some = Strava().allowance(
      in: [
        "x-ratelimit-limit": "200,2000", "x-ratelimit-usage": "34,200", "x-readratelimit-limit": "100,1000",
        "x-readratelimit-usage": "90, 200",
      ],
      at: now)
    let none = Strava().allowance(in: ["x-ratelimit-limit": "100,1000", "x-ratelimit-usage": "101,200"], at: now)
    #expect(some == RequestAllowance(left: 10, wait: nil) && none == RequestAllowance(left: 0, wait: .seconds(800)))
    for headers in [
      [:], ["x-ratelimit-limit": "a,b", "x-ratelimit-usage": "1"],
      ["x-ratelimit-limit": ",", "x-ratelimit-usage": ","],
    ] {
      #expect(Strava().allowance(in: headers, at: now) == RequestAllowance())
    }
  }

  @Test("[IM-6] the Google Health API's exercises, steps, sleep and weights are mapped")
  func google() throws {
    let exercise = try Samples.page(
      GoogleHealth(), .activities,
      """
      {"dataPoints": [{"name": "users/me/dataTypes/exercise/dataPoints/77", "dataSource": {"device": {"displayName": "Charge 6"}},
        "exercise": {"interval": {"startTime": "2026-03-04T06:00:00Z", "startUtcOffset": "7200s", "endTime": "2026-03-04T06:30:00Z"},
        "exerciseType": "RUNNING", "activeDuration": "1700.5s", "displayName": "Morning run", "metricsSummary":
        {"caloriesKcal": 310.5, "distanceMillimeters": 5000123, "averageHeartRateBeatsPerMinute": "142"}}},
        {"exercise": {"interval": {"startTime": "2026-03-04T06:00:00Z", "endTime": "2026-03-03T06:30:00Z"}}}],
        "nextPageToken": "n1"}
      """)
    let run = try #require(exercise.records.activities.first)
    #expect(run.externalID == "77" && run.sport == .run && run.timeZone == "+02:00" && run.durationSeconds == 1_800)
    #expect(run.movingSeconds == 1_700.5 && run.distanceMetres == 5_000.123 && run.heartRateAverage == 142)
    #expect(run.device == "Charge 6" && exercise.skipped == 1 && exercise.next?.text == "n1")
    let long = String(repeating: "x", count: 1_001)
    #expect(throws: PageFault.shape) {
      try Samples.page(GoogleHealth(), .activities, #"{"dataPoints": [], "nextPageToken": "\#(long)"}"#)
    }
    let steps = try Samples.page(
      GoogleHealth(), .steps,
      #"{"rollupDataPoints":[{"civilStartTime":{"date":{"year":2026,"month":3,"day":4}},"steps":{"countSum":"8123"}},{"civilStartTime":{}}]}"#
    )
    #expect(steps.records.steps.map(\.steps) == [8_123])
    let day = try #require(CivilDate(year: 2026, month: 3, day: 4))
    #expect(steps.records.steps.map(\.day) == [day])
    let sleep = try Samples.page(
      GoogleHealth(), .sleep,
      #"{"dataPoints":[{"sleep":{"interval":{"startTime":"2026-03-03T22:00:00Z","endTime":"2026-03-04T06:00:00Z"},"summary":{"minutesAsleep":"420"}}}]}"#
    )
    #expect(sleep.records.sleeps.map(\.asleepSeconds) == [25_200])
    let weight = try Samples.page(
      GoogleHealth(), .weight,
      #"{"dataPoints":[{"weight":{"sampleTime":{"physicalTime":"2026-03-04T06:00:00Z"},"weightGrams":72500}},{"weight":{"weightGrams":1}}]}"#
    )
    #expect(weight.records.weights.map(\.kilograms) == [72.5] && weight.skipped == 1)
  }

  @Test("[IM-6] steps of the Google Health API are asked for in ranges of 90 days until today")
  func googleRanges() throws {
    let adapter = GoogleHealth()
    let stream = try #require(adapter.streams.first { $0.kind == .steps })
    var (cursor, count): (PageCursor?, Int) = (nil, 0)
    repeat {
      let request = adapter.request(for: stream, Samples.window, at: cursor)
      #expect(request.method == .post && request.json?.contains("windowSizeDays") == true)
      cursor = try adapter.page(of: stream, Samples.window, at: cursor, Samples.answer("{}"), on: .assumed()).next
      count += 1
    } while cursor != nil && count < 100
    #expect(count == 5, "365 days")
  }

  @Test("[IM-6] Polar's exercises are mapped in both of its spellings, with the route")
  func polar() throws {
    let page = try Samples.page(
      Polar(), .activities,
      """
      [{"id": "2AC312F", "start_time": "2026-10-13T10:40:02", "start_time_utc_offset": 180, "duration": "PT2H44M", "distance": 1600,
        "calories": 530, "heart_rate": {"average": 129, "maximum": 147}, "sport": "OTHER", "detailed_sport_info": "RUNNING",
        "route": [{"latitude": 60.2, "longitude": 24.9, "time": "PT0S"}, {"latitude": 60.3, "longitude": 24.9, "time": "PT10.5S"}]},
       {"id": 7, "start-time": "2026-10-14T10:40:02", "start-time-utc-offset": -60, "duration": "PT30S"}, {"id": 8}]
      """)
    let first = try #require(page.records.activities.first)
    #expect(first.sport == .run && first.timeZone == "+03:00" && first.durationSeconds == 9_840)
    #expect(first.startedAt.description.hasPrefix("2026-10-13T07:40:02"))
    #expect(first.track?.points.map(\.elapsedSeconds) == [0, 10.5] && first.raw?.contains("route") == false)
    #expect(page.records.activities.count == 2 && page.skipped == 1)
    let sleep = try Samples.page(
      Polar(), .sleep,
      #"{"nights":[{"date":"2026-01-01","sleep_start_time":"2026-01-01T00:39:07+03:00","sleep_end_time":"2026-01-01T09:19:37+03:00","light_sleep":1000,"deep_sleep":2000}]}"#
    )
    #expect(sleep.records.sleeps.map(\.asleepSeconds) == [3_000] && sleep.records.sleeps.first?.timeZone == "+03:00")
    #expect(
      try Polar().page(of: Polar().streams[2], Samples.window, at: nil, Samples.answer("", status: 204), on: .assumed())
        .skipped == 0)
  }

  @Test("[IM-9] Withings' own status says what an answer with status 200 means")
  func withings() {
    let verdicts: [(String, AnswerVerdict)] = [
      (#"{"status":0,"body":{}}"#, .page), (#"{"status":401,"body":{},"error":"invalid_token"}"#, .tokenRefused),
      (#"{"status":601}"#, .tooMany), (#"{"status":2554}"#, .notGranted), (#"{"status":522}"#, .failing),
      (#"{"status":503,"error":"Invalid Params"}"#, .unexpected), ("<html>", .page),
    ]
    for (body, verdict) in verdicts {
      #expect(Withings().verdict(ofBody: Samples.answer(body), on: .assumed()) == verdict, "\(body)")
    }
  }

  @Test("[IM-9] 29 B4: a token has ended where the provider says so in its own words, and by no bare 401 or 403")
  func endedTokens() {
    let challenge = ["www-authenticate": #"Bearer realm="x", error="invalid_token""#]
    for adapter in Providers.all {
      for body in ["", "{}", "<html>401</html>", #"{"error":"Unauthorized"}"#, "[1]"] {
        #expect(
          adapter.verdict(of: Samples.answer(body, status: 401)) == .unauthorized,
          "\(adapter.id) \(body)")
        #expect(
          adapter.verdict(of: Samples.answer(body, status: 403)) == .failing, "\(adapter.id) \(body)")
      }
      let named = [
        Samples.answer("", status: 401, headers: challenge), Samples.answer(#"{"error":"invalid_token"}"#, status: 401),
      ]
      for answer in named { #expect(adapter.verdict(of: answer) == .tokenRefused, "\(adapter.id)") }
    }
    let strava = { (errors: String) in
      Strava().verdict(
        of: Samples.answer(#"{"message":"Authorization Error","errors":[\#(errors)]}"#, status: 401))
    }
    #expect(strava(#"{"resource":"Athlete","field":"access_token","code":"invalid"}"#) == .tokenRefused)
    #expect(strava(#"{"resource":"Application","field":"","code":"invalid"}"#) == .unauthorized)
    #expect(strava(#"{"resource":"AccessToken","field":"activity:read_permission","code":"missing"}"#) == .notGranted)
    let google = #"{"error":{"code":401,"status":"UNAUTHENTICATED","details":[{"reason":"ACCESS_TOKEN_EXPIRED"}]}}"#
    #expect(GoogleHealth().verdict(of: Samples.answer(google, status: 401)) == .tokenRefused)
    #expect(Withings().verdict(of: Samples.answer(#"{"status":401}"#, status: 401)) == .tokenRefused)
  }

  @Test("[IM-5] a page that is no JSON, too deep or of another shape is refused, and nothing of it is taken")
  func hostile() throws {
    let deep = String(repeating: "[", count: 10_000_000)
    for adapter in Providers.all {
      for stream in adapter.streams {
        let read = { (text: String) throws(PageFault) in
          try adapter.page(of: stream, Samples.window, at: nil, Samples.answer(text), on: .assumed())
        }
        #expect(throws: PageFault.unreadable(.notJSON)) { try read("<!doctype html><html>") }
        #expect(throws: PageFault.unreadable(.tooLong)) { try read(deep) }
        #expect(throws: PageFault.unreadable(.tooDeep)) { try read(String(deep.prefix(5_000_000))) }
        #expect(throws: PageFault.shape) { try read("7") }
        #expect(throws: PageFault.unreadable(.notJSON)) { try read("") }
      }
    }
  }

  @Test("[IM-7] records with broken values are left out one by one, and values that cannot be are left out alone")
  func broken() throws {
    let page = try Samples.page(
      Strava(), .activities,
      """
      [{"id": 1, "elapsed_time": 1e300, "start_date": "2018-05-02T12:15:09Z"}, {"id": {}, "elapsed_time": 1}, null, 7, "x",
       {"id": 2, "elapsed_time": 60, "start_date": "2018-02-30T12:15:09Z"},
       {"id": 3, "elapsed_time": 60, "start_date": "2018-02-28T12:15:09Z", "average_heartrate": 9999, "distance": -1,
        "name": "a\\u202ebc"}]
      """)
    let kept = try #require(page.records.activities.first)
    #expect(page.skipped == 6 && page.records.activities.count == 1 && kept.externalID == "3")
    #expect(kept.heartRateAverage == nil && kept.distanceMetres == nil && kept.title == "abc")
  }

  @Test(
    "[IM-7] times are read in every form of the samples, and nothing else",
    arguments: [
      ("2017-01-02T08:42:26.000Z", 1_483_346_546), ("2017-01-02T08:42:26+02:00", 1_483_339_346),
      ("2017-01-02 08:42", 1_483_346_520), ("20170102T084226Z", 1_483_346_546), ("2017-01-02", 1_483_315_200),
      ("2017-01-02T08:42:26-0330", 1_483_359_146), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("01/02/17 08:42:26", 1_483_346_546), ("01/02/2017 08:42", 1_483_346_520), ("12/31/69 00:00:00", 3_155_673_600),
    ])
  func times(text: String, seconds: Int64) {
    #expect(ProviderTime(text)?.moment().wholeSeconds == seconds)
  }

  @Test(
    "[IM-7] what is no time is refused",
    arguments: [
      "", "yesterday", "2017-13-01", "2017-02-29T00:00:00Z", "2017-01-02T25:00:00Z", "2017-01-02T08:42:26+99:00",
      "1483346546",
      "0000-01-01", "9999-12-31T23:59:59Z", "2017-01-02T08:42:26Z and more", "24/01/17 08:42:26", "01/02/1",
      "01/02/175", "1/2/17",
      String(repeating: "2017-01-02", count: 100),
    ])
  func noTimes(text: String) { #expect(ProviderTime(text) == nil) }

  @Test("[IM-6] JSON that is not strict is read, and what it says is written again")
  func lenient() throws {
    let text = """
      \u{FEFF}{ // a comment
        plain: 'text', "numbers": [1, -2.5, 1e3, 12345678901234567000000, 0.0,], /* and
        more */ "escapes": "\\u00e9\\ud83d\\ude00\\ud800 \\"\\n/\\/", "words": [true, false, null], }
      """
    let value = try JSONValue(Array(text.utf8))
    #expect(value["plain"]?.text == "text" && value["escapes"]?.text == "é😀\u{FFFD} \"\n//")
    #expect(
      value["numbers"]
        == .list([.integer(1), .number(-2.5), .integer(1_000), .number(1.2345678901234567e22), .integer(0)]))
    #expect(value["words"] == .list([.bool(true), .bool(false), .null]))
    #expect(try JSONValue(Array(value.json.utf8)) == value)
  }

  @Test(
    "[IM-6] what is no JSON is refused",
    arguments: [
      "", "{", "[1 2]", "{\"a\" 1}", "{\"a\":}", "\"a", "01", "1-2", "1e999", "NaN", "nul", "[1]]", "/* a", "{:1}",
      "\\u00",
      "\"\\x\"", "\"\\u12\"",
    ])
  func noJSON(text: String) { #expect(throws: JSONValue.Refusal.notJSON) { try JSONValue(Array(text.utf8)) } }
}
