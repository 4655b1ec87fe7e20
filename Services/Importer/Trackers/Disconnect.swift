import FieldViolations
import Idempotency
import ImporterDomain
import ImporterStore
import Jobs
import Postgres
import TTRPC
import TandemImporter

extension Trackers {
  /// Ends a connection; its tokens are revoked by a job ([IM-11]).
  package func disconnect(_ call: DisconnectRequest, _ context: CallContext) async throws -> DisconnectResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard let connection = try await tx.first(LockConnection(userID: user, provider: call.provider)) else {
        throw Status.notConnected
      }
      if let running = try await tx.first(RunningImport(userID: user, provider: call.provider)) {
        _ = try await imports.finish(running, .cancelled, at: nil, tx)
      }
      try await tx.cancel(.syncTracker, key: "\(connection.id)")
      try await tx.execute(DropChangedActivities(connectionID: connection.id))
      if connection.state == .needsConsent {
        // There is nothing left to revoke.
        try await tx.execute(DeleteConnection(connectionID: connection.id))
      } else {
        let now = environment.clock.now
        try await tx.execute(EndConnection(now: now, connectionID: connection.id))
        try await tx.schedule(Job(.revokeTracker, "\(connection.id)", at: now, key: "\(connection.id)"), with: jobs)
      }
      return DisconnectResponse()
    }
  }
}
