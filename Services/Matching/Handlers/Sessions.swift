import Cryptography
import Environment
import Events
import FieldViolations
import Idempotency
import Identifiers
import Jobs
import LinkMisses
import Logging
import MatchingDomain
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching

// The contract has types of the same names; in this module the names mean the domain's.
typealias Adjective = MatchingDomain.Adjective
typealias BarCause = MatchingDomain.BarCause
typealias Fit = MatchingDomain.Fit
typealias Focus = MatchingDomain.Focus
typealias Gender = MatchingDomain.Gender
typealias Level = MatchingDomain.Level
typealias SessionState = MatchingDomain.SessionState

/// Training sessions, from the post to the feedback; each method is in its own file.
package struct Sessions: SessionsService {
  let database: Database
  let environment: Environment
  let jobs: Jobs
  let seal: Seal
  let pages: Pages
  let idempotency: IdempotencyStore
  let transitions: SessionTransitions
  let applicants: Applicants
  let gyms: GymLookup
  let misses: LinkMissCounter

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - identity: asked about users whose profiles are unknown here; `nil` in a deployment without it.
  ///   - catalog: asked about gyms; `nil` in a deployment without it.
  package init(
    database: Database, environment: Environment, seal: Seal, transitions: SessionTransitions, jobs: Jobs,
    identity: (any RPCChannel)?, catalog: (any RPCChannel)?, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.jobs = jobs
    self.seal = seal
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    self.transitions = transitions
    applicants = Applicants(database: database, clock: environment.clock, identity: identity, logger: logger)
    gyms = GymLookup(catalog: catalog, logger: logger)
    misses = LinkMissCounter(database: database, clock: environment.clock)
  }

  /// A session that is locked until the transaction ends, so that it does not change.
  func locked(_ id: SessionID, _ tx: Transaction) async throws -> StoredSession {
    try await transitions.locked(id, tx)
  }
}
