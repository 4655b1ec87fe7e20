import FieldViolations
import Idempotency
import ImporterOperations
import TTRPC
import TandemImporter
import Timestamps

extension Trackers {
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
    let provider = try operations.provider(call.provider)
    try await operations.requireOpen(provider)
    let historyDays = call.historyDays == 0 ? nil : call.historyDays
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let (url, expiresAt) = try await operations.startConnection(
        of: user, at: provider, redirectURI: redirectURI, historyDays: historyDays, tx)
      return StartConnectionResponse(authorizationURL: url, expireTime: expiresAt.timestamp)
    }
  }
}
