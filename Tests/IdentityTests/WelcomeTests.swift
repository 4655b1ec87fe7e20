import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("the welcome", .ownThreads, .timeLimit(.minutes(5)))
struct WelcomeTests {
  @Test("[ID-65] a user is welcomed once after verification, by a notification that leads to the profile")
  func once() async throws {
    try await RunningIdentity.with { identity in
      let id = try await identity.welcomed()
      let ada = try await identity.accounts.login(User.ada.login)

      let inbox = try await identity.notifications.listNotifications(ListNotificationsRequest(), .user(ada))

      #expect(inbox.notifications.map(\.kind) == [.welcome] && inbox.notifications[0].title == "Welcome to Tandem")
      #expect(inbox.notifications[0].subject == "profiles/\(id)")
      _ = try await identity.accounts.login(User.ada.login)
      _ = try await identity.accounts.changeUsername(ChangeUsernameRequest(username: "lovelace"), .user(ada))
      #expect(try await identity.value("select count(*) from notifications") == "1")
    }
  }

  @Test("[ID-65] [C-4] of 16 uses of one link, some with the same request_id, one welcome comes; none before")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let account = try await identity.accounts.register(User.ada.registration)
      let token = try await identity.mailedToken(to: User.ada.email)
      let before = try await identity.value("select count(*) from notifications")
      let secret = account.registrationSecret

      _ = await identity.race(16) { client, caller in
        try await AccountsClient(client).verifyEmail(
          VerifyEmailRequest(
            token: token, requestID: caller % 2 == 0 ? "0197a5a0-0000-4000-8000-000000000001" : "",
            registrationSecret: secret))
      }

      #expect(before == "0")
      #expect(try await identity.value("select count(*) from notifications") == "1")
    }
  }

  @Test("[ID-65] [ID-12] who comes by a provider with a verified address is welcomed, too")
  func byProvider() async throws {
    try await HostileProviders.serve { identity, _ in
      let (ticket, handle) = try await identity.ticket()
      let registered = try await identity.federated.registerWithIdentity(
        RegisterWithIdentityRequest(ticket: ticket, handle: handle, username: "ada"))

      let login = try #require(registered.login)
      #expect(try await identity.notified(login) == [.welcome])
    }
  }

  @Test("[ID-65] [C-9] the welcome goes with the account, and whoever registers the address again has another")
  func again() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.welcomed()
      let ada = try await identity.accounts.login(User.ada.login)
      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))
      let left = try await identity.value("select count(*) from notifications")
      identity.clock.advance(by: .seconds(3_600))
      let account = try await identity.accounts.register(User.ada.registration)
      _ = try await identity.accounts.verifyEmail(
        VerifyEmailRequest(
          token: try await identity.mailedToken(to: User.ada.email, mail: 2),
          registrationSecret: account.registrationSecret))

      #expect(left == "0")
      #expect(try await identity.value("select count(*) from notifications") == "1")
    }
  }
}
