import Cryptography
import IdentityDomain

/// Judges new passwords on a thread of its own: a long one takes milliseconds, which an event loop's other calls would wait for ([ID-3]).
struct PasswordJudge: Sendable {
  private let pool = BoundedPool(label: "tandem.strength", workers: 1, places: 256)

  /// What everybody knows of the place that the password is for: whoever guesses tries these first. Compared as names are, without case.
  static let contextWords = ["tandem", "training partner", "gym", "workout", "fitness"]

  /// Longer names are refused anyway, and taking them apart costs time.
  private static let longestName = 300

  /// The password, or `nil` when it must not be chosen by somebody with these names.
  ///
  /// - Throws: `BoundedPool.Overloaded`, `CancellationError`.
  func acceptable(_ typed: String, names: [String]) async throws -> Password? {
    guard let password = Password(typed) else { return nil }
    let context = names.map { String($0.prefix(Self.longestName)) } + Self.contextWords
    let score = try await pool.run { PasswordStrength(of: password.text, context: context).rawValue }
    return password.isAcceptable(score: score) ? password : nil
  }
}
