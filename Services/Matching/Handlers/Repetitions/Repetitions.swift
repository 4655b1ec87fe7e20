import Cryptography
import Environment
import GoogleType
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Sessions that are posted again every week; each method is in its own file.
package struct Repetitions: RepetitionsService {
  let operations: SessionOperations
  let database: Database
  let idempotency: IdempotencyStore

  /// - Parameter seal: seals the answers kept for repeated requests ([C-4]).
  package init(operations: SessionOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}

extension Repetition {
  init(_ stored: StoredRepetition) throws {
    let gym = try StoredGym(stored)
    self.init(
      repetitionID: stored.id.description, gym: SessionGym(gym), focus: stored.focus.wire, level: stored.level.wire,
      genders: GenderSet(rawValue: stored.admitted).wire,
      localTime: TimeOfDay(minute: stored.minuteOfDay, offset: stored.offsetUs),
      lengthS: Int64(stored.lengthS), nextDate: GoogleType.Date(stored.nextDay),
      untilDate: stored.untilDay.map { GoogleType.Date($0) }, createTime: stored.createdAt.timestamp)
  }
}

extension GoogleType.Date {
  init(_ day: CivilDate) { self.init(year: Int32(day.year), month: Int32(day.month), day: Int32(day.day)) }
}
