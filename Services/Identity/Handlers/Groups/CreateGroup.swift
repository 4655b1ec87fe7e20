import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import TTRPC
import TandemIdentity

extension Groups {
  /// Creates a group with the caller as its first member ([ID-40]).
  package func createGroup(_ call: CreateGroupRequest, _ context: CallContext) async throws -> Group {
    let creator = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.groupName(call.group?.name ?? "")
    let name = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      Group(try await operations.createGroup(name, by: creator, tx))
    }
  }
}
