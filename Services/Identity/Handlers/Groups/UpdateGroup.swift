import FieldMasks
import FieldViolations
import Idempotency
import IdentityDomain
import IdentityStore
import Identifiers
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps

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
      let (group, _) = try await memberships.locked(id, for: member, in: tx)
      guard new.etag.isEmpty || new.etag == group.etag else { throw Status.groupEtagMismatch }
      guard name.text != group.name, let renamed = try await tx.first(RenameGroup(name: name.text, groupID: id)) else {
        return Group(group)
      }
      try await events.publish(
        GroupRenamed(
          groupID: id.description, name: name.text, actorUserID: member.description,
          renameTime: environment.clock.now.timestamp), in: tx)
      return Group(renamed)
    }
  }

  private static let immutablePaths: Set<String> = ["group_id", "member_count", "etag", "create_time"]
}
