import Foundation
import TTRPC
import TTRPCClient
import TandemIdentity
import TestSupport
import Testing

/// A user with an account and a profile.
struct CastMember: Sendable, Equatable {
  let id: String
  let username: String
  let email: String

  static let password = "correct-Horse battery 9 staple"
  static let otherPassword = "another-Horse battery 7 staple"

  /// Begins a session.
  func logIn(at identity: RunningServer) async throws -> LoginResponse {
    try await AccountsClient(identity.client()).login(
      LoginRequest(emailOrUsername: username, password: Self.password), .patient)
  }

  /// The options of this user's calls.
  func options(at identity: RunningServer) async throws -> CallOptions {
    .user(try await logIn(at: identity).accessToken)
  }
}

/// The owner, and the users who look at what the owner has.
struct Cast: Sendable {
  let owner: CastMember
  /// In a group with the owner.
  let member: CastMember
  let stranger: CastMember
  /// Blocked by the owner.
  let blocked: CastMember

  static let size = 4

  /// Registers all of them, verifies their addresses and creates their profiles; the owner's has all fields.
  static func register(at identity: RunningServer, mail: String) async throws -> Cast {
    func registered(_ username: String) async throws -> CastMember {
      let (accounts, email) = (AccountsClient(identity.client()), "\(username)@example.org")
      let account = try await accounts.register(
        RegisterRequest(email: email, username: username, password: CastMember.password), .patient)
      _ = try await accounts.verifyEmail(
        VerifyEmailRequest(
          token: try await Mailbox(folder: mail).token(to: email), registrationSecret: account.registrationSecret),
        .patient)
      return CastMember(id: account.userID, username: username, email: email)
    }
    let cast = Cast(
      owner: try await registered("olive"), member: try await registered("mike"),
      stranger: try await registered("sam"), blocked: try await registered("bob"))
    try await cast.introduce(at: identity)
    return cast
  }

  private func introduce(at identity: RunningServer) async throws {
    let client = identity.client()
    var profile = Profile(
      gender: .female, dateOfBirth: .init(year: 1990, month: 12, day: 10), level: .advanced, timeZone: "UTC")
    for one in [member, stranger, blocked] {
      _ = try await ProfilesClient(client).createProfile(
        CreateProfileRequest(profile: profile), try await one.options(at: identity))
    }
    let options = try await ProfilesClient(client).listProfileOptions(.init(), .patient)
    profile.interests = options.interests.prefix(2).map(\.id)
    profile.strengths = options.strengths.prefix(2).map(\.id)
    profile.contact = ContactInformation(phone: "+6561234567", visibility: .groupsInCommon)
    let own = try await owner.options(at: identity)
    _ = try await ProfilesClient(client).createProfile(CreateProfileRequest(profile: profile), own)
    _ = try await group(with: member, own, at: identity)
    _ = try await SafetyClient(client).blockUser(BlockUserRequest(userID: blocked.id), own)
  }

  /// A new group with the user who creates it and a user who accepts the invitation to it.
  func group(with added: CastMember, _ inviter: CallOptions, at identity: RunningServer) async throws -> String {
    let (client, name) = (identity.client(), CreateGroupRequest(group: Group(name: "Early birds")))
    let group = try await GroupsClient(client).createGroup(name, inviter)
    let invitation = try await GroupsClient(client).addGroupMember(
      AddGroupMemberRequest(groupID: group.groupID, email: added.email), inviter)
    _ = try await InvitationsClient(client).acceptInvitation(
      AcceptInvitationRequest(invitationID: invitation.invitationID), try await added.options(at: identity))
    return group.groupID
  }
}

/// The mails that identity has sent.
struct Mailbox: Sendable {
  let folder: String

  /// The mails to an address, the oldest first.
  func mails(to email: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".eml") }.sorted()
      .map { String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")), as: UTF8.self) }
      .filter { $0.contains("To: <\(email)>") }
  }

  /// Waits for the mail with a token to an address and returns the token.
  func token(to email: String) async throws -> String {
    try await eventually("a mail with a token to \(email) is there") {
      try mails(to: email).lazy.compactMap { mail -> String? in
        mail.split(separator: "\r\n").first { $0.utf8.count == 43 && !$0.contains(" ") }.map(String.init)
      }.first
    }
  }

  /// The token of an unsubscribe link.
  func unsubscribeToken(to email: String) async throws -> String {
    try await eventually("a mail that can be switched off has come to \(email)") {
      try mails(to: email).lazy.compactMap { mail -> String? in
        guard let start = mail.range(of: "List-Unsubscribe: <"),
          let end = mail[start.upperBound...].firstIndex(of: ">"),
          let token = mail[start.upperBound..<end].split(separator: "token=").last
        else { return nil }
        return String(token)
      }.first
    }
  }
}
