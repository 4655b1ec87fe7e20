import Environment
import FieldViolations
import Idempotency
import Identifiers
import Postgres
import ProtobufC
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore
import UserTokens

/// Journeys, SOS alerts and paths; each method is in its own file.
package struct Journeys: JourneysService {
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let trackers: Trackers
  let streamTokens: StreamTokens

  /// - Parameter streamTokens: ends streams whose tokens are no longer valid ([ID-7]).
  package init(
    database: Database, environment: Environment, idempotency: IdempotencyStore, trackers: Trackers,
    streamTokens: StreamTokens
  ) {
    self.database = database
    self.environment = environment
    self.idempotency = idempotency
    self.trackers = trackers
    self.streamTokens = streamTokens
  }

  /// What was done to a journey or alert.
  struct Step {
    let id: JourneyID
    let isPositionUnusable: Bool

    init(_ id: JourneyID, isPositionUnusable: Bool = false) {
      (self.id, self.isPositionUnusable) = (id, isPositionUnusable)
    }
  }

  /// Lets a user do something, in one transaction that repetitions of the request do not run again; returns the
  /// journey or alert that `step` names.
  ///
  /// - Parameter notice: what the response says besides.
  func change<Request: IdempotentRequest>(
    _ request: Request, _ key: RequestKey?, of user: UserID,
    _ step: (inout Tracker, Transaction) async throws -> Step,
    notice: (Step, Tracker, Journey) -> String = { _, _, _ in "" }
  ) async throws -> Journey {
    try await idempotency.execute(request, key) { tx in
      guard var tracker = try await trackers.locked(user, tx) else { throw Status.notAUser }
      let done = try await step(&tracker, tx)
      try await trackers.store([tracker], tx)
      var journey = try Self.seen(try await tx.first(JourneySeenBy(viewerID: user, journeyID: done.id)), by: user)
      journey.notice = notice(done, tracker, journey)
      return journey
    }
  }

  /// A journey or alert that a user may see ([TR-11]).
  func journey(_ id: JourneyID, seenBy user: UserID) async throws -> Journey {
    try Self.seen(try await database.first(JourneySeenBy(viewerID: user, journeyID: id)), by: user)
  }

  private static func seen(_ row: JourneySeenBy.Row?, by viewer: UserID) throws -> Journey {
    guard let row else { throw Status.noSuchJourney }
    return Journey(row.journey, seenIn: row.groupIDs, by: viewer, estimatedAt: row.estimatedAt)
  }
}

extension Status {
  static let noSuchJourney = Status(TrackingReason.journeyNotFound, "There is no such journey")
}

extension Violations {
  /// Parses the id of a journey or alert.
  mutating func journeyID(_ text: String) -> JourneyID? {
    require("journey_id", JourneyID(text), "This is not the id of a journey", TrackingReason.journeyIDInvalid)
  }
}
