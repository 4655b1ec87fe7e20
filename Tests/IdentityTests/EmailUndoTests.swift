import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("changes of the email address that are undone", .ownThreads, .timeLimit(.minutes(5)))
struct EmailUndoTests {
  private static let (new, evil) = ("ada@new.example", "mallory@evil.example")

  @Test("[ID-15] the link to the old address restores it, ends every session and mails a link to choose a password")
  func undoes() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.changeEmail(ada, to: Self.new)

      let answer = try await identity.undoEmail(try await identity.undoToken(to: User.ada.email))

      #expect(answer.userID == ada.userID && answer.email == User.ada.email && answer.undoneEmail == Self.new)
      #expect(answer.endedSessionCount == 1 && answer.username == "ada")
      let ended = try await refusal { try await identity.ownAccount(ada) }
      let old = try await refusal { try await identity.accounts.login(User.ada.login) }
      #expect(ended.reason == "TOKEN_REVOKED" && old.reason == "CREDENTIALS_INCORRECT")
      var user = User.ada
      user.password = "another-Saddle 7 paperclip"
      _ = try await identity.accounts.resetPassword(
        ResetPasswordRequest(
          token: try await identity.token(to: user.email, about: "Choose a new password"), newPassword: user.password))
      let own = try await identity.ownAccount(try await identity.accounts.login(user.login))
      #expect(own.email == User.ada.email && own.pendingEmail.isEmpty)
    }
  }

  @Test("[ID-15] D-11: what was restored by hand is not undone again: the old link ends nothing")
  func restoredByHand() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.changeEmail(ada, to: Self.new)
      let undo = try await identity.undoToken(to: User.ada.email)
      try await identity.requestEmail(User.ada.email, ada)
      try await identity.confirmEmail(try await identity.confirmToken(to: User.ada.email))

      let refused = try await refusal { try await identity.undoEmail(undo) }

      #expect(refused.code == .failedPrecondition && refused.reason == "EMAIL_CHANGE_TOKEN_USED")
      #expect(try await identity.ownAccount(ada).email == User.ada.email)
      _ = try await identity.accounts.login(User.ada.login)
    }
  }

  @Test("[ID-15] a change can be undone for 7 days, and to the second as long its address is reserved")
  func boundary() async throws {
    try await RunningIdentity.with { identity in
      try await identity.changeEmail(try await identity.loggedIn(), to: Self.new)
      let token = try await identity.undoToken(to: User.ada.email)
      var other = User(email: User.ada.email, username: "other")
      identity.clock.advance(by: .seconds(7 * 86_400 - 1))
      let reserved = try await refusal { try await identity.accounts.register(other.registration) }
      identity.clock.advance(by: .seconds(1))
      let expired = try await refusal { try await identity.undoEmail(token) }
      other.username = "another"
      _ = try await identity.accounts.register(other.registration)

      #expect(reserved.code == .alreadyExists && reserved.reason == "EMAIL_REGISTERED")
      #expect(expired.code == .failedPrecondition && expired.reason == "EMAIL_CHANGE_TOKEN_EXPIRED")
    }
  }

  @Test("[ID-15] a second before 7 days are over a change can be undone, and not twice")
  func lastMoment() async throws {
    try await RunningIdentity.with { identity in
      try await identity.changeEmail(try await identity.loggedIn(), to: Self.new)
      let token = try await identity.undoToken(to: User.ada.email)
      identity.clock.advance(by: .seconds(7 * 86_400 - 1))

      let answer = try await identity.undoEmail(token)
      let again = try await refusal { try await identity.undoEmail(token) }

      #expect(answer.email == User.ada.email)
      #expect(again.code == .failedPrecondition && again.reason == "EMAIL_CHANGE_TOKEN_USED")
    }
  }

  @Test("[ID-15] [C-9] a change of a deleted account can be neither undone nor confirmed, and nothing of it is left")
  func deleted() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.requestEmail(Self.new, ada)
      let call = ConfirmEmailChangeRequest(
        token: try await identity.confirmToken(to: Self.new), requestID: "0197a5a0-0000-4000-8000-000000000041")
      _ = try await identity.accounts.confirmEmailChange(call)
      let undo = try await identity.undoToken(to: User.ada.email)
      try await identity.requestEmail(Self.evil, ada)
      let confirm = try await identity.confirmToken(to: Self.evil)
      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))

      let undone = try await refusal { try await identity.undoEmail(undo) }
      let confirmed = try await refusal { try await identity.confirmEmail(confirm) }
      _ = try await identity.accounts.register(User.ada.registration)

      #expect(undone.reason == "EMAIL_CHANGE_TOKEN_INVALID" && confirmed.reason == "EMAIL_CHANGE_TOKEN_INVALID")
      #expect(try await identity.value("select count(*) from replays where method like '%EmailChange'") == "0")
      let left = ["email_changes", "email_change_tokens", "email_reservations", "security_notices", "known_devices"]
      for table in left { #expect(try await identity.value("select count(*) from \(table)") == "0") }
    }
  }

  @Test("[ID-15] the old address is reserved for its owner, who may take it again, and for no other user")
  func reserved() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let grace = try await identity.loggedIn(.grace)
      try await identity.changeEmail(ada, to: Self.new)

      try await identity.requestEmail(User.ada.email, grace)
      _ = try await identity.mails(to: User.ada.email, about: "Your email address was asked for")
      let registration = try await refusal {
        try await identity.accounts.register(User(email: User.ada.email, username: "other").registration)
      }
      let federated = "update accounts set email_key = 'ada@example.com' where username = 'grace.h'"
      await #expect(throws: (any Error).self) { try await identity.sql(federated) }
      identity.clock.advance(by: .seconds(60))
      try await identity.changeEmail(ada, to: User.ada.email)

      #expect(registration.reason == "EMAIL_REGISTERED")
      #expect(try await identity.ownAccount(ada).email == User.ada.email)
    }
  }

  @Test("[ID-15] a thief who added a passkey and changed password and address is shut out, and the owner gets in again")
  func takeover() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.loggedIn()
      let thief = try await identity.login(on: "Mallory's laptop")
      let passkey = try await identity.addPasskey(thief)
      try await identity.changeEmail(thief, to: Self.evil)
      identity.clock.advance(by: .seconds(60))
      let password = ChangePasswordRequest(oldPassword: User.ada.password, newPassword: "stolen-Lantern 88 gravel")
      _ = try await identity.accounts.changePassword(password, .user(thief))
      try await identity.changeEmail(thief, to: "second@evil.example")
      identity.clock.advance(by: .seconds(60))
      try await identity.requestEmail("third@evil.example", thief)
      let pending = try await identity.confirmToken(to: "third@evil.example")
      let counter = try await identity.undoToken(to: Self.evil, count: 2)
      _ = try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: "second@evil.example"))
      let reset = try await identity.token(to: "second@evil.example", about: "Choose a new password")

      let answer = try await identity.undoEmail(try await identity.undoToken(to: User.ada.email))

      #expect(answer.email == User.ada.email && answer.undoneEmail == "second@evil.example")
      #expect(answer.removedPasskeys == [""])
      let outcomes = [
        try await identity.outcome { try await identity.undoEmail(counter) },
        try await identity.outcome { try await identity.confirmEmail(pending) },
        try await identity.outcome {
          try await identity.accounts.resetPassword(
            ResetPasswordRequest(token: reset, newPassword: "stolen-Lantern 99 gravel"))
        },
        try await identity.outcome { try await identity.logIn(passkey, of: thief) },
        try await identity.outcome {
          try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: "stolen-Lantern 88 gravel"))
        },
        try await identity.outcome {
          try await identity.accounts.refresh(RefreshRequest(refreshToken: thief.refreshToken))
        },
      ]
      #expect(
        outcomes == [
          "EMAIL_CHANGE_TOKEN_USED", "EMAIL_CHANGE_TOKEN_INVALID", "RESET_TOKEN_INVALID", "SIGNATURE",
          "CREDENTIALS_INCORRECT", "SESSION_REVOKED",
        ])
      let restored = try await identity.mails(to: User.ada.email, about: "Your email address was restored")
      #expect(restored[0].contains("passkeys and links to other providers, 1 and 0 were removed"))
      let choice = ResetPasswordRequest(
        token: try await identity.token(to: User.ada.email, about: "Choose a new password"),
        newPassword: "another-Saddle 7 paperclip")
      _ = try await identity.accounts.resetPassword(choice)
      let ada = try await identity.accounts.login(
        LoginRequest(emailOrUsername: User.ada.email, password: choice.newPassword))
      #expect(try await identity.ownAccount(ada).passkeyCount == 0)
      #expect(try await identity.value("select count(*) from email_reservations") == "0")
    }
  }

  @Test(
    "[ID-15] a change that was requested by a session which is ended from elsewhere can no longer be confirmed",
    arguments: ["password", "everywhere", "session"])
  func droppedWithSession(_ way: String) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let thief = try await identity.login(on: "thief")
      try await identity.requestEmail(Self.evil, thief)
      let token = try await identity.confirmToken(to: Self.evil)
      switch way {
      case "password":
        let change = ChangePasswordRequest(oldPassword: User.ada.password, newPassword: "another-Saddle 7 paperclip")
        _ = try await identity.accounts.changePassword(change, .user(ada))
      case "everywhere":
        _ = try await identity.accounts.logoutEverywhere(LogoutEverywhereRequest(scope: .otherSessions), .user(ada))
      default: try await identity.revoke(thief, by: ada)
      }

      let refused = try await refusal { try await identity.confirmEmail(token) }

      #expect(refused.reason == "EMAIL_CHANGE_TOKEN_INVALID")
      #expect(try await identity.ownAccount(ada).pendingEmail.isEmpty)
    }
  }

  @Test("[ID-15] a user who logs out after the request can still confirm it")
  func afterLogout() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.requestEmail(Self.new, ada)
      _ = try await identity.accounts.logout(LogoutRequest(), .user(ada))

      #expect(try await identity.confirmEmail(try await identity.confirmToken(to: Self.new)).email == Self.new)
    }
  }

  @Test("[ID-15] of 63 calls that race with the undoing to get in again none leaves a way in")
  func race() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.loggedIn()
      let thief = try await identity.login(on: "thief")
      try await identity.changeEmail(thief, to: Self.evil)
      let undo = try await identity.undoToken(to: User.ada.email)
      let registrations = try await (0..<15).asyncMap { _ in
        try Authenticator.create(try await identity.passkeys.startPasskeyRegistration(.init(), .user(thief))).call
      }

      let results = await identity.race(64) { client, caller in
        let (accounts, options) = (AccountsClient(client), CallOptions.user(thief))
        switch caller % 4 {
        case _ where caller == 31: _ = try await accounts.undoEmailChange(UndoEmailChangeRequest(token: undo))
        case 0 where caller / 4 < 15:
          _ = try await PasskeysClient(client).registerPasskey(registrations[caller / 4], options)
        case 1:
          _ = try await accounts.requestEmailChange(
            RequestEmailChangeRequest(email: "thief\(caller)@evil.example"), options)
        case 2:
          let device = RegisterDeviceRequest(token: "device-\(caller)", platform: .web)
          _ = try await NotificationsClient(client).registerDevice(device, options)
        default:
          _ = try await accounts.login(LoginRequest(emailOrUsername: "ada", password: User.ada.password))
        }
      }

      #expect(results.successes().isEmpty == false)
      let left = """
        select (select count(*) from passkeys), (select count(*) from email_changes where confirmed_at is null),
          (select count(*) from devices), (select count(*) from sessions where revoked_at is null),
          (select count(password_hash) from accounts), (select email from accounts)
        """
      #expect(try await identity.sql(left) == [["0", "0", "0", "0", "0", User.ada.email]])
    }
  }
}
