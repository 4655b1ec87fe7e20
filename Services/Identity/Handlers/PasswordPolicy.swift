import Cryptography
import FieldViolations
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity
import WorkerPool

/// Checks the strength of new passwords on its own threads: a long one takes milliseconds, which would block an event
/// loop ([ID-3]).
struct PasswordPolicy: Sendable {
  private let pool: BoundedPool
  private var client: String?

  /// - Parameter workers: the number of passwords checked at a time, at most half of them for one client.
  init(workers: Int) { pool = BoundedPool(label: "tandem.strength", workers: workers, places: 256) }

  /// The policy with its work queued for `client`: clients take turns.
  func acting(for client: String) -> PasswordPolicy {
    var judge = self
    judge.client = client
    return judge
  }

  /// Words that are obvious for this service, which an attacker tries first. Matched like names, ignoring case.
  static let contextWords = ["tandem", "training partner", "gym", "workout", "fitness"]

  /// Longer names are refused anyway, and analysing them takes time.
  private static let maxNameLength = 300

  /// Returns the password, or the part of the rule for which a user with these names may not choose it.
  ///
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`.
  func judge(_ typed: String, names: [String]) async throws -> Result<Password, Password.Weakness> {
    let password: Password
    switch Password.ofNewLength(typed) {
    case .success(let long): password = long
    case .failure(let weakness): return .failure(weakness)
    }
    let context = names.map { String($0.prefix(Self.maxNameLength)) } + Self.contextWords
    let strength = try await pool.run(for: client) { PasswordStrength(of: password.text, context: context, on: $0) }
    if password.isAcceptable(score: strength.rawValue) { return .success(password) }
    return .failure(PasswordStrength.isCommon(password.text) ? .common : .guessable)
  }
}

extension Violations {
  /// A new password that was judged; `nil`, with a violation that tells which part of the rule it fails, for a weak one.
  mutating func newPassword(_ field: String, _ judged: Result<Password, Password.Weakness>) -> Password? {
    switch judged {
    case .success(let password): return password
    case .failure(let weakness):
      add(
        FieldViolation(
          field: field, description: Password.refusal, reason: IdentityReason.passwordNotStrongEnough.rawValue,
          part: .init(name: weakness.rawValue, text: weakness.text)))
      return nil
    }
  }
}

extension Accounts {
  /// Runs `judging`, which checks the new password of a call, unless the call is throttled ([ID-17]).
  ///
  /// A call with invalid fields is counted for the client's address: otherwise a client could send weak passwords to
  /// waste the time of the check. The caller counts later refusals, as Register does for a name that is taken.
  ///
  /// - Parameter keys: further throttles that must allow the call.
  func judged<Value>(
    for context: CallContext, after keys: [ThrottleKey] = [], _ judging: (PasswordPolicy) async throws -> Value
  ) async throws -> Value {
    let refused = ThrottleKey.address(of: context, .refusedPasswordAddress)
    try await throttles.requireRoom(keys + [refused])
    do { return try await judging(judge.acting(for: context.clientNetwork)) } catch let refusal as BadFields {
      try await throttles.count([refused])
      throw refusal
    }
  }
}
