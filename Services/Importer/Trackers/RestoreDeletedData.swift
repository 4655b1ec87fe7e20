import FieldViolations
import Idempotency
import Identifiers
import ImporterStore
import Postgres
import TTRPC
import TandemImporter

extension Trackers {
  /// Forgets what the user has deleted here of a tracker, and starts an import that brings it back ([IM-11]).
  package func restoreDeletedData(_ call: RestoreDeletedDataRequest, _ context: CallContext) async throws -> Import {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    let provider = try provider(call.provider)
    try await expectOpen(provider)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard let found = try await tx.first(LockConnection(userID: user, provider: provider.id)) else {
        throw Status.notConnected
      }
      guard found.state == .connected else { throw Status.consentNeeded }
      try await tx.execute(ForgetDeletedActivities(userID: user, provider: provider.id))
      try await tx.execute(ForgetDeletedProvider(userID: user, provider: provider.id))
      try await tx.execute(RestoreDeleted(connectionID: found.id))
      let connection = try await tx.first(LockConnection(userID: user, provider: provider.id)) ?? found
      return try await begun(of: user, connection, at: provider, tx)
    }
  }
}
