import Environment
import Cryptography
import Events
import Idempotency
import Identifiers
import IdentityDomain
import IdentityFederation
import IdentityStore
import Logging
import OAuth2
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

/// Logging in by accounts elsewhere; a file for each method ([ID-12]).
package struct FederatedLogins: FederatedLoginsService {
  let database: Database
  let environment: Environment
  let providers: [FederatedProvider]
  let redirectURIs: [String]
  let attempts: AuthorizationAttempts
  let tickets: IdentityTickets
  let sessions: NewSessions
  let recentAuthentication: RecentAuthentication
  /// What is asked of who takes a way to log in off, here and among passkeys.
  package let loginMethods: LoginMethods
  let events: Outbox
  let deliveryWorker: DeliveryWorker
  let idempotency: IdempotencyStore
  let throttles: Throttles
  let log: SecurityLog
  let logger: Logger

  /// Handlers over `database`.
  ///
  /// - Parameters:
  ///   - providers: whom users can log in by.
  ///   - redirectURIs: where providers may send browsers back to, the usual one first.
  ///   - seal: for what has to stay secret of attempts, for tickets, and for the answers that are kept to be repeated ([C-4]).
  ///   - policies: how often what may be done.
  package init(
    database: Database, environment: Environment, seal: Seal, tokens: AccessTokens, events: Outbox,
    deliveryWorker: DeliveryWorker,
    providers: [FederatedProvider], redirectURIs: [String], policies: ThrottlePolicies, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.providers = providers
    self.redirectURIs = redirectURIs
    attempts = AuthorizationAttempts(database: database, seal: seal, environment: environment)
    tickets = IdentityTickets(seal: seal, clock: environment.clock)
    sessions = NewSessions(environment: environment, tokens: tokens)
    recentAuthentication = RecentAuthentication(database: database, clock: environment.clock)
    loginMethods = LoginMethods(providers)
    self.events = events
    self.deliveryWorker = deliveryWorker
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    throttles = Throttles(database: database, clock: environment.clock, policies: policies)
    log = SecurityLog(environment: environment)
    self.logger = logger
  }

  /// The provider that users' identities of this issuer belong to; `nil` for one that is not among the settings any more.
  func provider(of issuer: String) -> FederatedProvider? { providers.first { $0.issuer == issuer } }

  /// Who has come back to an attempt of `owner`'s, which is thereby used up; `nil` when it was none, or was used before.
  ///
  /// The provider is the one that the attempt was begun at, whatever the answer says.
  func user(
    of answer: AuthorizationAnswer, state: String, by owner: AttemptOwner
  ) async throws -> FederatedUser? {
    guard let attempt = try await attempts.use(state: state, by: owner),
      let provider = providers.first(where: { $0.id == attempt.provider })
    else { return nil }
    do { return try await provider.user(of: answer, to: attempt) } catch {
      note(error, of: provider)
      throw error
    }
  }

  /// Lets the operator know of what only they can mend, or look into.
  func note(_ failure: OAuth2Failure, of provider: FederatedProvider) {
    let metadata: Logger.Metadata = ["provider": "\(provider.id)", "failure": "\(failure)"]
    switch failure {
    case .consentDenied, .grantRefused: logger.debug("a login by a provider came to nothing", metadata: metadata)
    case .temporary, .refused, .untrusted: logger.warning("a provider could not be used", metadata: metadata)
    }
  }
}
