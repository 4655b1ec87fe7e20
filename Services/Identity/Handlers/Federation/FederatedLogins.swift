import Ambient
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
  let ambient: Ambient
  let providers: [FederatedProvider]
  let redirectURIs: [String]
  let attempts: AuthorizationAttempts
  let tickets: IdentityTickets
  let sessions: NewSessions
  let freshLogins: FreshLogins
  /// What is asked of who takes a way to log in off, here and among passkeys.
  package let waysIn: WaysIn
  let events: Outbox
  let deliveryRoom: DeliveryRoom
  let replays: Replays
  let throttles: Throttles
  let log: SecurityLog
  let logger: Logger

  /// Handlers over `database`.
  ///
  /// - Parameters:
  ///   - providers: whom people can log in by.
  ///   - redirectURIs: where providers may send browsers back to, the usual one first.
  ///   - seal: for what has to stay secret of attempts, for tickets, and for the answers that are kept to be repeated ([C-4]).
  ///   - policies: how often what may be done.
  package init(
    database: Database, ambient: Ambient, seal: Seal, tokens: AccessTokens, events: Outbox, deliveryRoom: DeliveryRoom,
    providers: [FederatedProvider], redirectURIs: [String], policies: ThrottlePolicies, logger: Logger
  ) {
    self.database = database
    self.ambient = ambient
    self.providers = providers
    self.redirectURIs = redirectURIs
    attempts = AuthorizationAttempts(database: database, seal: seal, ambient: ambient)
    tickets = IdentityTickets(seal: seal, clock: ambient.clock)
    sessions = NewSessions(ambient: ambient, tokens: tokens)
    freshLogins = FreshLogins(database: database, clock: ambient.clock)
    waysIn = WaysIn(providers)
    self.events = events
    self.deliveryRoom = deliveryRoom
    replays = Replays(database: database, seal: seal, clock: ambient.clock)
    throttles = Throttles(database: database, clock: ambient.clock, policies: policies)
    log = SecurityLog(ambient: ambient)
    self.logger = logger
  }

  /// The provider that people's identities of this issuer belong to; `nil` for one that is not among the settings any more.
  func provider(of issuer: String) -> FederatedProvider? { providers.first { $0.issuer == issuer } }

  /// Who has come back to an attempt of `owner`'s, which is thereby used up; `nil` when it was none, or was used before.
  ///
  /// The provider is the one that the attempt was begun at, whatever the answer says.
  func person(
    of answer: AuthorizationAnswer, state: String, by owner: AttemptOwner
  ) async throws -> FederatedPerson? {
    guard let attempt = try await attempts.use(state: state, by: owner),
      let provider = providers.first(where: { $0.id == attempt.provider })
    else { return nil }
    do { return try await provider.person(of: answer, to: attempt) } catch {
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
