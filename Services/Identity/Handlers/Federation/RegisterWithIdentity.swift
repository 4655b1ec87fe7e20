import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityFederation
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps
import VisibleText

extension FederatedLogins {
  /// Creates an account without a password for a user who is authenticated by a provider ([ID-1], [ID-12]).
  package func registerWithIdentity(
    _ call: RegisterWithIdentityRequest, _ context: CallContext
  ) async throws -> RegisterWithIdentityResponse {
    // Before the ticket is checked, which may have expired when the call is repeated.
    let key = context.requestKey(UUID7(call.requestID))
    if !call.validateOnly, let first: RegisterWithIdentityResponse = try await idempotency.firstAnswer(to: call, key) {
      return first
    }
    let user = tickets.user(of: call.ticket, handle: call.handle)
    let wanted = try FederatedRegistration(call, user, reservedUsernames)
    guard let user else { throw Status.ticketInvalid }
    let asked = ThrottleKey.address(of: context, .registerAddress)
    let places = ThrottleKey.registration(of: wanted.email, from: context)
    try await throttles.requireRoom([asked] + places)
    do {
      let answer = try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
        let answer = try await register(wanted, user, context, tx)
        // Counted last, because all other registrations wait for these rows.
        try await throttles.count(places, in: tx)
        return answer
      }
      return call.validateOnly ? answer.dryRun : answer
    } catch let refusal as NamesTaken where refusal.email {
      // The response reveals that the address is registered; as in Register, such responses are limited.
      try await throttles.count([asked])
      throw refusal
    }
  }

  private func register(
    _ wanted: FederatedRegistration, _ user: FederatedUser, _ context: CallContext, _ tx: Transaction
  ) async throws -> RegisterWithIdentityResponse {
    let (now, id) = (environment.clock.now, environment.newID() as UserID)
    try await tx.execute(
      wanted.isVerified
        ? FreeLapsedNames(provedEmail: wanted.email, username: wanted.username, now: now)
        : FreeLapsedNames(email: wanted.email, username: wanted.username, now: now))
    try await tx.execute(FreeLapsedIdentity(issuer: user.issuer, subject: user.subject, now: now))
    let secret = wanted.isVerified ? nil : SecretToken(randomness: environment.randomness)
    let account = InsertFederatedAccount(
      userID: id, email: wanted.email, username: wanted.username, registrationSecretHash: secret?.hash, now: now)
    try await add(account, wanted, tx)
    guard try await tx.first(InsertIdentity(user.link(to: id, as: environment.newID(), at: now))) != nil else {
      throw Status.identityLinked
    }
    try await log.note(.identityLinked, of: id, by: context.origin, in: tx)
    if let secret {
      try await tx.execute(NoteVerificationRequest(emailHash: Digest.sha256(wanted.email.key.utf8), now: now))
      try await tx.execute(
        InsertLinkMail(deliveryID: environment.newID(), userID: id, content: .emailVerification, now: now))
      tx.afterCommit { [deliveries] in deliveries.wake() }
      return RegisterWithIdentityResponse(
        userID: id.description, verificationExpireTime: (now + Lifetimes.verificationToken).timestamp,
        accountExpireTime: (now + Lifetimes.unverifiedAccount).timestamp, registrationSecret: secret.text)
    }
    try await events.publish(AccountNamed(userID: id.description, username: wanted.username.spelling), in: tx)
    try await notifier.notify([.welcome(id)], in: tx)
    let opened = try await sessions.open(
      for: id, wanted.deviceLabel, on: nil, by: context.origin, as: .loggedInByIdentity, provedAt: user.provedAt,
      in: tx)
    return RegisterWithIdentityResponse(userID: id.description, login: LoginResponse(opened))
  }

  private func add(_ account: InsertFederatedAccount, _ wanted: FederatedRegistration, _ tx: Transaction) async throws {
    let added: UserID?
    do { added = try await tx.first(account) } catch let error as PostgresError
      where UsernameConstraints.areBroken(by: error) || EmailConstraints.areBroken(by: error)
    {
      // The name is reserved for the user who gave it up, which `on conflict` does not detect.
      let isEmail = EmailConstraints.areBroken(by: error)
      throw NamesTaken(email: isEmail, username: !isEmail)
    }
    guard added != nil else {
      let taken = try await tx.first(
        TakenNames(email: wanted.email, username: wanted.username, now: environment.clock.now))
      throw NamesTaken(email: taken?.email ?? false, username: taken?.username ?? false)
    }
  }
}

extension RegisterWithIdentityResponse {
  /// The response of a dry run: without the id and tokens of an account that does not exist ([C-6]).
  fileprivate var dryRun: RegisterWithIdentityResponse {
    RegisterWithIdentityResponse(verificationExpireTime: verificationExpireTime, accountExpireTime: accountExpireTime)
  }
}

extension FederatedUser {
  func link(to account: UserID, as id: IdentityLinkID, at now: Instant) -> StoredIdentity {
    StoredIdentity(
      id: id, userID: account, issuer: issuer, subject: subject, email: email?.spelling, createdAt: now,
      lastUsedAt: nil)
  }
}

/// The validated fields of the request; its names may still be taken.
private struct FederatedRegistration {
  let email: EmailAddress
  /// Whether the provider has verified this very address.
  let isVerified: Bool
  let username: Username
  let deviceLabel: DeviceLabel

  /// - Parameter user: `nil` for an invalid ticket; the other fields are checked all the same.
  init(_ call: RegisterWithIdentityRequest, _ user: FederatedUser?, _ reserved: ReservedUsernames) throws {
    var bad = Violations()
    _ = bad.requestID(call.requestID)
    let typed = call.email.isEmpty ? user?.email : EmailAddress(call.email)
    // Without a valid ticket the default address is unknown.
    if call.email.isEmpty, user == nil { throw Status.ticketInvalid }
    let email = bad.require("email", typed, EmailAddress.refusal, IdentityReason.emailInvalid)
    let username = bad.require("username", Username(call.username), Username.refusal, IdentityReason.usernameInvalid)
    bad.refuse(username, reservedBy: reserved)
    let label = bad.require(
      "device_label", DeviceLabel.read(call.deviceLabel), IdentityReason.deviceLabelInvalid)
    (self.email, self.username, deviceLabel) = try bad.all(email, username, label)
    let verified = user.flatMap { $0.isEmailVerified ? $0.email?.key : nil }
    isVerified = verified == self.email.key
  }
}
