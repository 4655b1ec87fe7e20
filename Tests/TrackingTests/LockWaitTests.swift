import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import TrackingStore

@Suite("calls that wait for a lock", .timeLimit(.minutes(5)))
struct LockWaitTests {
  @Test("[TR-5] S-2 A2: 16 alerts of one user that wait for that user's row leave others' reports and places quick")
  func alerts() async throws {
    try await RunningTracking.with { tracking in
      let (ada, grace) = (TestUser.ada, TestUser.grace)
      let group = try await tracking.group(of: [ada, grace])
      for one in [ada, grace] { try await tracking.share(with: [group], as: one) }
      let slowest = try await slowestCall(
        over: (0..<4).map { _ in tracking.service.connected() }, in: tracking.own,
        holding: { tx in try await tx.execute(HeldTracker(userID: ada.id)) },
        waiting: { client, _ in _ = try await JourneysClient(client).startSOS(StartSOSRequest(), ada.options) },
        other: { client, number in
          switch number % 3 {
          case 0: try await tracking.report(52.4 + Double(number) * 0.001, 13.4, as: grace)
          case 1: _ = try await PlacesClient(client).listPlaces(ListPlacesRequest(), grace.options)
          default:
            let place = NamedPlace(
              name: "Place \(number)", point: Place(latitude: 52.5, longitude: 13.4), radiusM: 100)
            _ = try await PlacesClient(client).createPlace(CreatePlaceRequest(place: place), grace.options)
          }
        })
      #expect(slowest < .seconds(6), "\(slowest)")
      #expect(try await tracking.value("select count(*) from places where user_id = '\(grace.id)'") == "10")
    }
  }
}

/// Locks the tracker of a user until the transaction ends.
private struct HeldTracker: Statement {
  typealias Row = Void
  static let sql = "update trackers set check_at = check_at where user_id = $1"
  let userID: UserID

  func bind(_ p: inout Parameters) { p.append(userID) }
}
