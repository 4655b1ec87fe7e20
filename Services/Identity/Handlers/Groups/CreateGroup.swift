import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps

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
      guard try await !tx.rows(LockUsers(userIDs: [creator])).isEmpty else { throw Status.notAUser }
      let groups = try await tx.first(CountGroups(userID: creator)) ?? 0
      if let refusal = Membership.refusal(members: 0, groups: Int(groups)) { throw refusal }
      let (id, membership): (GroupID, MembershipID) = (environment.newID(), environment.newID())
      let now = environment.clock.now
      let new = InsertGroup(groupID: id, name: name.text, now: now, userID: creator, membershipID: membership)
      guard let made = try await tx.first(new) else {
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
