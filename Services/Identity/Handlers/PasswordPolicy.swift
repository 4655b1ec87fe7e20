import Cryptography
import FieldViolations
import IdentityDomain
import IdentityStore
import TTRPC
import WorkerPool

/// Judges new passwords on threads of its own: a long one takes milliseconds, which an event loop's other calls would wait for ([ID-3]).
struct PasswordPolicy: Sendable {
  private let pool: BoundedPool
  private var client: String?

  /// - Parameter workers: passwords judged at a time, at most half of them one client's.
  init(workers: Int) { pool = BoundedPool(label: "tandem.strength", workers: workers, places: 256) }

  /// A judge whose work is queued as that of `client`: clients take turns.
  func acting(for client: String) -> PasswordPolicy {
    var judge = self
    judge.client = client
    return judge
  }

  /// What everybody knows of the place that the password is for: whoever guesses tries these first. Compared as names are, without case.
  static let contextWords = ["tandem", "training partner", "gym", "workout", "fitness"]

  /// Longer names are refused anyway, and taking them apart costs time.
  private static let maxNameLength = 300

  /// The password, or `nil` when it must not be chosen by somebody with these names.
  ///
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`.
  func acceptable(_ typed: String, names: [String]) async throws -> Password? {
    guard let password = Password(typed) else { return nil }
    let context = names.map { String($0.prefix(Self.maxNameLength)) } + Self.contextWords
    let score = try await pool.run(for: client) { PasswordStrength(of: password.text, context: context).rawValue }
    return password.isAcceptable(score: score) ? password : nil
  }
}

extension Accounts {
  /// What `judging` makes of a call with a new password, done only when nothing holds the call off ([ID-17]).
  ///
  /// A call that is refused for its fields is counted for the client's address: who sends weak passwords on purpose would otherwise have the
  /// judge's time for nothing. What is refused afterwards the caller counts, as Register does a name that is taken.
  ///
  /// - Parameter keys: what must have room besides.
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
