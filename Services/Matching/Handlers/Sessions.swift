import Cryptography
import Environment
import Idempotency
import LinkMisses
import MatchingDomain
import MatchingOperations
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
  let operations: SessionOperations
  let database: Database
  let environment: Environment
  let seal: Seal
  let pages: Pages
  let idempotency: IdempotencyStore
  let misses: LinkMissCounter

  /// - Parameter seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  package init(operations: SessionOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    self.environment = environment
    self.seal = seal
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    misses = LinkMissCounter(database: database, clock: environment.clock)
  }
}
