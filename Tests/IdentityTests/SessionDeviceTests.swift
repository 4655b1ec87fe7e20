import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

/// Devices that notifications are pushed to, and the sessions that registered them.
@Suite("devices of sessions", .timeLimit(.minutes(5)))
struct SessionDeviceTests {
  private static func register(
    _ token: String, _ login: LoginResponse, _ identity: RunningIdentity
  ) async throws -> TandemNotification.Device {
    try await identity.notifications.registerDevice(
      RegisterDeviceRequest(token: token, platform: .apple), .user(login))
  }

  private static func listed(_ login: LoginResponse, _ identity: RunningIdentity) async throws -> [String] {
    try await identity.notifications.listDevices(ListDevicesRequest(), .user(login)).devices.map(\.deviceLabel)
  }

  @Test("[ID-62] a device shows the label and the id of the session that registered it last")
  func shows() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let (phone, tablet) = (try await identity.login(on: "phone"), try await identity.login(on: "tablet"))

      let first = try await Self.register("token", phone, identity)
      let again = try await Self.register("token", tablet, identity)
      let listed = try await identity.notifications.listDevices(ListDevicesRequest(), .user(phone)).devices

      #expect(first.sessionID == phone.sessionID && first.deviceLabel == "phone")
      #expect(again.deviceID == first.deviceID && listed == [again])
      #expect(again.sessionID == tablet.sessionID && again.deviceLabel == "tablet")
    }
  }

  @Test(
    "[ID-62] [ID-7] nothing is pushed to a device whose session has ended, however it ended",
    arguments: ["logout", "revoke", "others", "password", "refresh"])
  func ends(_ way: String) async throws {
    try await PushServer.with { server in
      try await RunningIdentity.with(CheapIdentity.self, server.arguments()) { identity in
        try await identity.verified()
        let (kept, lost) = (try await identity.login(on: "kept"), try await identity.login(on: "lost"))
        _ = try await Self.register("kept-1", kept, identity)
        _ = try await Self.register("lost-1", lost, identity)
        switch way {
        case "logout": _ = try await identity.accounts.logout(LogoutRequest(), .user(lost))
        case "revoke": try await identity.revoke(lost, by: kept)
        case "others":
          _ = try await identity.accounts.logoutEverywhere(
            LogoutEverywhereRequest(scope: .otherSessions), .user(kept))
        case "password":
          let change = ChangePasswordRequest(
            oldPassword: User.ada.password, newPassword: "another-Saddle 7 paperclip")
          _ = try await identity.accounts.changePassword(change, .user(kept))
        default:
          _ = try await identity.accounts.refresh(RefreshRequest(refreshToken: lost.refreshToken))
          _ = try await identity.refusedRefresh(of: lost)
        }
        try await Replica.with(identity) { replica in try await replica.tell(try .request(to: kept, because: "1")) }
        _ = try await eventually("it was pushed") { try server.pushes().first }

        #expect(try await Self.listed(kept, identity) == ["kept"])
        #expect(try server.pushes().compactMap { $0.body["token"] } == ["kept-1"])
      }
    }
  }

  @Test("[ID-62] [ID-7] after LogoutEverywhere no device is left, not even one from before sessions were recorded")
  func everywhere() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await Self.register("one", ada, identity)
      _ = try await Self.register("old", ada, identity)
      try await identity.sql(
        "update devices set session_id = null where token_hash = sha256(convert_to('old', 'UTF8'))")
      _ = try await identity.accounts.logoutEverywhere(LogoutEverywhereRequest(), .user(ada))

      #expect(try await identity.value("select count(*) from devices") == "0")
    }
  }

  @Test("[ID-62] of 64 registrations that race with the end of their session none leaves a device")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let results = await identity.race(64) { client, caller in
        if caller == 32 {
          _ = try await AccountsClient(client).logoutEverywhere(LogoutEverywhereRequest(), .user(ada))
        } else {
          _ = try await NotificationsClient(client).registerDevice(
            RegisterDeviceRequest(token: "token-\(caller)", platform: .apple), .user(ada))
        }
      }

      #expect(results.refusals().allSatisfy { $0.reason == "TOKEN_REVOKED" })
      #expect(try await identity.value("select count(*) from devices") == "0")
    }
  }

  @Test("[ID-62] a session that expires takes its device along")
  func expires() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await Self.register("one", try await identity.loggedIn(), identity)
      }
      clock.advance(by: .seconds(30 * 86_400))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("the device is gone") {
          try await identity.value("select 1 where not exists (select from devices)")
        }
      }
    }
  }
}
