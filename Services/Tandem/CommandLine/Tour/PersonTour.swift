import Environment
import Reflection
import TTRPC

/// A new user: registration, login, profile and logout.
extension Tour {
  /// Registers and verifies a user whose name begins with `beginning`.
  func newcomer(_ beginning: String, isShown: Bool) async throws -> (name: String, password: String) {
    let name = "\(beginning)_" + SystemRandomness().bytes(4).hexadecimal
    let email = "\(name)@example.org"
    // Strong, and different each time.
    let password = "Analytical-\(SystemRandomness().bytes(6).hexadecimal)"
    if isShown { say("Someone new, \(name), registers and follows the link in the mail.") }
    let registration = try await call(
      Self.accounts, "Register", ["email": .string(email), "username": .string(name), "password": .string(password)],
      isShown: isShown)
    let token = try await mailedToken(for: email, isShown: isShown)
    if isShown {
      say("The registration's secret shows that the same device registered; elsewhere the password is asked for.")
    }
    let secret = try text("registrationSecret", of: registration)
    _ = try await call(
      Self.accounts, "VerifyEmail", ["token": .string(token), "registrationSecret": .string(secret)], isShown: isShown)
    return (name, password)
  }

  /// Returns the answer to the login.
  func logIn(_ name: String, _ password: String) async throws -> JSONValue {
    say("\(name) logs in. The profile is there since the verification, and a welcome leads to it.")
    let login = try await call(
      Self.accounts, "Login",
      ["emailOrUsername": .string(name), "password": .string(password), "deviceLabel": .string("tandem tour")])
    let access = try text("accessToken", of: login)
    say("The account shows its ways to log in, and what is missing yet.")
    _ = try await call(Self.accounts, "GetOwnAccount", [:], token: access)
    _ = try await call(Self.notifications, "ListNotifications", ["pageSize": .integer(1)], token: access)
    _ = try await call(Self.profiles, "GetProfile", ["username": .string(name)], token: access)
    say("Only matching asks for its gym part; others see an age, and never the date of birth.")
    _ = try await call(Self.profiles, "CreateProfile", ["profile": try await profile()], token: access)
    return login
  }

  func findWaysIn(_ access: String) async throws {
    say("People can also log in by whom the setting `providers` names, and link that to an account that they have.")
    _ = try await call(Self.federatedLogins, "ListProviders", [:])
    _ = try await call(Self.federatedLogins, "ListLinkedIdentities", [:], token: access)
  }

  /// What a user sets up once: a level, a reminder, a group.
  func settle(as name: String, _ access: String) async throws {
    say("The level changes, and only the level, because the mask says so.")
    _ = try await call(
      Self.profiles, "UpdateProfile",
      ["profile": .members(["level": .string("LEVEL_INTERMEDIATE")]), "updateMask": .string("level")], token: access)

    say("\(name) wants to be reminded of training; the next time is reckoned in the profile's zone.")
    _ = try await call(Self.notifications, "SetReminder", ["reminder": Self.reminder], token: access)
    _ = try await call(Self.notifications, "CountUnread", [:], token: access)

    say("Badges are awarded for training, lending and importing; \(name) has none yet.")
    _ = try await call(Self.badges, "ListBadges", [:], token: access)

    try await makeGroup(as: name, access)
  }

  /// A group, and a user who accepts the invitation to it.
  private func makeGroup(as name: String, _ access: String) async throws {
    let (friend, password) = try await newcomer("hedy", isShown: false)
    let login = try await call(
      Self.accounts, "Login", ["emailOrUsername": .string(friend), "password": .string(password)], isShown: false)
    let friendAccess = try text("accessToken", of: login)
    say(
      "\(name) makes a group and invites \(friend); until they accept, no member learns who they are."
    )
    let group = try await call(
      Self.groups, "CreateGroup", ["group": .members(["name": .string("Early birds")])], token: access)
    let id = JSONValue.string(try text("groupId", of: group))
    let invitation = try await call(
      Self.groups, "AddGroupMember", ["groupId": id, "email": .string("\(friend)@example.org")], token: access)
    say("\(friend) sees who invites and who is in the group, and accepts.")
    _ = try await call(Self.invitations, "ListInvitations", [:], token: friendAccess)
    _ = try await call(Self.groups, "ListGroupMembers", ["groupId": id], token: friendAccess)
    _ = try await call(
      Self.invitations, "AcceptInvitation", ["invitationId": .string(try text("invitationId", of: invitation))],
      token: friendAccess)
    try await goHome(as: name, access, seenBy: friendAccess, in: id)
    say("The last one to leave a group deletes it.")
    for token in [access, friendAccess] { _ = try await call(Self.groups, "LeaveGroup", ["groupId": id], token: token) }
  }

  func lookAtSessions(of name: String, _ password: String, _ access: String) async throws {
    say("\(name) looks at where they are logged in: another device is, too, until it is logged out from here.")
    _ = try await call(
      Self.accounts, "Login",
      ["emailOrUsername": .string(name), "password": .string(password), "deviceLabel": .string("a lost phone")])
    _ = try await call(Self.accounts, "ListSessions", [:], token: access)
    _ = try await call(
      Self.accounts, "LogoutEverywhere", ["scope": .string("LOGOUT_SCOPE_OTHER_SESSIONS")], token: access)

    say("\(name) wants to be called otherwise; the old name stays theirs for a while.")
    _ = try await call(Self.accounts, "ChangeUsername", ["username": .string("\(name).l")], token: access)
    _ = try await call(Self.accounts, "ChangeUsername", ["username": .string(name)], token: access)
  }

  /// A valid profile by the server's options.
  private func profile() async throws -> JSONValue {
    let options = try await call(Self.profiles, "ListProfileOptions", [:], isShown: false)
    let interest = options["interests"]?.array?.first?["id"]
    let strength = options["strengths"]?.array?.first?["id"]
    return .members([
      "gender": .string("GENDER_FEMALE"),
      "dateOfBirth": .members(["year": .integer(1990), "month": .integer(12), "day": .integer(10)]),
      "level": .string("LEVEL_BEGINNER"), "interests": .array([interest].compactMap { $0 }),
      "strengths": .array([strength].compactMap { $0 }), "timeZone": .string("Europe/London"),
    ])
  }

  private static let reminder = JSONValue.members([
    "enabled": .bool(true), "localTime": .members(["hours": .integer(18), "minutes": .integer(30)]),
    "weekdays": .array([.string("MONDAY"), .string("THURSDAY")]),
  ])

  /// Logs out the session of `refreshToken`.
  func leave(_ name: String, _ refreshToken: String) async throws {
    say("The session goes on with a new pair of tokens, then ends.")
    let refresh = try await call(Self.accounts, "Refresh", ["refreshToken": .string(refreshToken)])
    _ = try await call(Self.accounts, "Logout", [:], token: try text("accessToken", of: refresh))

    say("What was logged out is refused.")
    try await refused(
      Self.accounts, "Refresh", ["refreshToken": .string(try text("refreshToken", of: refresh))],
      expecting: .unauthenticated)
    try await refused(
      Self.accounts, "Login", ["emailOrUsername": .string(name), "password": .string("not the password")],
      expecting: .unauthenticated)
  }
}
