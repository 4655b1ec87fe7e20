import FieldViolations
import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Locations {
  /// Returns the states and last known positions of all members of some groups.
  package func getMembers(_ call: GetMembersRequest, _ context: CallContext) async throws -> GetMembersResponse {
    let viewer = try context.userID
    var bad = Violations()
    let groups = bad.groupIDs(call.groupIds) ?? []
    try bad.check()
    let found = try await snapshots(of: groups, for: viewer)
    guard found.count == groups.count else { throw MemberRefusal.noSuchGroup }
    return GetMembersResponse(groups: groups.compactMap { found[$0] })
  }

  /// The members of those groups that the viewer is a member of, as the viewer sees them, with the number of the last change.
  func snapshots(of groups: [GroupID], for viewer: UserID) async throws -> [GroupID: GroupMembers] {
    Self.snapshots(try await database.rows(MembersSeen(viewerID: viewer, groupIDs: groups)))
  }

  static func snapshots(_ rows: [MembersSeen.Row]) -> [GroupID: GroupMembers] {
    var found: [GroupID: GroupMembers] = [:]
    for row in rows {
      let empty = GroupMembers(groupID: row.groupID.description, sequence: row.sequence, epoch: row.epoch)
      found[row.groupID, default: empty].members.append(Member(row))
    }
    return found
  }
}
