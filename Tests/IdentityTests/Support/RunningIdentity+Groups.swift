import TTRPC
import TTRPCClient
import TandemIdentity
import TandemNotification
import TestServices
import TestSupport
import Testing

extension RunningIdentity {
  var groups: GroupsClient { GroupsClient(client) }
  var invitations: InvitationsClient { InvitationsClient(client) }

  /// A group of one.
  func group(_ name: String = "Runners", of login: LoginResponse) async throws -> String {
    try await groups.createGroup(CreateGroupRequest(group: Group(name: name)), .user(login)).groupID
  }

  /// Invites a user to a group; returns the id of the invitation.
  @discardableResult
  func invite(_ user: User, to group: String, by login: LoginResponse) async throws -> String {
    try await groups.addGroupMember(AddGroupMemberRequest(groupID: group, email: user.email), .user(login))
      .invitationID
  }

  @discardableResult
  func accept(_ invitation: String, as login: LoginResponse) async throws -> AcceptInvitationResponse {
    try await invitations.acceptInvitation(AcceptInvitationRequest(invitationID: invitation), .user(login))
  }

  /// Invites a user, who accepts in a session of their own.
  func add(_ user: User, to group: String, by login: LoginResponse) async throws {
    let invitation = try await invite(user, to: group, by: login)
    try await accept(invitation, as: try await accounts.login(user.login))
  }

  /// The usernames of a group's members, in alphabetical order.
  func members(of group: String, for login: LoginResponse) async throws -> [String] {
    try await groups.listGroupMembers(ListGroupMembersRequest(groupID: group), .user(login)).members
      .map(\.username).sorted()
  }

  /// The addresses of the open invitations that a user has sent, the latest first.
  func sent(by login: LoginResponse) async throws -> [String] {
    try await invitations.listSentInvitations(ListSentInvitationsRequest(), .user(login)).invitations.map(\.email)
  }

  /// The ids of the open invitations to a user, the latest first.
  func openInvitations(to login: LoginResponse) async throws -> [String] {
    try await invitations.listInvitations(ListInvitationsRequest(), .user(login)).invitations.map(\.invitationID)
  }

  /// The types of the events of a group, in order.
  func groupEvents(_ group: String) async throws -> [String] {
    try await sql(
      """
      select replace(type, 'tandem.events.v1.', '') from events
      where topic = 'identity.groups' and key = '\(group)' order by transaction_id, id
      """
    ).compactMap { $0.first ?? nil }
  }

  /// Whether every group has as many members as its count says.
  func groupsAreSound() async throws -> Bool {
    try await value(
      """
      select count(*) from groups
      where member_count <> (select count(*) from group_members where group_id = groups.id)
      """) == "0"
  }

  /// Verified users `user1@x.org` and so on, created in the database with the password of ada, who is registered: for
  /// tests that need many.
  func insertUsers(_ count: Int) async throws {
    try await sql(
      """
      insert into accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
      select gen_random_uuid(), 'user' || n || '@x.org', 'user' || n || '@x.org', 'user' || n,
        (select password_hash from accounts where username = 'ada'), now(), now()
      from generate_series(1, \(count)) as n
      """)
  }

  /// Logs in users of ``insertUsers(_:)``.
  func logins(of numbers: some Sequence<Int>) async throws -> [LoginResponse] {
    var logins: [LoginResponse] = []
    for number in numbers { logins.append(try await accounts.login(User.inserted(number).login)) }
    return logins
  }

  /// Makes users of ``insertUsers(_:)`` members of a group, in the database.
  func insertMembers(_ numbers: ClosedRange<Int>, into group: String) async throws {
    try await sql(
      """
      insert into group_members (group_id, account_id, id, joined_at)
      select '\(group)', id, gen_random_uuid(), now() from accounts
      where username in (select 'user' || n from generate_series(\(numbers.lowerBound), \(numbers.upperBound)) as n);
      update groups set member_count = member_count + \(numbers.count) where id = '\(group)'
      """)
  }

  /// Makes a user the only member of so many new groups, in the database; returns the groups' ids.
  @discardableResult
  func insertGroups(_ count: Int, of login: LoginResponse) async throws -> [String] {
    try await sql(
      """
      with made as (
        insert into groups (id, name, member_count, created_at)
        select gen_random_uuid(), 'x', 1, now() from generate_series(1, \(count)) returning id
      )
      insert into group_members (group_id, account_id, id, joined_at)
      select id, '\(login.userID)', gen_random_uuid(), now() from made returning group_id
      """
    ).compactMap { $0.first ?? nil }
  }

  /// The kinds of the notifications of a user, the oldest first.
  func notified(_ login: LoginResponse) async throws -> [NotificationKind] {
    try await NotificationsClient(client).listNotifications(ListNotificationsRequest(), .user(login)).notifications
      .map(\.kind).reversed()
  }
}

extension User {
  static let eve = User(email: "eve@example.com", username: "eve")

  /// A user of ``RunningIdentity/insertUsers(_:)``.
  static func inserted(_ number: Int) -> User { User(email: "user\(number)@x.org", username: "user\(number)") }
}
