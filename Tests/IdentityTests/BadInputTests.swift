import Foundation
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@testable import IdentityHandlers

@Suite("bad input", .timeLimit(.minutes(5)))
struct BadInputTests {
  static let strangeTexts =
    [
      "'; drop table accounts; --", "' or '1'='1", "a\u{0}b", "\u{202E}abc", "%s%n", "\\\"", "$1",
      "a\r\nBcc: x@example.com",
      "\u{FFFF}", "🧗🏽‍♀️", "..%2f..%00", "{\"$gt\": \"\"}", String(repeating: "x", count: 1 << 20),
    ].map(StrangeText.init)

  @Test(
    "[C-2] no text breaks out of the place of an id, a name, a token or a password",
    arguments: BadInputTests.strangeTexts)
  func strangeNames(strange: StrangeText) async throws {
    let text = strange.text
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let accounts = try await refusedByAccounts(text, identity, login)
      let others = try await refusedByOthers(text, identity, login)

      for status in accounts + others {
        // The last is for a text that is longer than the limit of requests.
        let codes: [Code] = [.invalidArgument, .unauthenticated, .notFound, .permissionDenied, .resourceExhausted]
        #expect(codes.contains(status.code), "\(status.code) \(status.message.prefix(100))")
        #expect(status.reason != nil, "\(status.code) \(status.message.prefix(100))")
        #expect(status.message.utf8.count < 300)
      }
      #expect(try await identity.sessions(login).count == 1)
      #expect(try await identity.value("select string_agg(username, ' ') from accounts") == "ada")
    }
  }

  private func refusedByAccounts(
    _ text: String, _ identity: RunningIdentity, _ login: LoginResponse
  ) async throws -> [Status] {
    let accounts = identity.accounts
    return [
      try await refusal {
        try await accounts.requestPasswordReset(RequestPasswordResetRequest(email: text, requestID: text))
      },
      try await refusal { try await accounts.resetPassword(ResetPasswordRequest(token: text, newPassword: text)) },
      try await refusal {
        try await accounts.changePassword(ChangePasswordRequest(oldPassword: text, newPassword: text), .user(login))
      },
      try await refusal { try await accounts.deleteAccount(DeleteAccountRequest(password: text), .user(login)) },
      try await refusal { try await accounts.changeUsername(ChangeUsernameRequest(username: text), .user(login)) },
      try await refusal { try await accounts.revokeSession(RevokeSessionRequest(sessionID: text), .user(login)) },
      try await refusal { try await accounts.listSessions(ListSessionsRequest(pageToken: text), .user(login)) },
      try await refusal {
        try await accounts.logoutEverywhere(LogoutEverywhereRequest(requestID: text), .user(login))
      },
      try await refusal {
        try await accounts.login(
          LoginRequest(emailOrUsername: "nobody", password: text, deviceLabel: "tablet"))
      },
    ]
  }

  private func refusedByOthers(
    _ text: String, _ identity: RunningIdentity, _ login: LoginResponse
  ) async throws -> [Status] {
    let (groups, safety, user) = (identity.groups, identity.safety, CallOptions.user(login))
    let (notifications, passkeys, bytes) = (identity.notifications, identity.passkeys, Array(text.utf8))
    return [
      try await refusal { try await identity.profiles.searchProfiles(SearchProfilesRequest(prefix: text), user) },
      try await refusal {
        try await identity.profiles.searchProfiles(SearchProfilesRequest(prefix: "a", pageToken: text), user)
      },
      try await refusal { try await groups.getGroup(GetGroupRequest(groupID: text), user) },
      try await refusal {
        try await groups.addGroupMember(AddGroupMemberRequest(groupID: text, email: text), user)
      },
      try await refusal {
        try await groups.removeGroupMember(RemoveGroupMemberRequest(groupID: text, userID: text), user)
      },
      try await refusal { try await groups.listGroups(ListGroupsRequest(pageToken: text), user) },
      try await refusal { try await safety.blockUser(BlockUserRequest(userID: text), user) },
      try await refusal {
        try await safety.reportUser(
          ReportUserRequest(userID: text, reason: .spam, remarks: text, evidenceIds: [text]), user)
      },
      try await refusal {
        try await safety.listBlockedUsers(ListBlockedUsersRequest(pageToken: text), user)
      },
      try await refusal { try await notifications.markRead(MarkReadRequest(notificationIds: [text]), user) },
      try await refusal { try await notifications.unsubscribe(UnsubscribeRequest(token: text)) },
      try await refusal { try await notifications.dropDevice(DropDeviceRequest(deviceID: text), user) },
      try await refusal { try await notifications.listDevices(ListDevicesRequest(pageToken: text), user) },
      try await refusal { try await passkeys.deletePasskey(DeletePasskeyRequest(id: text), user) },
      try await refusal {
        try await passkeys.registerPasskey(
          RegisterPasskeyRequest(name: text, clientDataJson: bytes, attestationObject: bytes), user)
      },
      try await refusal {
        try await passkeys.loginWithPasskey(
          LoginWithPasskeyRequest(credentialID: bytes, clientDataJson: bytes, deviceLabel: text))
      },
    ]
  }

  @Test("[C-2] whoever is nobody sends short messages: of every public method four million bytes are refused unread")
  func shortMessages() async throws {
    try await RunningIdentity.with { identity in
      let all =
        AccountsMethods.all + ProfilesMethods.all + PasskeysMethods.all + FederatedLoginsMethods.all
        + NotificationsMethods.all
      let methods = all.filter { $0.access == .public }
      // The first field has four million bytes and is not text.
      let payload: [UInt8] = [0x0A, 0x80, 0x92, 0xF4, 0x01] + [UInt8](repeating: 0xFF, count: 4_000_000)
      for method in methods {
        #expect(method.maxRequestBytes <= 65_536)
        let status = try await refusal { try await identity.client.callSerialized(method, payload, CallOptions()) }
        #expect(status.code == .resourceExhausted && status.reason == "MESSAGE_TOO_LARGE", "\(method.fullName)")
      }
      #expect(methods.count > 10)
    }
  }

  @Test("[C-2] a text that is not UTF-8 is named by its path in the request")
  func pathOfText() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let contact = ContactInformation(phone: "\u{1}\u{2}\u{3}")
      var payload = CreateProfileRequest(profile: Profile(contact: contact)).serialized()
      let place = try #require(payload.indices.first { payload[$0...].starts(with: [1, 2, 3]) })
      payload.replaceSubrange(place...(place + 2), with: [0x61, 0xFF, 0x62])
      let status = try await refusal {
        try await identity.client.callSerialized(ProfilesMethods.createProfile, payload, .user(login))
      }
      #expect(status.code == .invalidArgument && status.fields == ["profile.contact.phone"])
    }
  }

  @Test(
    "[C-2] [C-12] what is allowed as free text comes back in NFC as it was sent, whatever it means elsewhere",
    arguments: [
      "Robert'); drop table sessions; --", "' or '1'='1", "$1 %s %n \\' \\x00 \\u0000", "<script>alert(1)</script>",
      "Bcc: all@example.com", "=?utf-8?q?Bcc?=", "%00%0d%0a", "/* */ -- #", "{\"a\": [1]}", "=1+1",
      "e\u{301}\u{327} \u{E9}", "日本語 한국어 ไทย", "🧗🏽‍♀️", "\u{FFFD}", "NULL", "true",
    ])
  func roundTrip(text: String) async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let ada = try await identity.login(on: text)
      let grace = try await identity.loggedIn(.grace)

      let label = try await identity.sessions(ada).first?.deviceLabel
      let group = try await identity.groups.createGroup(
        CreateGroupRequest(group: Group(name: text)), .user(ada))
      let named = try await identity.groups.getGroup(GetGroupRequest(groupID: group.groupID), .user(ada))
      _ = try await identity.safety.reportUser(
        ReportUserRequest(userID: grace.userID, reason: .other, remarks: "a\n\(text)"), .user(ada))
      let remarks = try await identity.value("select remarks from user_reports")

      // Compared by code points, as Swift's comparison of strings ignores composition.
      let sent = Array(text.precomposedStringWithCanonicalMapping.unicodeScalars)
      #expect(label.map { Array($0.unicodeScalars) } == sent)
      #expect(Array(named.name.unicodeScalars) == sent)
      #expect(remarks.map { Array($0.unicodeScalars) } == ["a", "\n"] + sent)
    }
  }

  @Test(
    "[ID-3] a password opens the account however its letters are composed, and in no other case",
    arguments: ["naïve Grenouille über 7", "한글 비밀번호 열쇠 42"])
  func normalisation(composed: String) async throws {
    let decomposed = composed.decomposedStringWithCanonicalMapping
    try #require(Array(decomposed.utf8) != Array(composed.utf8))
    try await RunningIdentity.with { identity in
      var ada = User.ada
      ada.password = decomposed
      try await identity.verified(ada)
      func login(_ password: String) async throws -> LoginResponse {
        try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: password))
      }

      let typed = try await login(composed)
      let other = try await refusal { try await login(composed.uppercased() + "!") }

      #expect(!typed.sessionID.isEmpty && other.reason == "CREDENTIALS_INCORRECT")
      _ = try await login(decomposed)
    }
  }

  @Test(
    "[ID-2] names that only look like one that is taken are none, and cannot be registered",
    arguments: ["аda", "ａｄａ", "adа", "ad\u{200B}a", "a\u{301}da", "ADA\u{212A}", "ada\u{FE0F}", "\u{1D41A}da"])
  func resembling(name: String) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()
      let registration = RegisterRequest(
        email: "eve@example.com", username: name, password: User.ada.password)

      let registered = try await refusal { try await identity.accounts.register(registration) }
      let read = try await refusal {
        try await identity.profiles.getProfile(GetProfileRequest(username: name), .user(ada))
      }
      let byName = LoginRequest(emailOrUsername: name, password: User.ada.password)
      let loggedIn = try await refusal { try await identity.accounts.login(byName) }

      #expect(registered.fieldReasons == ["USERNAME_INVALID"])
      #expect(read.reason == "USER_NOT_FOUND" && loggedIn.reason == "CREDENTIALS_INCORRECT")
    }
  }
}

/// What is not part of the repository.
private enum PublicPasswords {
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/credentials/django-common-passwords-20k.txt").standardizedFileURL

  static var arePresent: Bool { FileManager.default.fileExists(atPath: file.path) }

  static func all() throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
  }
}

@Suite("common passwords", .timeLimit(.minutes(5)))
struct CommonPasswordTests {
  @Test(
    "[ID-3] each of the 19,640 common passwords is too weak or too short",
    .enabled(
      if: PublicPasswords.arePresent,
      "needs \(PublicPasswords.file.path), which is not there: the common passwords were NOT run"))
  func judged() async throws {
    let all = try PublicPasswords.all()
    let judge = PasswordPolicy(workers: 1)
    var accepted: [String] = []
    for password in all {
      if case .success = try await judge.judge(password, names: ["ada", "ada@example.com"]) {
        accepted.append(password)
      }
    }

    #expect(all.count == 19_640 && accepted == [])
  }

  @Test(
    "[ID-3] who registers with a common password is told so",
    .enabled(
      if: PublicPasswords.arePresent,
      "needs \(PublicPasswords.file.path), which is not there: the common passwords were NOT run"))
  func registered() async throws {
    let some = try PublicPasswords.all().enumerated().filter { $0.offset.isMultiple(of: 400) }.map(\.element)
    try await RunningIdentity.with { identity in
      for password in some {
        var ada = User.ada
        ada.password = password
        let status = try await refusal { try await identity.accounts.register(ada.registration) }
        #expect(status.fieldReasons == ["PASSWORD_NOT_STRONG_ENOUGH"], "\(password)")
        #expect(status.message == "The password is not strong enough")
      }
    }
  }
}
