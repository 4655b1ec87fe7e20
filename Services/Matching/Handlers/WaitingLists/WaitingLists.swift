import Cryptography
import Environment
import FieldViolations
import Geography
import Idempotency
import Identifiers
import Logging
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Waiting lists of matched sessions; each method is in its own file.
package struct WaitingLists: WaitingListsService {
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let transitions: SessionTransitions
  let applicants: Applicants

  /// - Parameters:
  ///   - seal: seals the answers kept for repeated requests ([C-4]).
  ///   - identity: asked about users whose profiles are unknown here; `nil` in a deployment without it.
  package init(
    database: Database, environment: Environment, seal: Seal, transitions: SessionTransitions,
    identity: (any RPCChannel)?, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.transitions = transitions
    applicants = Applicants(database: database, clock: environment.clock, identity: identity, logger: logger)
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

extension WaitingRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .session(let refusal): refusal.status
    case .sessionOpen: Status(MatchingReason.sessionOpen, "The session is open: join it")
    case .listFull: Status(MatchingReason.waitingListFull, "Too many people wait for this session")
    case .tooManyWaiting: Status(MatchingReason.tooManyWaiting, "You wait for too many sessions")
    }
  }
}
