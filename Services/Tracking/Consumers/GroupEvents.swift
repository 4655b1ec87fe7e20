import Events
import Identifiers
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity
import Timestamps
import TrackingDomain
import TrackingOperations

extension EventSubscription {
  /// Stores the members of groups, who accepted the invitation, and tells viewers of groups who joins and leaves ([ID-43], [TR-12]).
  ///
  /// Where events are gone, identity is asked for all memberships.
  package static func groups(_ operations: TrackerOperations) -> EventSubscription {
    EventSubscription(
      of: "identity", name: "groups", beginning: .first,
      handlers: [
        EventHandler(batchesOf: GroupCreated.self) { events, tx in
          try await operations.nameGroups(
            try events.map { try NamedGroup(wire: $0.message.groupID, $0.message.name) }, tx)
        },
        EventHandler(batchesOf: GroupRenamed.self) { events, tx in
          try await operations.nameGroups(
            try events.map { try NamedGroup(wire: $0.message.groupID, $0.message.name) }, tx)
        },
        EventHandler(batchesOf: GroupMemberAdded.self) { events, tx in
          let added = try events.map { event in
            try ReportedMembership(
              wire: event.message.groupID, event.message.userID, event.message.membershipID,
              joinedAt: try Instant(wire: event.message.addTime ?? .init()))
          }
          try await operations.addMembers(added, tx)
        },
        EventHandler(batchesOf: GroupMemberRemoved.self) { events, tx in
          let ended = try events.map { event in
            try ReportedMembership(
              wire: event.message.groupID, event.message.userID, event.message.membershipID,
              joinedAt: try Instant(wire: event.message.removeTime ?? .init()))
          }
          try await operations.removeMembers(ended, tx)
        },
        EventHandler(batchesOf: GroupDeleted.self) { events, tx in
          try await operations.markGroupsDeleted(try events.map { try GroupID(wire: $0.message.groupID) }, tx)
        },
      ],
      resync: { source in
        let listed = try await listed(by: source.producer)
        return { tx in try await operations.replaceMembers(by: listed.memberships, in: listed.groups, tx) }
      })
  }

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
        memberships.append(
          try ReportedMembership(
            wire: wire.groupID, wire.userID, wire.membershipID, joinedAt: try Instant(wire: wire.joinTime ?? .init())))
        groups[try GroupID(wire: wire.groupID)] = try NamedGroup(wire: wire.groupID, wire.groupName)
      }
      call.pageToken = page.nextPageToken
    } while !call.pageToken.isEmpty
    return (memberships, groups)
  }
}

/// An event or a response of identity without a valid id.
private struct NothingNamed: Error {}

extension GroupID {
  fileprivate init(wire text: String) throws {
    guard let id = GroupID(text) else { throw NothingNamed() }
    self = id
  }
}

extension NamedGroup {
  fileprivate init(wire id: String, _ name: String) throws { self.init(try GroupID(wire: id), name) }
}

extension ReportedMembership {
  /// As identity reports it.
  fileprivate init(wire group: String, _ user: String, _ id: String, joinedAt: Instant) throws {
    guard let groupID = GroupID(group), let userID = UserID(user), let id = MembershipID(id) else {
      throw NothingNamed()
    }
    self.init(id, of: userID, in: groupID, since: joinedAt)
  }
}
