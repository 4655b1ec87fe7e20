import Cryptography
import Environment
import FieldViolations
import Idempotency
import GoogleProtobuf
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingStore

/// Links by which anyone follows a journey ([TR-14]).
package struct JourneyShares: JourneySharesService {
  private let database: Database
  private let environment: Environment
  private let idempotency: IdempotencyStore

  /// Links of one journey at a time.
  private static let maxShares: Int64 = 20
  /// How long a link lasts unless its maker says otherwise, and at most.
  private static let lifetimes = (usual: Swift.Duration.seconds(86_400), longest: Swift.Duration.seconds(7 * 86_400))

  package init(database: Database, environment: Environment, idempotency: IdempotencyStore) {
    self.database = database
    self.environment = environment
    self.idempotency = idempotency
  }

  /// Makes a link to the caller's journey.
  package func createShare(_ call: CreateShareRequest, _ context: CallContext) async throws -> CreateShareResponse {
    let (user, now) = (try context.userID, environment.clock.now)
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    // By now the link may have expired.
    if let first: CreateShareResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let journey = bad.journeyID(call.journeyID)
    let expires = bad.expiry(call.expireTime, now: now, Self.lifetimes)
    let (journeyID, end) = try bad.all(journey, expires)
    let token = SecretToken(randomness: environment.randomness)
    let id: ShareID = environment.newID()
    return try await idempotency.execute(call, key) { tx in
      guard try await tx.first(OpenJourneyOf(journeyID: journeyID, userID: user)) != nil else {
        throw Status.noSuchJourney
      }
      let made = try await tx.first(
        CreateShare(
          shareID: id, journeyID: journeyID, tokenHash: token.hash, now: now, expiresAt: end, limit: Self.maxShares))
      guard made != nil else {
        throw Status(TrackingReason.tooManyShares, "The journey has \(Self.maxShares) links; revoke one first")
      }
      return CreateShareResponse(
        share: JourneyShare(
          shareID: id.description, journeyID: journeyID.description, createTime: now.timestamp,
          expireTime: end.timestamp), token: token.text)
    }
  }

  /// Lists the links to a journey of the caller.
  package func listShares(_ call: ListSharesRequest, _ context: CallContext) async throws -> ListSharesResponse {
    let user = try context.userID
    var bad = Violations()
    let journey = bad.journeyID(call.journeyID)
    let found = try await database.rows(
      SharesOfJourney(journeyID: try bad.all(journey), userID: user, now: environment.clock.now))
    return ListSharesResponse(
      shares: found.map {
        JourneyShare(
          shareID: $0.shareID.description, journeyID: $0.journeyID.description, createTime: $0.createdAt.timestamp,
          expireTime: $0.expiresAt.timestamp)
      })
  }

  /// Revokes a link of the caller.
  package func revokeShare(_ call: RevokeShareRequest, _ context: CallContext) async throws -> RevokeShareResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let share = bad.require(
      "share_id", ShareID(call.shareID), "This is not the id of a link", TrackingReason.shareIDInvalid)
    let shareID = try bad.all(share)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard
        try await tx.first(RevokeShare(userID: user, shareID: shareID, now: environment.clock.now)) != nil
      else { throw Status.noSuchShare }
      return RevokeShareResponse()
    }
  }

  /// The journey of a link, for anyone who has it.
  package func getSharedJourney(
    _ call: GetSharedJourneyRequest, _ context: CallContext
  ) async throws -> TandemTracking.SharedJourney {
    guard let token = SecretToken(call.token),
      let row = try await database.rows(
        TrackingStore.SharedJourney(tokenHash: token.hash, now: environment.clock.now)
      ).first
    else { throw Status.noSuchShare }
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

extension Violations {
  /// Parses when a link expires.
  fileprivate mutating func expiry(
    _ wire: Timestamp?, now: Instant, _ lifetimes: (usual: Swift.Duration, longest: Swift.Duration)
  ) -> Instant? {
    guard let wire else { return now + lifetimes.usual }
    let end = Instant(valid: wire).flatMap { $0 > now && $0 <= now + lifetimes.longest ? $0 : nil }
    return require(
      "expire_time", end, "A link expires in the future, within 7 days", TrackingReason.expireTimeInvalid)
  }
}

extension Status {
  fileprivate static let noSuchShare = Status(TrackingReason.shareNotFound, "There is no such link, or it has ended")
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
