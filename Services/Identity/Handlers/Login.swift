import ClientAddresses
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
import VisibleText

extension Accounts {
  /// Starts a session for a user with the right password ([ID-5]); throttles guesses ([ID-10]).
  package func login(_ call: LoginRequest, _ context: CallContext) async throws -> LoginResponse {
    let attempt = try LoginAttempt(call)
    let key = context.requestKey(attempt.requestID)
    if let first: LoginResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let device = try await sessions.devices.device(of: call.deviceToken)
    if device == nil { try throttles.requireUnrefusedLogins(.address(of: context, .loginAddress)) }
    try passwords.requirePlace(for: context.clientNetwork)
    let found = try await credentials(of: attempt.name)
    let guess =
      found.map { PasswordAttempt(at: $0.userID, on: device, from: context) }
      ?? PasswordAttempt(at: attempt.comparedName, from: context)
    let account = try await check(attempt.password, of: found, guess, by: context, orThrow: .incorrectCredentials)
    guard account.isVerified, !account.isLocked else {
      try await database.transaction { tx in try await guess.succeed(throttles, in: tx) }
      throw account.isLocked ? Status.accountLocked : .emailNotVerified
    }
    return try await idempotency.execute(call, key) { tx in
      // The account was deleted or locked, or its password was changed, after this one was checked.
      guard try await tx.first(HoldPassword(account)) != nil else { throw Status.incorrectCredentials }
      try await guess.succeed(throttles, in: tx)
      return LoginResponse(
        try await sessions.open(for: account.userID, attempt.deviceLabel, on: device, by: context.origin, in: tx))
    }
  }

  private func credentials(of name: LoginAttempt.Name) async throws -> Credentials? {
    switch name {
    case .email(let email): try await database.first(CredentialsByEmail(email: email, now: environment.clock.now))
    case .username(let username):
      try await database.first(CredentialsByUsername(username: username, now: environment.clock.now))
    // No account can have such a name. The time of the skipped query is negligible beside the hash.
    case .impossible: nil
    }
  }
}

/// The validated fields of the request.
private struct LoginAttempt {
  enum Name {
    case email(EmailAddress)
    case username(Username)
    /// A text that cannot be registered.
    case impossible(String)
  }

  let name: Name
  /// `nil` for a text that cannot be a password.
  let password: Password?
  let deviceLabel: DeviceLabel
  let requestID: UUID7?

  init(_ call: LoginRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    if call.emailOrUsername.isEmpty {
      fields.add("email_or_username", "The email address or username is missing", IdentityReason.nameRequired)
    }
    if call.password.isEmpty { fields.add("password", "The password is missing", IdentityReason.passwordRequired) }
    let label = fields.require(
      "device_label", DeviceLabel.read(call.deviceLabel), IdentityReason.deviceLabelInvalid)
    deviceLabel = try fields.all(label)
    password = Password(call.password)
    let name: Name? =
      call.emailOrUsername.utf8.contains(UInt8(ascii: "@"))
      ? EmailAddress(call.emailOrUsername).map { .email($0) } : Username(call.emailOrUsername).map { .username($0) }
    self.name = name ?? .impossible(call.emailOrUsername)
  }

  /// The form in which names are compared, for throttling.
  var comparedName: String {
    switch name {
    case .email(let email): email.key
    case .username(let username): username.key
    case .impossible(let text): text
    }
  }
}
