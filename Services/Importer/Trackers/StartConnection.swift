import FieldViolations
import Idempotency
import Identifiers
import ImporterStore
import OAuth2
import TTRPC
import TandemImporter
import Timestamps

extension Trackers {
  /// Attempts of one user that may be open: people who come back from a provider's page several times need a few.
  private static let maxAttempts = 20

  /// What users may choose of the past; 0 for what is usual.
  private static let historyDays: ClosedRange<Int32> = 0...36_500

  /// Returns the URL of the page where the user consents ([IM-2]).
  package func startConnection(
    _ call: StartConnectionRequest, _ context: CallContext
  ) async throws -> StartConnectionResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    // Only redirect URIs in the settings are allowed, compared exactly: the provider sends codes there.
    let allowed = call.redirectURI.isEmpty ? redirectURIs.first : redirectURIs.first { $0 == call.redirectURI }
    let uri = bad.require(
      "redirect_uri", allowed, "The redirect_uri is none of the service's", ImporterReason.redirectURIUnknown)
    if !Self.historyDays.contains(call.historyDays) {
      bad.add(
        "history_days", "history_days is a number from 0 to \(Self.historyDays.upperBound)",
        ImporterReason.historyDaysInvalid)
    }
    let redirectURI = try bad.all(uri)
    let provider = try provider(call.provider)
    try await expectOpen(provider)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let now = environment.clock.now
      let open = try await tx.first(
        CountAttempts(userID: user, begunAfter: now - AuthorizationAttempts.lifetime))
      guard (open ?? 0) < Self.maxAttempts else { throw Status.tooManyAttempts }
      let secrets = try await attempts.begin(
        for: .user(user), at: provider.id, redirectURI: redirectURI,
        note: call.historyDays == 0 ? "" : "\(call.historyDays)",
        in: tx)
      return StartConnectionResponse(
        authorizationURL: provider.authorizationURL(secrets, redirectURI: redirectURI),
        expireTime: (now + AuthorizationAttempts.lifetime).timestamp)
    }
  }
}
