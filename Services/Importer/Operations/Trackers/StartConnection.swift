import Identifiers
import ImporterDomain
import ImporterStore
import OAuth2
import Postgres

extension TrackerOperations {
  /// Attempts of one user that may be open: people who come back from a provider's page several times need a few.
  private static let maxAttempts = 20

  /// Begins an attempt to connect a tracker ([IM-2]).
  ///
  /// - Parameters:
  ///   - redirectURI: one of the settings'.
  ///   - historyDays: how much of the past the user wants; `nil` for as much as others get.
  /// - Returns: the page where the user consents, and until when that is waited for.
  /// - Throws: `TrackerRefusal.tooManyAttempts`.
  package func startConnection(
    of user: UserID, at provider: ConfiguredProvider, redirectURI: String, historyDays: Int32?, _ tx: Transaction
  ) async throws -> (url: String, expiresAt: Instant) {
    let now = environment.clock.now
    let open = try await tx.first(CountAttempts(userID: user, begunAfter: now - AuthorizationAttempts.lifetime))
    guard (open ?? 0) < Self.maxAttempts else { throw TrackerRefusal.tooManyAttempts }
    let secrets = try await attempts.begin(
      for: .user(user), at: provider.id, redirectURI: redirectURI, note: historyDays.map { "\($0)" } ?? "", in: tx)
    return (
      provider.authorizationURL(secrets, redirectURI: redirectURI), now + AuthorizationAttempts.lifetime
    )
  }
}
