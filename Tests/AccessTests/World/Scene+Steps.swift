import Cryptography
import Foundation
import Identifiers
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

/// The steps that `before` may name.
extension Scene {
  /// Performs a step before a call of the row.
  mutating func perform(_ step: String) async throws {
    switch step {
    // A quarter of an hour later, when throttles have expired.
    case "later": world.clock.advance(by: .seconds(16 * 60))
    // The caller is a new user instead, without a gym part.
    case "newcomer": subject = try await world.newcomer()
    // The caller has a notification.
    case "news": try await tellNews()
    case "group": _ = try await ownedGroup(of: subject)
    case "block":
      _ = try await SafetyClient(client).blockUser(BlockUserRequest(userID: someone.id), try await own)
    case "passkey": _ = try await registerPasskey(of: subject)
    case "device": _ = try await device(of: subject)
    case "badge": try await awardBadge(to: subject)
    case "ownersBadge": try await awardBadge(to: world.cast.owner)
    case "reminder":
      let reminder = Reminder(enabled: true, localTime: .init(hours: 7), weekdays: [.monday])
      _ = try await NotificationsClient(client).setReminder(SetReminderRequest(reminder: reminder), try await own)
    // The owner has a picture.
    case "picture": try await uploadPicture()
    // A user has reported the owner.
    case "report": _ = try await report()
    // The caller has another session, of a device with a name.
    case "otherSession":
      let login = LoginRequest(
        emailOrUsername: subject.username, password: CastMember.password, deviceLabel: "Laptop")
      _ = try await AccountsClient(client).login(login, .patient)
    default:
      if try await performWithInvitations(step) { return }
      if try await performWithProvider(step) { return }
      if try await performWithBooks(step) { return }
      if try await performAtTraining(step) { return }
      if try await performWithLoans(step) { return }
      if try await performWithSessions(step) { return }
      if try await performOnJourneys(step) { return }
      if try await performInChat(step) { return }
      if try await performWithActivities(step) { return }
      Issue.record("there is no step \(step)")
    }
  }

  private var client: RPCClient { world.identity.client() }
  private var own: CallOptions { get async throws { try await subject.options(at: world.identity) } }
  private var owners: CallOptions { get async throws { try await world.cast.owner.options(at: world.identity) } }

  private func tellNews() async throws {
    // The owner cannot find a blocked user.
    let adder = subject == world.cast.stranger ? world.cast.owner : world.cast.stranger
    _ = try await group(with: subject, try await adder.options(at: world.identity))
  }

  private func ownedGroup(of user: CastMember) async throws -> String {
    let group = CreateGroupRequest(group: Group(name: "Early birds"))
    return try await GroupsClient(client).createGroup(group, try await user.options(at: world.identity)).groupID
  }

  private func device(of user: CastMember) async throws -> String {
    let call = RegisterDeviceRequest(token: "device-\(world.numbers.next())", platform: .apple)
    return try await NotificationsClient(client)
      .registerDevice(call, try await user.options(at: world.identity)).deviceID
  }

  private func awardBadge(to user: CastMember) async throws {
    try await world.sql(
      """
      insert into identity.badges (account_id, kind, awarded_at) values ('\(user.id)', 'FIRST_SESSION', now())
      on conflict do nothing
      """)
  }

  private func uploadPicture() async throws {
    let file = try #require(Data(base64Encoded: Self.picture))
    _ = try await ProfilesClient(client).uploadProfilePicture(try await owners) { writer in
      try await writer.send(UploadProfilePictureRequest(chunk: [UInt8](file)))
    }
  }

  /// One pixel, as PNG.
  static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  private func report() async throws -> String {
    let call = ReportUserRequest(
      userID: world.cast.owner.id, reason: .spam, remarks: "Too many letters.", evidenceIds: [world.someID()])
    return try await SafetyClient(client).reportUser(
      call, try await (try await world.newcomer()).options(at: world.identity)
    ).reportID
  }

  /// Registers a passkey of a user; returns its id and the key.
  private func registerPasskey(of user: CastMember) async throws -> (id: String, passkey: SoftPasskey) {
    let options = try await user.options(at: world.identity)
    let passkeys = PasskeysClient(client)
    let start = try await passkeys.startPasskeyRegistration(.init(), options)
    let passkey = try SoftPasskey(world.numbers.next(), for: start.relyingPartyID)
    let made = try await passkeys.registerPasskey(
      RegisterPasskeyRequest(
        name: "Laptop", clientDataJson: SoftPasskey.clientData("webauthn.create", start.challenge),
        attestationObject: passkey.attestationObject), options)
    return (made.id, passkey)
  }
}

/// The names that may stand in braces in the table's requests.
extension Scene {
  /// Prepares the value of a name.
  mutating func prepare(_ name: String) async throws {
    switch name {
    case "new": values[name] = "new\(world.numbers.next())"
    case "password": values[name] = CastMember.password
    case "otherPassword": values[name] = CastMember.otherPassword
    case "owner": values[name] = world.cast.owner.username
    case "ownerId": values[name] = world.cast.owner.id
    case "ownerEmail": values[name] = world.cast.owner.email
    case "memberId": values[name] = world.cast.member.id
    case "strangerEmail": values[name] = world.cast.stranger.email
    case "someoneId": values[name] = someone.id
    case "verificationToken": values[name] = try await verificationToken()
    case "resetToken": values[name] = try await resetToken()
    case "emailChangeToken": values[name] = try await emailChange().token
    case "emailUndoToken": values[name] = try await emailUndoToken()
    case "refreshToken": values[name] = try await world.cast.owner.logIn(at: world.identity).refreshToken
    case "group": values[name] = try await group(with: world.cast.member, try await owners)
    case "picture": values[name] = Self.picture
    case "report": values[name] = try await report()
    case "departedId": values[name] = try await departed()
    case "ownersDevice": values[name] = try await device(of: world.cast.owner)
    case "ownersSession": values[name] = try await world.cast.owner.logIn(at: world.identity).sessionID
    case "ownersPasskey": values[name] = try await registerPasskey(of: world.cast.owner).id
    case "ownersNotification": values[name] = try await newestNotification()
    case "unsubscribeToken": values[name] = try await unsubscribeToken()
    case "newPasskeyClientData", "newPasskeyObject": try await prepareRegistration()
    case _ where name.hasPrefix("passkey"): try await prepareLogin()
    default:
      try await prepareInvitation(name)
      try await prepareProvider(name)
      try await prepareBook(name)
      try await prepareTraining(name)
      try await prepareLoan(name)
      try await prepareSession(name)
      try await prepareJourney(name)
      try await prepareChat(name)
      _ = try await prepareActivity(name)
    }
  }

  private func verificationToken() async throws -> String {
    let name = "new\(world.numbers.next())"
    let email = "\(name)@example.net"
    _ = try await AccountsClient(client).register(
      RegisterRequest(email: email, username: name, password: CastMember.password), .patient)
    return try await Mailbox(folder: world.mail).token(to: email)
  }

  private func resetToken() async throws -> String {
    // The owner may have other mails.
    let email = try await world.newcomer().email
    _ = try await AccountsClient(client).requestPasswordReset(RequestPasswordResetRequest(email: email), .patient)
    return try await Mailbox(folder: world.mail).token(to: email)
  }

  /// A new user's request for another address, with the token mailed to that.
  private func emailChange() async throws -> (user: CastMember, token: String) {
    let (user, email) = (try await world.newcomer(), "moved\(world.numbers.next())@example.net")
    _ = try await AccountsClient(client).requestEmailChange(
      RequestEmailChangeRequest(email: email), try await user.options(at: world.identity))
    return (user, try await Mailbox(folder: world.mail).token(to: email))
  }

  private func emailUndoToken() async throws -> String {
    let change = try await emailChange()
    _ = try await AccountsClient(client).confirmEmailChange(
      ConfirmEmailChangeRequest(token: change.token), .patient)
    return try await Mailbox(folder: world.mail).token(to: change.user.email)
  }

  private func departed() async throws -> String {
    let id = world.someID()
    try await world.sql("insert into identity.departures (account_id, deleted_at) values ('\(id)', now())")
    return id
  }

  private func newestNotification() async throws -> String {
    let page = try await NotificationsClient(client).listNotifications(
      ListNotificationsRequest(pageSize: 1), try await owners)
    return try #require(page.notifications.first).notificationID
  }

  private func unsubscribeToken() async throws -> String {
    let stranger = try await world.cast.stranger.options(at: world.identity)
    _ = try await group(with: world.cast.owner, stranger)
    return try await Mailbox(folder: world.mail).unsubscribeToken(to: world.cast.owner.email)
  }

  private mutating func prepareRegistration() async throws {
    let start = try await PasskeysClient(client).startPasskeyRegistration(.init(), try await own)
    let passkey = try SoftPasskey(world.numbers.next(), for: start.relyingPartyID)
    values["newPasskeyClientData"] = Self.base64(SoftPasskey.clientData("webauthn.create", start.challenge))
    values["newPasskeyObject"] = Self.base64(passkey.attestationObject)
  }

  private mutating func prepareLogin() async throws {
    let passkey = try await registerPasskey(of: someone).passkey
    let start = try await PasskeysClient(client).startPasskeyLogin(.init(), .patient)
    let clientData = SoftPasskey.clientData("webauthn.get", start.challenge)
    let assertion = try passkey.assertion(clientData, count: 1)
    values["passkeyId"] = Self.base64(passkey.id)
    values["passkeyClientData"] = Self.base64(clientData)
    values["passkeyData"] = Self.base64(assertion.data)
    values["passkeySignature"] = Self.base64(assertion.signature)
    values["passkeyHandle"] = Self.base64(Array(someone.id.utf8))
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
