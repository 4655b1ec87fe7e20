import Idempotency
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations

extension Journeys {
  /// Triggers an alert in all groups of the caller, and in an alert adds those that do not see it yet ([TR-5]).
  package func startSOS(_ call: StartSOSRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    let now = environment.clock.now
    let position = call.position.map { ReportedPoint($0) }
    return try await idempotency.execute(call, try context.requestKey(of: call)) { tx in
      Journey(try await operations.startSOS(at: position, of: user, at: now, tx), of: user)
    }
  }
}

extension Journey {
  /// An alert as who has triggered it sees it, with what they have to know.
  fileprivate init(_ started: StartedAlert, of user: UserID) {
    self.init(started.alert, by: user)
    var sentences: [String] = []
    if started.hasNoGroup {
      sentences.append("No member was alerted: you are in no group.")
    } else if alertedMembers == 0 {
      sentences.append("No member was notified of the alert; your groups see it.")
    }
    if started.isPositionUnusable { sentences.append("The position could not be used.") }
    notice = sentences.joined(separator: " ")
  }
}
