import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain

@Suite("repeated requests of tracking")
struct RepeatedRequestTests {
  private static let id = "0190a7c4-0000-7000-8000-000000000001"

  @Test("[C-4] [TR-6] a repeated start of a journey is answered with the journey, and a repeated end with its end")
  func journey() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let start = StartJourneyRequest(
        groupIds: [group.description], destination: Place(latitude: 52.5, longitude: 13.4),
        arrivalTime: (tracking.clock.now + .seconds(3_600)).timestamp, mode: .walking, requestID: Self.id)
      let first = try await tracking.journeys.startJourney(start, TestUser.ada.options)
      let again = try await tracking.journeys.startJourney(start, TestUser.ada.options)
      let stop = StopJourneyRequest(requestID: Self.id)
      let ended = try await tracking.journeys.stopJourney(stop, TestUser.ada.options)
      let endedAgain = try await tracking.journeys.stopJourney(stop, TestUser.ada.options)

      #expect(again == first)
      #expect(endedAgain == ended)
      #expect(try await tracking.news() == ["journeyStarted to grace.h", "journeyEnded to grace.h"])
    }
  }

  @Test("[C-4] [TR-5] a start of an alert that arrives once more after its end triggers no other")
  func alert() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let start = StartSOSRequest(requestID: Self.id)
      let alert = try await tracking.journeys.startSOS(start, TestUser.ada.options)
      _ = try await tracking.journeys.stopSOS(StopSOSRequest(), TestUser.ada.options)
      let again = try await tracking.journeys.startSOS(start, TestUser.ada.options)

      #expect(again == alert)
      #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .active)
    }
  }

  @Test("[C-4] [TR-1] a start of sharing that arrives once more after the stop shares nothing")
  func sharing() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let start = StartSharingRequest(groupIds: [group.description], requestID: Self.id)
      let first = try await tracking.locations.startSharing(start, TestUser.ada.options)
      _ = try await tracking.locations.stopSharing(
        StopSharingRequest(groupIds: [group.description]), TestUser.ada.options)
      let again = try await tracking.locations.startSharing(start, TestUser.ada.options)

      #expect(first.members.map(\.state) == [.active] && again == first)
      #expect(try await tracking.member(.ada, in: group, seenBy: .grace).state == .inactive)
    }
  }

  @Test("[C-4] [TR-14] a repeated request for a link gets the same link, and another body is REQUEST_ID_REUSED")
  func link() async throws {
    try await RunningTracking.with { tracking in
      let shares = JourneySharesClient(tracking.client)
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      let create = CreateShareRequest(journeyID: journey.journeyID, requestID: Self.id)
      let first = try await shares.createShare(create, TestUser.ada.options)
      let again = try await shares.createShare(create, TestUser.ada.options)
      let other = await reason {
        _ = try await shares.createShare(
          CreateShareRequest(
            journeyID: journey.journeyID, expireTime: (tracking.clock.now + .seconds(60)).timestamp,
            requestID: Self.id), TestUser.ada.options)
      }

      #expect(again == first)
      #expect(other == "REQUEST_ID_REUSED")
      #expect(try await tracking.value("select count(*) from journey_shares") == "1")
    }
  }

  @Test("[C-4] [TR-6] [TR-14] a repeated request has its first answer after the time that it names")
  func late() async throws {
    try await RunningTracking.with { tracking in
      let shares = JourneySharesClient(tracking.client)
      let group = try await tracking.group(of: [.ada, .grace])
      let start = StartJourneyRequest(
        groupIds: [group.description], destination: Place(latitude: 52.5, longitude: 13.4),
        arrivalTime: (tracking.clock.now + .seconds(60)).timestamp, mode: .walking, requestID: Self.id)
      let journey = try await tracking.journeys.startJourney(start, TestUser.ada.options)
      let create = CreateShareRequest(
        journeyID: journey.journeyID, expireTime: (tracking.clock.now + .seconds(60)).timestamp, requestID: Self.id)
      let link = try await shares.createShare(create, TestUser.ada.options)
      tracking.clock.advance(by: .seconds(120))

      #expect(try await tracking.journeys.startJourney(start, TestUser.ada.options) == journey)
      #expect(try await shares.createShare(create, TestUser.ada.options) == link)
    }
  }
}
