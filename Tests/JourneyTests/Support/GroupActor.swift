import Environment
import Identifiers
import TTRPC
import TandemIdentity
import TestSupport

/// Two users who make groups, invite, rename, remove and leave for as long as the run goes on; every call is repeated until it is answered.
struct GroupActor: Sendable {
  let run: LongRun
  let suite: ThreeServices
  let chance: SeededRandomness
  /// What became of groups.
  let outcomes: Gathered<Outcome>

  /// What a group must be in the end; without members it must be gone.
  struct Outcome: Sendable, Hashable {
    let group: String
    let name: String
    let members: [String]
  }

  /// Of one inviter a day 50 are allowed.
  private static let invitations = 45
  private static let pace = Duration.milliseconds(700)

  private var groups: GroupsClient { GroupsClient(suite.identity) }
  private var invitations: InvitationsClient { InvitationsClient(suite.identity) }
  private var newRequestID: String { "\(chance.uuid7(at: SystemClock().now))" }

  /// Acts as pairs of new users.
  ///
  /// - Parameter name: what the users' names begin with.
  func act(_ name: String) async throws {
    var pair = 0
    while run.goesOn {
      pair += 1
      var members = [
        try await suite.joinPatiently("\(name).\(pair)a"), try await suite.joinPatiently("\(name).\(pair)b"),
      ]
      run.acknowledge(.accounts, 2)
      for number in 0..<Self.invitations {
        guard run.goesOn else { return }
        do { try await makeGroup(number, &members) } catch let status as Status {
          run.surprises.add("a group: \(status)")
        }
        guard try await run.pause(Self.pace) else { return }
      }
    }
  }

  private func call<R: Sendable>(
    _ member: inout ThreeServices.Member, _ call: (CallOptions) async throws -> R
  ) async throws -> R {
    let answer = try await run.patiently(&member, of: suite, call)
    run.acknowledge(.groups)
    return answer
  }

  /// A group from its creation to what it remains.
  private func makeGroup(_ number: Int, _ members: inout [ThreeServices.Member]) async throws {
    let create = CreateGroupRequest(group: Group(name: "Group \(number)"), requestID: newRequestID)
    let group = try await call(&members[0]) { try await groups.createGroup(create, $0) }.groupID
    let invite = AddGroupMemberRequest(
      groupID: group, email: "\(members[1].name)@example.com", requestID: newRequestID)
    let invitation = try await call(&members[0]) { try await groups.addGroupMember(invite, $0) }
    let accept = AcceptInvitationRequest(invitationID: invitation.invitationID, requestID: newRequestID)
    _ = try await call(&members[1]) { try await invitations.acceptInvitation(accept, $0) }
    let name = "Renamed \(number)"
    let rename = UpdateGroupRequest(group: Group(groupID: group, name: name), requestID: newRequestID)
    _ = try await call(&members[1]) { try await groups.updateGroup(rename, $0) }
    switch chance.uint64() % 4 {
    case 0: note(group, name, members.map(\.id))
    case 1:
      let remove = RemoveGroupMemberRequest(groupID: group, userID: members[1].id, requestID: newRequestID)
      _ = try await call(&members[0]) { try await groups.removeGroupMember(remove, $0) }
      note(group, name, [members[0].id])
    case 2:
      try await leave(group, &members[0])
      note(group, name, [members[1].id])
    default:
      try await leave(group, &members[0])
      try await leave(group, &members[1])
      note(group, name, [])
    }
  }

  private func leave(_ group: String, _ member: inout ThreeServices.Member) async throws {
    let leave = LeaveGroupRequest(groupID: group, requestID: newRequestID)
    _ = try await call(&member) { try await groups.leaveGroup(leave, $0) }
  }

  private func note(_ group: String, _ name: String, _ members: [String]) {
    outcomes.add(Outcome(group: group, name: name, members: members.sorted()))
  }

  /// A line for each group that is not what it must be.
  static func complaints(_ outcomes: [Outcome], _ suite: ThreeServices) async throws -> [String] {
    let rows = try await suite.sql(
      """
      select groups.id, groups.name, string_agg(group_members.account_id::text, ' ' order by group_members.account_id::text)
      from identity.groups join identity.group_members on group_members.group_id = groups.id
      group by groups.id
      """)
    let stored = Dictionary(
      rows.map {
        (
          $0[0] ?? "",
          Outcome(group: $0[0] ?? "", name: $0[1] ?? "", members: ($0[2] ?? "").split(separator: " ").map(String.init))
        )
      }
    ) { $1 }
    return outcomes.compactMap { outcome in
      let found = stored[outcome.group]
      return found == (outcome.members.isEmpty ? nil : outcome)
        ? nil : "\(outcome) is \(found.map { "\($0)" } ?? "gone")"
    }
  }

  /// Members whom tracking knows and identity does not, and the other way round; eventually there are none.
  static let disagreements = """
    select concat_ws(' ', own.group_id, own.account_id, shown.group_id, shown.user_id)
    from identity.group_members as own
    full join tracking.memberships as shown on shown.group_id = own.group_id and shown.user_id = own.account_id
    where own.group_id is null or shown.group_id is null
    """
}
