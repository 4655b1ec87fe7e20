import Environment
import Cryptography
import Events
import Idempotency
import Identifiers
import IdentityDomain
import IdentityFederation
import IdentityOperations
import IdentityStore
import Logging
import OAuth2
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

/// Logins by identity providers; one file for each method ([ID-12]).
package struct FederatedLogins: FederatedLoginsService {
  let database: Database
  let environment: Environment
  let providers: [FederatedProvider]
  let redirectURIs: [String]
  let attempts: AuthorizationAttempts
  let tickets: IdentityTickets
  let sessions: NewSessions
  let recentAuthentication: RecentAuthentication
  /// Checks the removal of a login method, here and for passkeys.
  package let loginMethods: LoginMethods
  let events: Outbox
  let deliveries: any DeliverySignalling
  let idempotency: IdempotencyStore
  let throttles: Throttles
  let log: SecurityLog
  let securityMail: SecurityMail
  let reservedUsernames: ReservedUsernames
  let notifier: Notifier
  let logger: Logger

  /// - Parameters:
  ///   - providers: the providers that users can log in by.
  ///   - reservedUsernames: the usernames that no new account gets.
  ///   - redirectURIs: where providers may send browsers back to, the default first.
  ///   - seal: for the secrets of attempts, for tickets, and for responses that are stored for repeated requests
  ///     ([C-4]).
  ///   - policies: the limits of throttles.
  package init(
    database: Database, environment: Environment, seal: Seal, tokens: AccessTokens, endedSessions: EndedSessions,
    events: Outbox, deliveries: any DeliverySignalling, providers: [FederatedProvider], redirectURIs: [String],
    reservedUsernames: ReservedUsernames,
    policies: ThrottlePolicies, notifier: Notifier, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.providers = providers
    self.redirectURIs = redirectURIs
    attempts = AuthorizationAttempts(database: database, seal: seal, environment: environment)
    tickets = IdentityTickets(seal: seal, clock: environment.clock)
    securityMail = SecurityMail(environment: environment, deliveries: deliveries)
    sessions = NewSessions(
      database: database, environment: environment, tokens: tokens, endedSessions: endedSessions, mail: securityMail)
    recentAuthentication = RecentAuthentication(database: database, clock: environment.clock)
    loginMethods = LoginMethods(providers)
    self.events = events
    self.deliveries = deliveries
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    throttles = Throttles(database: database, clock: environment.clock, policies: policies)
    log = SecurityLog(environment: environment)
    self.reservedUsernames = reservedUsernames
    self.notifier = notifier
    self.logger = logger
  }

  /// The configured provider with this issuer; `nil` if it has been removed from the settings.
  func provider(of issuer: String) -> FederatedProvider? { providers.first { $0.issuer == issuer } }

  /// The user who has come back to an attempt of `owner`, which is used up by this; `nil` when the attempt is unknown
  /// or was used before.
  ///
  /// The provider is the one at which the attempt was started, whatever the response claims.
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

  /// Logs failures that the operator has to fix or investigate.
  func note(_ failure: OAuth2Failure, of provider: FederatedProvider) {
    let metadata: Logger.Metadata = ["provider": "\(provider.id)", "failure": "\(failure)"]
    switch failure {
    case .consentDenied, .grantRefused: logger.debug("a login by a provider came to nothing", metadata: metadata)
    case .temporary, .refused, .untrusted: logger.warning("a provider could not be used", metadata: metadata)
    }
  }
}
