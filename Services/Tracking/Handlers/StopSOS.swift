import Idempotency
import TTRPC
import TandemTracking
import TrackingOperations

extension Journeys {
  /// Stops the caller's alert ([TR-5]).
  package func stopSOS(_ call: StopSOSRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    return try await idempotency.execute(call, try context.requestKey(of: call)) { tx in
      Journey(try await operations.stopSOS(of: user, tx), by: user)
    }
  }
}
