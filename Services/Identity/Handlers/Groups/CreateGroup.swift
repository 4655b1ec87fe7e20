import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import TTRPC
import TandemEvents
import TandemIdentity

extension Groups {
  /// Makes a group, of which the caller is the first member ([ID-40]).
  package func createGroup(_ call: CreateGroupRequest, _ context: CallContext) async throws -> Group {
    let creator = try context.accountID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.groupName(call.group?.name ?? "")
    let name = try bad.all(named)
    return try await replays.once(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) { tx in
      guard try await !tx.rows(LockPeople([creator])).isEmpty else { throw Status.notAUser }
      guard try await tx.first(CountGroups(of: creator)) ?? 0 < Membership.mostGroups else {
        throw Membership.AdditionRefusal.tooManyGroups
      }
      let (id, membership): (GroupID, MembershipID) = (ambient.newID(), ambient.newID())
      let now = ambient.clock.now
      guard let made = try await tx.first(InsertGroup(id: id, name, by: creator, membership, now: now)) else {
        preconditionFailure("an insert that does not fail returns its row")
      }
      try await events.publish(
        GroupCreated(
          groupID: id.description, name: name.text, creatorUserID: creator.description, createTime: now.timestamp),
        in: tx)
      try await memberships.tell(membership, of: creator, in: id, by: creator, tx: tx)
      return Group(made)
    }
  }
}
