import Identifiers
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingDomain
import TrackingStore

@Suite("what is stored of a user in places and on paths", .timeLimit(.minutes(5)))
struct StoredPositionsTests {
  @Test("[TR-15] A6: of 40 places that a user creates at once 20 are kept, as a call shows with the limit")
  func places() async throws {
    try await RunningTracking.with { tracking in
      let results = await tracking.service.race(40) { client, number in
        let place = NamedPlace(name: "Home \(number)", point: Place(latitude: 52.5, longitude: 13.4), radiusM: 100)
        return try await PlacesClient(client).createPlace(CreatePlaceRequest(place: place), TestUser.ada.options)
      }
      #expect(results.successes().count == 20)
      #expect(results.refusals().map(\.reason) == Array(repeating: "TOO_MANY_PLACES", count: 20))
      let storage = try await tracking.storage()
      #expect(storage.used?.places == 20 && storage.limits?.places == 20)
      #expect(try await tracking.storage(of: .grace).used?.places == 0)
    }
  }

  @Test(
    "[TR-2] [TR-11] A6: of 40 positions at once at the edge of a day's quota 10 are kept on the path, and all are seen")
  func edge() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      try await tracking.depart(seenBy: [group])
      tracking.clock.advance(by: .seconds(100))
      let now = tracking.clock.now
      let today = PathDays([.init(Int32(now.wholeSeconds / 86_400), count: PathDays.maxOfDay - 10)])
      #expect(PathDays.unpacked(today.packed) == today)
      let packed = today.packed.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
      try await tracking.sql("update trackers set path_days = decode('\(packed)', 'hex')")
      let results = await tracking.service.race(40) { client, number in
        // Of a clock that is right, so that their own times are used.
        let time = (now - .milliseconds(200 * number)).timestamp
        return try await LocationsClient(client).reportBatch(
          ReportBatchRequest(points: [Position(latitude: 52.41, longitude: 13.4, time: time)]), TestUser.ada.options)
      }
      let summaries = results.successes()
      #expect(summaries.reduce(0) { $0 + $1.accepted + $1.outOfOrder } == 40)
      #expect(summaries.reduce(0) { $0 + $1.notKept } == 30)
      #expect(try await tracking.value("select count(*) from path_points") == "10")
      #expect(try await tracking.member(.ada, in: group, seenBy: .grace).position?.time == now.timestamp)
      let storage = try await tracking.storage()
      #expect(storage.used?.pathPositionsOfDay == 100_000 && storage.limits?.pathPositionsOfDay == 100_000)
      #expect(storage.used?.pathPositions == 10 && storage.limits?.pathPositions == 3_200_000)
      // An alert begins all the same, and another day has room.
      tracking.clock.advance(by: .seconds(86_400))
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      #expect(try await tracking.report(52.41, 13.4).notKept == 0)
      #expect(try await tracking.path(GetPathRequest(journeyID: alert.journeyID), as: .grace).count == 1)
      #expect(try await tracking.storage().used?.pathPositionsOfDay == 1)
    }
  }

  @Test("[TR-13] A6: the limit of positions on paths follows the retention time")
  func retention() async throws {
    try await RunningTracking.with { tracking in
      _ = try await tracking.locations.setRetention(SetRetentionRequest(days: 365), TestUser.ada.options)
      #expect(try await tracking.storage().limits?.pathPositions == 36_700_000)
      #expect(try await tracking.storage(of: .grace).limits?.pathPositions == 3_200_000)
    }
  }
}

extension RunningTracking {
  fileprivate func storage(of user: TestUser = .ada) async throws -> GetStorageResponse {
    try await locations.getStorage(GetStorageRequest(), user.options)
  }
}
