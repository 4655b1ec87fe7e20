import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityFederation
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension FederatedLogins {
  /// Links the identity in a ticket to the caller's account ([ID-12]).
  package func linkIdentity(_ call: LinkIdentityRequest, _ context: CallContext) async throws -> LinkedIdentity {
    let account = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let key = context.requestKey(requestID)
    if let first: LinkedIdentity = try await idempotency.firstAnswer(to: call, key) { return first }
    guard let user = tickets.user(of: call.ticket, handle: call.handle) else { throw Status.ticketInvalid }
    return try await idempotency.execute(call, key) { tx in try await link(user, to: account, context, tx) }
  }

  /// Links an identity to the caller's account; has no effect if it is linked to it already.
  func link(
    _ user: FederatedUser, to account: UserID, _ context: CallContext, _ tx: Transaction
  ) async throws -> LinkedIdentity {
    let now = environment.clock.now
    try await tx.execute(FreeLapsedIdentity(issuer: user.issuer, subject: user.subject, now: now))
    // The account is locked, so that of two concurrent calls the later sees the effect of the earlier.
    guard try await tx.first(LockedAccount(userID: account)) != nil else { throw Status.notAUser }
    try await recentAuthentication.require(context, in: tx)
    let identities = try await tx.rows(IdentitiesOf(userID: account))
    if let own = identities.first(where: { $0.issuer == user.issuer && $0.subject == user.subject }) {
      return wire(own)
    }
    guard identities.count < FederatedLogin.maxOfAccount else { throw Status.tooManyIdentities }
    let identity = user.link(to: account, as: environment.newID(), at: now)
    guard try await tx.first(InsertIdentity(identity)) != nil else { throw Status.identityLinked }
    try await log.note(.identityLinked, of: account, session: try context.loginSessionID, by: context.origin, in: tx)
    try await securityMail.send(.identityLinked, to: account, by: context.origin, about: name(of: identity), in: tx)
    return wire(identity)
  }

  /// The name of an identity's provider; empty if it has been removed from the settings.
  func name(of identity: StoredIdentity) -> String { provider(of: identity.issuer)?.name ?? "" }

  /// The identity as its owner sees it.
  func wire(_ stored: StoredIdentity) -> LinkedIdentity {
    LinkedIdentity(
      id: stored.id.description, providerID: provider(of: stored.issuer)?.id ?? "", issuer: stored.issuer,
      email: stored.email ?? "", createTime: stored.createdAt.timestamp, lastUseTime: stored.lastUsedAt?.timestamp)
  }
}
