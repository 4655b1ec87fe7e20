import FieldMasks
import FieldViolations
import Idempotency
import IdentityDomain
import IdentityOperations
import Identifiers
import TTRPC
import TandemIdentity

extension Groups {
  /// The fields of a group that a member may change.
  private enum Field: String, MaskedField {
    case name
  }

  /// Renames one of the caller's groups ([ID-42]).
  package func updateGroup(_ call: UpdateGroupRequest, _ context: CallContext) async throws -> Group {
    let member = try context.userID
    let new = call.group ?? Group()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let fields: Set<Field> = bad.fields(named: call.updateMask, immutable: Self.immutablePaths, otherwise: [.name])
    let groupID = bad.groupID("group.group_id", new.groupID)
    // A valid mask names the only field.
    let wanted = fields.isEmpty ? nil : bad.groupName(new.name)
    let (id, name) = try bad.all(groupID, wanted)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      Group(
        try await operations.updateGroup(id, name: name, by: member, ifMatching: new.etag.isEmpty ? nil : new.etag, tx))
    }
  }

  private static let immutablePaths: Set<String> = ["group_id", "member_count", "etag", "create_time"]
}
