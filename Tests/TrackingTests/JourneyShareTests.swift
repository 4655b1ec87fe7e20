import GoogleProtobuf
import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain

@Suite("links to journeys", .timeLimit(.minutes(5)))
struct JourneyShareTests {
  private func journey(of user: TestUser, _ tracking: RunningTracking) async throws -> Journey {
    let home = try await tracking.group(of: [user, .grace])
    return try await tracking.journeys.startJourney(
      StartJourneyRequest(
        groupIds: [home.description], destination: Place(latitude: 1, longitude: 2),
        arrivalTime: (tracking.clock.now + .seconds(3_600)).timestamp, mode: .walking), user.options)
  }

  private func report(_ user: TestUser, latitude: Double, _ tracking: RunningTracking) async throws {
    let point = Position(latitude: latitude, longitude: 2, time: tracking.clock.now.timestamp)
    _ = try await tracking.locations.reportBatch(ReportBatchRequest(points: [point]), user.options)
  }

  @Test("[TR-14] anyone who has the link follows the journey without a login, until it ends")
  func follows() async throws {
    try await RunningTracking.with { tracking in
      let shares = JourneySharesClient(tracking.client)
      let journey = try await journey(of: .ada, tracking)
      let made = try await shares.createShare(
        CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      tracking.clock.advance(by: .seconds(1))
      try await report(.ada, latitude: 0.9, tracking)
      let seen = try await shares.getSharedJourney(GetSharedJourneyRequest(token: made.token))
      #expect(seen.username == "ada")
      #expect(seen.preview?.title == "ada is on the way" && seen.preview?.picture == "journey")
      #expect(seen.destination == Place(latitude: 1, longitude: 2))
      #expect(seen.position?.latitude == 0.9)
      _ = try await tracking.journeys.stopJourney(StopJourneyRequest(), TestUser.ada.options)
      tracking.clock.advance(by: .seconds(1))
      try await report(.ada, latitude: 0.9001, tracking)
      let ended = try await shares.getSharedJourney(GetSharedJourneyRequest(token: made.token))
      #expect(ended.outcome == .stopped)
      #expect(ended.preview?.title == "ada's journey has ended")
      #expect(ended.position == nil)
    }
  }

  @Test("[TR-14] a link does not show where the user was before the journey, though it is reported on the way")
  func before() async throws {
    try await RunningTracking.with { tracking in
      let shares = JourneySharesClient(tracking.client)
      let stored = tracking.clock.now
      tracking.clock.advance(by: .seconds(1_800))
      let journey = try await journey(of: .ada, tracking)
      let made = try await shares.createShare(
        CreateShareRequest(journeyID: journey.journeyID), TestUser.ada.options)
      let point = Position(latitude: 0.5, longitude: 2, time: stored.timestamp)
      let counts = try await tracking.locations.reportBatch(ReportBatchRequest(points: [point]), TestUser.ada.options)
      #expect(counts.accepted == 1)
      let seen = try await shares.getSharedJourney(GetSharedJourneyRequest(token: made.token))
      #expect(seen.username == "ada" && seen.position == nil)
      tracking.clock.advance(by: .seconds(1))
      try await report(.ada, latitude: 0.501, tracking)
      let now = try await shares.getSharedJourney(GetSharedJourneyRequest(token: made.token))
      #expect(now.position?.latitude == 0.501)
    }
  }

  @Test("[TR-14] a link that has expired or was revoked shows nothing, and a token is found nowhere")
  func ends() async throws {
    try await RunningTracking.with { tracking in
      let shares = JourneySharesClient(tracking.client)
      let journey = try await journey(of: .ada, tracking)
      let end = (tracking.clock.now + .seconds(60)).timestamp
      var made: [CreateShareResponse] = []
      for _ in 0..<2 {
        made.append(
          try await shares.createShare(
            CreateShareRequest(journeyID: journey.journeyID, expireTime: end), TestUser.ada.options))
      }
      let listed = try await shares.listShares(
        ListSharesRequest(journeyID: journey.journeyID), TestUser.ada.options)
      #expect(Set(listed.shares.map(\.shareID)) == Set(made.compactMap { $0.share?.shareID }))
      let revocation = RevokeShareRequest(shareID: made[0].share?.shareID ?? "")
      let notOwn = try await refusal { try await shares.revokeShare(revocation, TestUser.grace.options) }
      #expect(notOwn.reason == "SHARE_NOT_FOUND")
      _ = try await shares.revokeShare(revocation, TestUser.ada.options)
      let revoked = try await refusal {
        try await shares.getSharedJourney(GetSharedJourneyRequest(token: made[0].token))
      }
      #expect(revoked.reason == "SHARE_NOT_FOUND")
      tracking.clock.advance(by: .seconds(60))
      let expired = try await refusal {
        try await shares.getSharedJourney(GetSharedJourneyRequest(token: made[1].token))
      }
      #expect(expired.reason == "SHARE_NOT_FOUND")
    }
  }

  @Test("[TR-14] only the traveller makes links to a journey, at most 20, also when 64 are asked for at once")
  func limits() async throws {
    try await RunningTracking.with { tracking in
      let journey = try await journey(of: .ada, tracking)
      let call = CreateShareRequest(journeyID: journey.journeyID)
      let stranger = try await refusal {
        try await JourneySharesClient(tracking.client).createShare(call, TestUser.grace.options)
      }
      #expect(stranger.reason == "JOURNEY_NOT_FOUND")
      let results = await tracking.service.race(64) { client, _ in
        try await JourneySharesClient(client).createShare(call, TestUser.ada.options)
      }
      #expect(results.successes().count == 20)
      #expect(Set(results.refusals().map(\.reason)) == ["TOO_MANY_SHARES"])
      let late = try await refusal {
        try await JourneySharesClient(tracking.client).createShare(
          CreateShareRequest(
            journeyID: "x", expireTime: (tracking.clock.now + .seconds(8 * 86_400)).timestamp), TestUser.ada.options)
      }
      #expect(late.fields == ["journey_id", "expire_time"])
    }
  }
}
