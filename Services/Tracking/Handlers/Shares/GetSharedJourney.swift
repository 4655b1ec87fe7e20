import Cryptography
import Postgres
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingStore

extension JourneyShares {
  /// The journey of a link, for anyone who has it.
  package func getSharedJourney(
    _ call: GetSharedJourneyRequest, _ context: CallContext
  ) async throws -> TandemTracking.SharedJourney {
    guard let token = SecretToken(call.token),
      let row = try await database.rows(
        TrackingStore.SharedJourney(tokenHash: token.hash, now: environment.clock.now)
      ).first
    else { throw ShareRefusal.noSuchShare }
    return TandemTracking.SharedJourney(row)
  }
}

extension TandemTracking.SharedJourney {
  fileprivate init(_ row: TrackingStore.SharedJourney.Row) {
    var destination: Place?
    if let latitude = row.latitude, let longitude = row.longitude {
      destination = Place(latitude: latitude, longitude: longitude)
    }
    let position = Fix(
      row.atLatitude, row.atLongitude, row.recordedAt, accuracy: row.accuracyM, altitude: row.altitudeM,
      speed: row.speedMps, course: row.course)
    self.init(
      username: row.username, startTime: row.startedAt.timestamp, endTime: row.endedAt?.timestamp,
      outcome: row.outcome?.wire ?? .unspecified, destination: destination, arrivalTime: row.arrivalAt?.timestamp,
      mode: row.mode?.wire ?? .unspecified, position: position.map { Position($0) },
      expireTime: row.expiresAt.timestamp, estimatedArrivalTime: row.estimatedAt?.timestamp,
      preview: SharePreview(
        title: row.endedAt == nil ? "\(row.username) is on the way" : "\(row.username)'s journey has ended",
        text: row.mode?.inWords ?? "", picture: "journey"))
  }
}

extension TrackingDomain.TravelMode {
  /// As a line of a preview.
  fileprivate var inWords: String {
    switch self {
    case .walking: "On foot"
    case .cycling: "By bicycle"
    case .driving: "By car"
    case .transit: "By public transport"
    }
  }
}
