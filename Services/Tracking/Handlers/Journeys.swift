import Environment
import FieldViolations
import Idempotency
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations
import TrackingStore
import UserTokens

/// Journeys, SOS alerts and paths; each method is in its own file.
package struct Journeys: JourneysService {
  let operations: TrackerOperations
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let streamTokens: StreamTokens

  /// - Parameter streamTokens: ends streams whose tokens are no longer valid ([ID-7]).
  package init(
    operations: TrackerOperations, database: Database, environment: Environment, idempotency: IdempotencyStore,
    streamTokens: StreamTokens
  ) {
    self.operations = operations
    self.database = database
    self.environment = environment
    self.idempotency = idempotency
    self.streamTokens = streamTokens
  }

  /// A journey or alert that a user may see ([TR-11]).
  func journey(_ id: JourneyID, seenBy user: UserID) async throws -> Journey {
    guard let row = try await database.first(JourneySeenBy(viewerID: user, journeyID: id)) else {
      throw JourneyRefusal.noSuchJourney
    }
    return Journey(row, by: user)
  }
}

extension Violations {
  /// Parses the id of a journey or alert.
  mutating func journeyID(_ text: String) -> JourneyID? {
    require("journey_id", JourneyID(text), "This is not the id of a journey", TrackingReason.journeyIDInvalid)
  }
}
