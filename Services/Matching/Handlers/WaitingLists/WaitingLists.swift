import Cryptography
import Environment
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Waiting lists of matched sessions; each method is in its own file.
package struct WaitingLists: WaitingListsService {
  let operations: SessionOperations
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore

  /// - Parameter seal: seals the answers kept for repeated requests ([C-4]).
  package init(operations: SessionOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    self.environment = environment
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}

extension WaitingListEntry {
  init(_ row: WaitingListsOf.Row) {
    self.init(
      sessionID: row.sessionID.description, startTime: row.startsAt.timestamp, endTime: row.endsAt.timestamp,
      gym: SessionGym(
        gymID: row.gymID.description, name: row.gymName,
        point: TandemMatching.Point(latitude: row.gymLatitude, longitude: row.gymLongitude), timeZone: row.timeZone),
      focus: row.focus.wire, place: row.place, offerExpireTime: row.offeredUntil?.timestamp)
  }
}
