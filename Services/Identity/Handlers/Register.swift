import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Postgres
import TandemIdentity
import TTRPC
import Timestamps

extension Accounts {
  /// Creates an unverified account and sends a verification mail ([ID-1]).
  package func register(_ call: RegisterRequest, _ context: CallContext) async throws -> RegisterResponse {
    let key = context.requestKey(UUID7(call.requestID))
    if !call.validateOnly, let first: RegisterResponse = try await idempotency.firstAnswer(to: call, key) {
      return first
    }
    let asked = ThrottleKey.address(of: context, .registerAddress)
    let places = ThrottleKey.registration(of: EmailAddress(call.email), from: context)
    let wanted = try await judged(for: context, after: [asked] + places) { judge in
      try await Registration(call, judge, reservedUsernames)
    }
    do { return try await register(wanted, call, key, places, context) } catch let refusal as NamesTaken
      where refusal.email || refusal.username
    {
      // The password was checked in vain, whichever name is taken ([ID-17]).
      let judgedForNothing = ThrottleKey.address(of: context, .refusedPasswordAddress)
      try await throttles.count(refusal.email ? [asked, judgedForNothing] : [judgedForNothing])
      throw refusal
    }
  }

  private func register(
    _ wanted: Registration, _ call: RegisterRequest, _ key: RequestKey?, _ places: [ThrottleKey],
    _ context: CallContext
  ) async throws -> RegisterResponse {
    if call.validateOnly {
      try await requireFree(wanted)
      try await throttles.count([.address(of: context, .refusedPasswordAddress)])
      return answer(nil, nil)
    }
    do { try await requireFree(wanted) } catch let refusal as NamesTaken {
      // The same request may have taken the names while its repetition was on its way here.
      if let first: RegisterResponse = try await idempotency.firstAnswer(to: call, key) { return first }
      throw refusal
    }
    let hash = try await passwords.hash(wanted.password.bytes, for: .registrations, of: context.clientNetwork)
    let account = try await idempotency.execute(call, key) { tx in
      let now = environment.clock.now
      try await tx.execute(FreeLapsedNames(email: wanted.email, username: wanted.username, now: now))
      let id: UserID = environment.newID()
      let secret = SecretToken(randomness: environment.randomness)
      let new = InsertAccount(
        userID: id, email: wanted.email, username: wanted.username, passwordHash: hash.description,
        registrationSecretHash: secret.hash, now: now)
      guard try await add(new, tx) != nil else {
        let taken = try await tx.first(TakenNames(email: wanted.email, username: wanted.username, now: now))
        throw NamesTaken(email: taken?.email ?? false, username: taken?.username ?? false)
      }
      try await tx.execute(NoteVerificationRequest(emailHash: Digest.sha256(wanted.email.key.utf8), now: now))
      try await tx.execute(
        InsertLinkMail(deliveryID: environment.newID(), userID: id, content: .emailVerification, now: now))
      // In the same transaction, so that a repeated request counts once; last, because all other registrations wait for
      // these rows.
      try await throttles.count(places, in: tx)
      return answer(id, secret)
    }
    deliveries.wake()
    return account
  }

  private func add(_ account: InsertAccount, _ tx: Transaction) async throws -> UserID? {
    do { return try await tx.first(account) } catch let error as PostgresError
      where UsernameConstraints.areBroken(by: error)
    {
      throw NamesTaken(email: false, username: true)
    } catch let error as PostgresError where EmailConstraints.areBroken(by: error) {
      throw NamesTaken(email: true, username: false)
    }
  }

  /// Avoids hashing for a name that is taken; the insert decides in the end.
  private func requireFree(_ wanted: Registration) async throws {
    let names = TakenNames(email: wanted.email, username: wanted.username, now: environment.clock.now)
    guard let taken = try await database.first(names), taken.email || taken.username else { return }
    throw NamesTaken(email: taken.email, username: taken.username)
  }

  private func answer(_ id: UserID?, _ secret: SecretToken?) -> RegisterResponse {
    let now = environment.clock.now
    return RegisterResponse(
      userID: id?.description ?? "", verificationExpireTime: (now + Lifetimes.verificationToken).timestamp,
      accountExpireTime: (now + Lifetimes.unverifiedAccount).timestamp, registrationSecret: secret?.text ?? "")
  }
}

/// The validated fields of the request; its names may still be taken.
private struct Registration {
  let email: EmailAddress
  let username: Username
  let password: Password
  let requestID: UUID7?

  init(_ call: RegisterRequest, _ judge: PasswordPolicy, _ reserved: ReservedUsernames) async throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    let email = fields.require("email", EmailAddress(call.email), EmailAddress.refusal, IdentityReason.emailInvalid)
    let username = fields.require("username", Username(call.username), Username.refusal, IdentityReason.usernameInvalid)
    fields.refuse(username, reservedBy: reserved)
    let password = fields.newPassword(
      "password", try await judge.judge(call.password, names: [call.username, call.email]))
    (self.email, self.username, self.password) = try fields.all(email, username, password)
  }
}
