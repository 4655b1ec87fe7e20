import Foundation
import Identifiers
import TTRPC
import TandemImporter
import TestSupport
import Testing
import TrackerSimulator

@Suite("what providers of trackers have in corners", .ownThreads, .timeLimit(.minutes(5)))
struct TrackerCornerTests {
  @Test("[IM-6] I-6: an activity that is deleted at Strava is deleted here, and the others stay")
  func deleted() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 1, of: 3)
      try await importer.imported(simulator)
      let time = importer.clock.now.wholeSeconds
      let body =
        #"{"aspect_type":"delete","event_time":\#(time),"object_id":1001,"object_type":"activity","owner_id":7001}"#
      let call = ReceiveWebhookRequest(
        provider: "strava", method: "POST", query: [WebhookField(name: "token", value: "webhook-secret")],
        body: Array(body.utf8))
      #expect(try await importer.trackers.receiveWebhook(call).status == 200)
      let left = try await importer.sql("select external_id from activity_sources order by 1")
      #expect(left == [["1000"], ["1002"]])
      #expect(try await importer.activityCount() == 2)
    }
  }

  @Test("[IM-7] I-12: a ride on a trainer at Strava has its hearts and distances, though no positions")
  func trainer() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let ride =
        #"[{"id":5,"trainer":true,"sport_type":"VirtualRide","elapsed_time":600,"start_date":"2025-06-01T08:00:00Z"}]"#
      simulator.answer("/athlete/activities") { $0.query["page"] == "1" ? .json(ride) : .json("[]") }
      simulator.answer("/activities/5/streams") { _ in
        .json(#"{"time":{"data":[0,300,600]},"heartrate":{"data":[110,140,150]},"distance":{"data":[0,2500,5100]}}"#)
      }
      let ended = try await importer.imported(simulator)
      #expect(ended.state == .succeeded)
      #expect(try await importer.value("select sample_count::text from activity_sources") == "3")
      #expect(try await importer.value("select position_count::text from activity_sources") == "0")
    }
  }

  @Test("[IM-7] I-12: Polar is asked for samples, which are stored also without a route")
  func samples() async throws {
    try await RunningImporter.withTrackers(["polar"]) { importer, simulator in
      let exercise = """
        [{"id":"p1","start_time":"2025-06-01T10:00:00","start_time_utc_offset":120,"duration":"PT4S","sport":"RUNNING",
          "samples":[{"sample_type":"0","recording_rate":1,"data":"100,110,120,130"}]}]
        """
      simulator.answer("/v3/users") { _ in .json(#"{"polar-user-id":9}"#) }
      simulator.answer("/v3/exercises") { _ in .json(exercise) }
      simulator.answer("/users/activities") { _ in .json("[]") }
      simulator.answer("/users/sleep") { _ in .json(#"{"nights":[]}"#) }
      let ended = try await importer.imported(simulator, "polar")
      #expect(ended.state == .succeeded && ended.activityCount == 1, "\(ended)")
      #expect(simulator.requests("/v3/exercises").map { $0.query["samples"] } == ["true"])
      #expect(try await importer.value("select sample_count::text from activity_sources") == "4")
    }
  }

  @Test("[IM-2] I-14: an answer in another server's name is refused, and its code goes nowhere")
  func otherIssuer() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), Someone.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      let refused = try await refusal {
        try await importer.trackers.completeConnection(
          CompleteConnectionRequest(state: state, code: code, issuer: "https://elsewhere.example"), Someone.ada.options)
      }
      #expect(refused.code != .internal && simulator.requests("/token").isEmpty, "\(refused)")
      #expect(try await importer.value("select count(*) from tracker_connections") == "0")
    }
  }

  @Test("[C-4] I-16: six completions with one request id are one connection, and all get its answer")
  func sixAtOnce() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 0)
      let start = try await importer.trackers.startConnection(
        StartConnectionRequest(provider: "strava"), Someone.ada.options)
      let (state, code) = simulator.consent(to: start.authorizationURL)
      let call = CompleteConnectionRequest(
        state: state, code: code, requestID: "0190a1b2-0000-7000-8000-0000000000ab")
      let outcomes = await importer.service.race(6) { client, _ in
        try await TrackersClient(client).completeConnection(call, Someone.ada.options)
      }
      #expect(outcomes.refusals().isEmpty, "\(outcomes.refusals())")
      #expect(simulator.requests("/token").count == 1)
    }
  }
}
