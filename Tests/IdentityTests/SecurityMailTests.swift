import IdentityDomain
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("security mail", .ownThreads, .timeLimit(.minutes(5)))
struct SecurityMailTests {
  /// The kinds of the notices so far, in no order.
  private static func kinds(_ identity: RunningIdentity) async throws -> [String] {
    try await identity.sql("select kind from security_notices order by kind").compactMap { $0.first ?? nil }
  }

  @Test("[ID-16] what changes how to log in is mailed once: what, when, from where, and what to do")
  func everyKind() async throws {
    try await HostileProviders.serve { identity, _ in
      try await identity.verified()
      let ada = try await identity.login(on: "Ada's phone")
      _ = try await identity.addPasskey(ada)
      let passkey = try #require(try await identity.passkeys.listPasskeys(.init(), .user(ada)).passkeys.first)
      _ = try await identity.passkeys.deletePasskey(DeletePasskeyRequest(id: passkey.id), .user(ada))
      let linked = try await identity.linked(to: ada)
      _ = try await identity.federated.unlinkIdentity(UnlinkIdentityRequest(id: linked.id), .user(ada))
      try await identity.rename(ada, to: "lovelace")
      let change = ChangePasswordRequest(oldPassword: User.ada.password, newPassword: "another-Saddle 7 paperclip")
      _ = try await identity.accounts.changePassword(change, .user(ada))
      _ = try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: User.ada.email))
      let reset = ResetPasswordRequest(
        token: try await identity.token(to: User.ada.email, about: "Choose a new password"),
        newPassword: User.ada.password)
      _ = try await identity.accounts.resetPassword(reset)
      try await identity.mailIsSent()

      #expect(
        try await Self.kinds(identity) == [
          "IDENTITY_LINKED", "IDENTITY_UNLINKED", "PASSKEY_ADDED", "PASSKEY_REMOVED", "PASSWORD_CHANGED",
          "PASSWORD_RESET", "USERNAME_CHANGED",
        ])
      let subjects = [
        "A way to log in was added to your account", "A way to log in was removed from your account",
        "A passkey was added to your account", "A passkey was removed from your account", "Your username was changed",
      ]
      for subject in subjects {
        let mails = try await identity.mails(to: User.ada.email, about: subject)
        #expect(mails.count == 1)
        #expect(mails[0].contains("From: address 127.0.0.1, device \"Ada's phone\""))
        #expect(mails[0].contains("When: ") && mails[0].contains("If it was not you"))
        #expect(!mails[0].contains("List-Unsubscribe"))
      }
      #expect(try await identity.mails(to: User.ada.email, about: "Your password was changed", count: 2).count == 2)
    }
  }

  @Test("[ID-16] the first login from a device that is not known is mailed once, and the very first device is not")
  func newDevice() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      _ = try await identity.login(on: "phone")
      _ = try await identity.login(on: "phone")
      let before = try await Self.kinds(identity)
      _ = try await identity.login(on: "laptop")
      _ = try await identity.login(on: "laptop")
      _ = try await identity.login(on: "phone")

      let mails = try await identity.mails(to: User.ada.email, about: "A login from a new device")
      try await identity.mailIsSent()

      #expect(before.isEmpty)
      #expect(try await Self.kinds(identity) == ["NEW_DEVICE"])
      #expect(mails[0].contains("device \"laptop\""))
    }
  }

  @Test("[ID-16] of 64 logins from a new device at the same moment one is mailed")
  func raceOfLogins() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.loggedIn()
      let call = LoginRequest(
        emailOrUsername: User.ada.email, password: User.ada.password, deviceLabel: "new")

      let results = await identity.race(64) { client, _ in try await AccountsClient(client).login(call) }

      #expect(results.successes().count == 64, "\(results.refusals())")
      #expect(try await Self.kinds(identity) == ["NEW_DEVICE"])
    }
  }

  @Test("[ID-16] a login by a passkey from a device that is not known is mailed, too")
  func passkey() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      _ = try await identity.logIn(device, of: ada, label: "tablet")

      let mails = try await identity.mails(to: User.ada.email, about: "A login from a new device")

      #expect(mails.count == 1 && mails[0].contains("device \"tablet\""))
    }
  }

  @Test("[ID-16] at most 50 devices of an account are known, those that were used last")
  func bounded() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      for number in 0..<52 {
        identity.clock.advance(by: .seconds(1))
        _ = try await identity.login(on: "device \(number)")
      }

      #expect(try await identity.value("select count(*) from known_devices") == "50")
      #expect(try await Self.kinds(identity).count == 51)
      _ = try await identity.login(on: "device 51")
      #expect(try await Self.kinds(identity).count == 51)
    }
  }

  @Test("[ID-16] no preference switches security mail off")
  func always() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      for kind in NotificationKind.allCases {
        try await identity.sql(
          """
          insert into notification_preferences (account_id, kind, by_mail, by_push)
          values ('\(ada.userID)', '\(kind.rawValue)', false, false)
          """)
      }
      try await identity.rename(ada, to: "lovelace")

      #expect(try await identity.mails(to: User.ada.email, about: "Your username was changed").count == 1)
    }
  }

  @Test("[ID-16] [C-6] a change that is only tried, refused or repeated is not mailed")
  func onlyChanges() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.accounts.changeUsername(
        ChangeUsernameRequest(username: "lovelace", validateOnly: true), .user(ada))
      let wrong = ChangePasswordRequest(oldPassword: "wrong", newPassword: "another-Saddle 7 paperclip")
      _ = try await refusal { try await identity.accounts.changePassword(wrong, .user(ada)) }
      let nothing = try await Self.kinds(identity)
      let call = ChangeUsernameRequest(username: "lovelace", requestID: "0197a5a0-0000-4000-8000-000000000031")
      for _ in 0..<3 { _ = try await identity.accounts.changeUsername(call, .user(ada)) }

      #expect(nothing.isEmpty)
      #expect(try await Self.kinds(identity) == ["USERNAME_CHANGED"])
    }
  }

  @Test("[ID-16] mail about what happened before the address changed goes to the address of that moment")
  func formerAddress() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.rename(ada, to: "lovelace")
      try await identity.changeEmail(ada, to: "ada@new.example")

      #expect(
        try await identity.sql(
          "select kind, recipient from deliveries join security_notices on delivery_id = id order by 1")
          == [
            ["EMAIL_CHANGED", "ada@new.example"], ["EMAIL_CHANGE_REQUESTED", User.ada.email],
            ["EMAIL_REPLACED", User.ada.email], ["USERNAME_CHANGED", User.ada.email],
          ])
    }
  }

  @Test("[ID-16] [C-8] it says the time in the zone of the user's profile")
  func localTime() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      var profile = Profile.complete
      profile.timeZone = "Asia/Kathmandu"
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: profile), .user(ada))
      try await identity.rename(ada, to: "lovelace")

      let mail = try await identity.mails(to: User.ada.email, about: "Your username was changed")[0]

      #expect(mail.contains("When: Thu, 15 Jan 2026 17:45:00 (Asia/Kathmandu, UTC+05:45)\r\n"))
    }
  }

  @Test("[ID-16] [C-8] to a user who has chosen no zone, or one that is not known any more, it says the time in UTC")
  func universalTime() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.rename(ada, to: "lovelace")
      // The zone is that of when the mail is sent.
      try await identity.mailIsSent()
      _ = try await identity.profiles.createProfile(CreateProfileRequest(profile: .complete), .user(ada))
      try await identity.sql("update profiles set time_zone = 'Mars/Olympus'")
      try await identity.rename(ada, to: "countess")

      let mails = try await identity.mails(to: User.ada.email, about: "Your username was changed", count: 2)

      // Both were written at the same moment, so that their order is not known.
      let first = try #require(mails.first { $0.contains("Hello lovelace,") })
      let second = try #require(mails.first { $0.contains("Hello countess,") })
      #expect(first.contains("When: Thu, 15 Jan 2026 12:00:00 (UTC)\r\n"))
      #expect(second.contains("When: Thu, 15 Jan 2026 12:00:00 UTC\r\n"))
    }
  }

  @Test(
    "[C-8] how far a zone is ahead of UTC",
    arguments: [
      ("America/St_Johns", -12_600, "America/St_Johns, UTC-03:30"),
      ("Pacific/Kiritimati", 50_400, "Pacific/Kiritimati, UTC+14:00"),
      ("Europe/London", 0, "Europe/London, UTC"), ("UTC", 0, "UTC"),
    ])
  func offsets(zone: String, seconds: Int, text: String) throws {
    #expect("\(ZoneOffset(zone: try #require(TimeZoneName(zone)), secondsFromUTC: seconds))" == text)
  }

  @Test("[ID-16] a device's label makes no link and no markup, and is in no subject")
  func plainText() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.loggedIn()
      _ = try await identity.login(on: "visit https://evil.example/<b>now</b>")

      let mail = try await identity.mails(to: User.ada.email, about: "A login from a new device")[0].unbrokenMail

      #expect(mail.contains("device \"visit https:\u{200A}//evil.\u{200A}example/<b>now</b>\""))
      #expect(mail.contains("/&lt;b&gt;now&lt;/b&gt;"))
    }
  }
}
