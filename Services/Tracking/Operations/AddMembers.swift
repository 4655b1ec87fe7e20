import Identifiers
import Postgres
import TrackingDomain
import TrackingStore
import Usernames

/// A membership of a user in a group, as identity reports it.
package struct ReportedMembership: Sendable {
  let groupID: GroupID
  let userID: UserID
  let id: MembershipID
  let joinedAt: Instant

  package init(_ id: MembershipID, of userID: UserID, in groupID: GroupID, since joinedAt: Instant) {
    (self.id, self.userID, self.groupID, self.joinedAt) = (id, userID, groupID, joinedAt)
  }

  struct Pair: Hashable { let group: GroupID, user: UserID }
  var pair: Pair { Pair(group: groupID, user: userID) }
}

extension TrackerOperations {
  /// Stores new members of groups, and shows them there ([ID-43]).
  package func addMembers(_ added: [ReportedMembership], _ tx: Transaction) async throws {
    // Of several memberships of one user in one group the last one.
    let last = Array(Dictionary(added.map { ($0.pair, $0) }) { $1 }.values)
    // Users before trackers, as everywhere.
    try await tx.execute(HoldUsers(userIDs: last.map(\.userID)))
    let (_, _, new) = try await tx.rows(
      LockTrackersOfNewMembers(
        groupIDs: last.map(\.groupID), userIDs: last.map(\.userID), membershipIDs: last.map(\.id)),
      EnterGroups(groupIDs: last.map(\.groupID)), AddMemberships(last))
    try await changes.store(new.map { GroupChange(.joined, of: $0.userID, in: $0.groupID, state: .inactive) }, tx)
    // Behind their joining.
    try await showAlerts(of: Set(new.map(\.userID)).sorted(), tx)
  }

  /// Shows new members of groups in SOS there ([TR-5]).
  private func showAlerts(of users: [UserID], _ tx: Transaction) async throws {
    let inSOS = try await tx.rows(OpenAlertsOf(userIDs: users))
    guard !inSOS.isEmpty else { return }
    var loaded = try await trackers.locked(inSOS, tx)
    for place in loaded.indices { loaded[place].showAlert(at: environment.clock.now) }
    try await trackers.store(loaded, tx)
  }
}

extension AddMemberships {
  fileprivate init(_ memberships: [ReportedMembership]) {
    self.init(
      groupIDs: memberships.map(\.groupID), userIDs: memberships.map(\.userID),
      membershipIDs: memberships.map(\.id), joinedAts: memberships.map(\.joinedAt))
  }
}
