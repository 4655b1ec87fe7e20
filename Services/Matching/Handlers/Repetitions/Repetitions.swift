import Cryptography
import Environment
import FieldViolations
import GoogleType
import Idempotency
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Sessions that are posted again every week; each method is in its own file, the short ones here.
package struct Repetitions: RepetitionsService {
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let jobs: Jobs

  /// - Parameter seal: seals the answers kept for repeated requests ([C-4]).
  package init(database: Database, environment: Environment, seal: Seal, jobs: Jobs) {
    self.database = database
    self.environment = environment
    self.jobs = jobs
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// The caller's repetitions, the newest first.
  package func listRepetitions(
    _ call: ListRepetitionsRequest, _ context: CallContext
  ) async throws -> ListRepetitionsResponse {
    let found = try await database.rows(RepetitionsOf(userID: try context.userID))
    return ListRepetitionsResponse(repetitions: try found.map { try Repetition($0) })
  }

  /// Ends one of the caller's repetitions.
  package func endRepetition(
    _ call: EndRepetitionRequest, _ context: CallContext
  ) async throws -> EndRepetitionResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require(
      "repetition_id", RepetitionID(call.repetitionID), "This is not the id of a repetition",
      MatchingReason.repetitionIDInvalid)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await tx.cancel(.repeatSession, key: "\(id)")
      guard try await tx.first(DeleteRepetition(repetitionID: id, userID: user)) != nil else {
        throw Status(MatchingReason.repetitionNotFound, "There is no such repetition")
      }
      return EndRepetitionResponse()
    }
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
