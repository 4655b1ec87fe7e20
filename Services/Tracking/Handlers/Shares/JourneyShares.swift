import Environment
import Idempotency
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingOperations

/// Links by which anyone follows a journey ([TR-14]); each method is in its own file.
package struct JourneyShares: JourneySharesService {
  let operations: TrackerOperations
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore

  package init(
    operations: TrackerOperations, database: Database, environment: Environment, idempotency: IdempotencyStore
  ) {
    self.operations = operations
    self.database = database
    self.environment = environment
    self.idempotency = idempotency
  }
}

extension JourneyShare {
  init(_ id: ShareID, of journey: JourneyID, createdAt: Instant, expiresAt: Instant) {
    self.init(
      shareID: id.description, journeyID: journey.description, createTime: createdAt.timestamp,
      expireTime: expiresAt.timestamp)
  }
}
