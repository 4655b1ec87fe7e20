import Events
import Identifiers
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps
import TrackingDomain
import TrackingHandlers
import TrackingStore
import Usernames

extension EventSubscription {
  /// Stores the members of groups, who accepted the invitation, and tells viewers of groups who joins and leaves ([ID-43], [TR-12]).
  ///
  /// Where events are gone, identity is asked for all memberships.
  package static func groups(_ changes: GroupChanges, _ trackers: Trackers) -> EventSubscription {
    EventSubscription(
      of: "identity", name: "groups", beginning: .first,
      handlers: [
        EventHandler(batchesOf: GroupCreated.self) { events, tx in
          try await tx.execute(PutGroups(try events.map { try NamedGroup(wire: $0.message.groupID, $0.message.name) }))
        },
        EventHandler(batchesOf: GroupRenamed.self) { events, tx in
          try await tx.execute(PutGroups(try events.map { try NamedGroup(wire: $0.message.groupID, $0.message.name) }))
        },
        EventHandler(batchesOf: GroupMemberAdded.self) { events, tx in
          let added = try events.map { event in
            try ReportedMembership(
              wire: event.message.groupID, event.message.userID, event.message.membershipID,
              joinedAt: try Instant(wire: event.message.addTime ?? .init()))
          }
          try await add(added, changes, trackers, tx)
        },
        EventHandler(batchesOf: GroupMemberRemoved.self) { events, tx in
          let ended = try events.map { event in
            try ReportedMembership(
              wire: event.message.groupID, event.message.userID, event.message.membershipID,
              joinedAt: try Instant(wire: event.message.removeTime ?? .init()))
          }
          try await remove(ended, changes, tx)
        },
        EventHandler(batchesOf: GroupDeleted.self) { events, tx in
          let groups = try events.map { try NamedGroup(wire: $0.message.groupID, "").id }
          try await tx.execute(MarkGroupsDeleted(now: changes.now, groupIDs: groups))
        },
      ],
      resync: { source in
        let listed = try await listed(by: source.producer)
        return { tx in
          let removed = try await tx.rows(RemoveOtherMemberships(membershipIDs: listed.memberships.map(\.id)))
          // Who is a member again has not left, as far as views go: the new membership begins with its joining.
          let members = Set(listed.memberships.map(\.pair))
          let left = removed.filter { !members.contains(ReportedMembership.Pair(group: $0.groupID, user: $0.userID)) }
          try await changes.store(left.map { GroupChange(.left, of: $0.userID, in: $0.groupID, state: .inactive) }, tx)
          for start in stride(from: 0, to: listed.memberships.count, by: stored) {
            let some = listed.memberships[start..<min(start + stored, listed.memberships.count)]
            try await tx.execute(PutGroups(some.compactMap { listed.groups[$0.groupID] }))
            try await add(Array(some), changes, trackers, tx)
          }
          try await tx.execute(MarkMemberlessGroupsDeleted(now: changes.now))
        }
      })
  }

  private static func add(
    _ added: [ReportedMembership], _ changes: GroupChanges, _ trackers: Trackers, _ tx: Transaction
  ) async throws {
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
    try await trackers.showAlerts(of: Set(new.map(\.userID)).sorted(), tx)
  }

  private static func remove(_ ended: [ReportedMembership], _ changes: GroupChanges, _ tx: Transaction) async throws {
    let (_, members) = try await tx.rows(
      RemoveMemberships(
        groupIDs: ended.map(\.groupID), userIDs: ended.map(\.userID), membershipIDs: ended.map(\.id)),
      MembersAmong(groupIDs: ended.map(\.groupID), userIDs: ended.map(\.userID)))
    // The end of a membership that was followed by another, which is stored already, ends no view of that one.
    let newer = Set(members.map { ReportedMembership.Pair(group: $0.groupID, user: $0.userID) })
    // Told although the row was removed before, with the account.
    try await changes.store(
      ended.filter { !newer.contains($0.pair) }.map {
        GroupChange(.left, of: $0.userID, in: $0.groupID, state: .inactive)
      }, tx)
  }

  /// Memberships stored by one statement.
  private static let stored = 5_000
  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// A page takes identity one lookup in an index.
  private static let timeout = Duration.seconds(10)

  private static func listed(
    by identity: any RPCChannel
  ) async throws -> (memberships: [ReportedMembership], groups: [GroupID: NamedGroup]) {
    let directory = DirectoryClient(identity)
    var (memberships, groups, call) = (
      [ReportedMembership](), [GroupID: NamedGroup](), ListMembershipsRequest(pageSize: pageSize)
    )
    repeat {
      let page = try await directory.listMemberships(call, CallOptions(timeout: timeout))
      for wire in page.memberships {
        let membership = try ReportedMembership(
          wire: wire.groupID, wire.userID, wire.membershipID,
          joinedAt: try Instant(wire: wire.joinTime ?? .init()))
        memberships.append(membership)
        groups[membership.groupID] = try NamedGroup(wire: wire.groupID, wire.groupName)
      }
      call.pageToken = page.nextPageToken
    } while !call.pageToken.isEmpty
    return (memberships, groups)
  }
}

/// An event or a response of identity without a valid id.
private struct NothingNamed: Error {}

/// A group and its name.
private struct NamedGroup {
  let id: GroupID
  let name: String

  init(wire id: String, _ name: String) throws {
    guard let id = GroupID(id) else { throw NothingNamed() }
    (self.id, self.name) = (id, name)
  }
}

/// A membership, as identity reports it.
package struct ReportedMembership: Sendable {
  let groupID: GroupID
  let userID: UserID
  let id: MembershipID
  let joinedAt: Instant

  struct Pair: Hashable { let group: GroupID, user: UserID }
  var pair: Pair { Pair(group: groupID, user: userID) }

  init(wire group: String, _ user: String, _ id: String, joinedAt: Instant) throws {
    guard let groupID = GroupID(group), let userID = UserID(user), let id = MembershipID(id) else {
      throw NothingNamed()
    }
    (self.groupID, self.userID, self.id, self.joinedAt) = (groupID, userID, id, joinedAt)
  }
}

extension PutGroups {
  fileprivate init(_ groups: [NamedGroup]) {
    // Of several names of one group the last one.
    let last = Array(Dictionary(groups.map { ($0.id, $0) }) { $1 }.values)
    self.init(groupIDs: last.map(\.id), names: last.map(\.name))
  }
}

extension AddMemberships {
  fileprivate init(_ memberships: [ReportedMembership]) {
    self.init(
      groupIDs: memberships.map(\.groupID), userIDs: memberships.map(\.userID),
      membershipIDs: memberships.map(\.id), joinedAts: memberships.map(\.joinedAt))
  }
}
