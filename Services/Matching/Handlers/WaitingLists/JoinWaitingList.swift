import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import MatchingStore
import TTRPC
import TandemMatching

extension WaitingLists {
  /// Adds the caller to the end of a session's waiting list.
  package func joinWaitingList(
    _ call: JoinWaitingListRequest, _ context: CallContext
  ) async throws -> WaitingListEntry {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.sessionID(call.sessionID)
    let id = try bad.all(named)
    let key = context.requestKey(requestID)
    if let first: WaitingListEntry = try await idempotency.firstAnswer(to: call, key) { return first }
    let applicant = try await operations.lookUpApplicant(user)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      WaitingListEntry(try await operations.joinWaitingList(of: id, applicant, tx))
    }
  }
}
