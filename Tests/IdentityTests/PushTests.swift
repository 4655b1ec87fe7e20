import Base64
import Cryptography
import IdentityDomain
import IdentityHandlers
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@Suite("pushes", .timeLimit(.minutes(5)))
struct PushTests {
  /// A user with a device and one notification of a request, in a service that pushes to `server`.
  private static func told(
    _ deviceToken: String, _ server: PushServer, _ arguments: [String]? = nil,
    _ body: @escaping @Sendable (RunningIdentity, LoginResponse) async throws -> Void
  ) async throws {
    try await RunningIdentity.with(CheapIdentity.self, arguments ?? server.arguments()) { identity in
      let ada = try await identity.loggedIn()
      let device = RegisterDeviceRequest(token: deviceToken, platform: .apple)
      _ = try await identity.notifications.registerDevice(device, .user(ada))
      try await Replica.with(identity) { replica in
        try await replica.tell(try .request("\"Dune\"", to: ada, because: "1"))
      }
      try await body(identity, ada)
    }
  }

  private static let state = "select state from deliveries where channel = 'PUSH'"

  @Test("[ID-62] a notification is posted to the gateway as JSON over HTTPS, with the gateway's credentials")
  func posts() async throws {
    try await PushServer.with { server in
      try await Self.told("device-1", server) { identity, ada in
        _ = try await eventually("it was sent") { try await identity.value(Self.state) == "SENT" ? true : nil }

        let push = try #require(try server.pushes().first)
        let inbox = try await identity.notifications.listNotifications(ListNotificationsRequest(), .user(ada))
        #expect(push.path == "/v1/send" && push.headers["authorization"] == "Bearer gateway-secret")
        #expect(
          push.headers["idempotency-key"]
            == (try await identity.value("select id from deliveries where channel = 'PUSH'")))
        #expect(push.headers["content-type"] == "application/json")
        #expect(
          push.body == [
            "token": "device-1", "platform": "APPLE", "kind": "BOOK_REQUESTED", "sequence": "1", "subject": "books/1",
            "notification_id": inbox.notifications[0].notificationID,
            "title": "Somebody wants to borrow \"Dune\"",
            "body": "A deleted user would like to borrow \"Dune\" from you.",
          ])
      }
    }
  }

  @Test(
    "[ID-62] a token that the gateway calls gone is dropped, and nothing is pushed to it again",
    arguments: ["gone-1", "unknown-1"])
  func gone(token: String) async throws {
    try await PushServer.with { server in
      try await Self.told(token, server) { identity, ada in
        _ = try await eventually("the device is dropped") {
          try await identity.value("select 1 where not exists (select from devices)")
        }
        try await Replica.with(identity) { replica in try await replica.tell(try .request(to: ada, because: "2")) }

        #expect(try await identity.value("select count(*) from deliveries where channel = 'PUSH'") == "0")
        #expect(try server.pushes().count == 1)
      }
    }
  }

  @Test(
    "[ID-62] a gateway that is busy or broken is tried again, not before Retry-After",
    arguments: [("busy-1", 600), ("broken-1", 60)])
  func busy(token: String, wait: Int) async throws {
    try await PushServer.with { server in
      try await Self.told(token, server) { identity, _ in
        let now = "to_timestamp(\(identity.clock.now.wholeSeconds))"
        let due = try await eventually("the failure is noted") {
          try await identity.value(
            "select extract(epoch from due_at - \(now))::integer from deliveries where channel = 'PUSH' and possible_sends = 0 and attempts = 1"
          )
        }
        identity.clock.advance(by: .seconds(wait))
        _ = try await eventually("it was sent") { try await identity.value(Self.state) == "SENT" ? true : nil }

        #expect(due == "\(wait)")
        let pushes = try server.pushes()
        #expect(pushes.count == 2 && pushes[1].status == "202")
        #expect(Set(pushes.map { $0.headers["idempotency-key"] }).count == 1)
      }
    }
  }

  @Test("[ID-62] a push that the gateway refuses for good is recorded and not retried")
  func refused() async throws {
    try await PushServer.with { server in
      try await Self.told("bad-1", server) { identity, _ in
        _ = try await eventually("it is refused") { try await identity.value(Self.state) == "REFUSED" ? true : nil }

        #expect(
          try await identity.value("select last_failure from deliveries where channel = 'PUSH'")
            == "refused: the gateway answered 400")
      }
    }
  }

  @Test(
    "[ID-62] credentials go nowhere else: no redirection is followed, no stranger is trusted, none is shown",
    arguments: ["stray", "stranger", "wrong"])
  func careful(what: String) async throws {
    try await PushServer.with { server in
      let arguments: [String] =
        switch what {
        case "stranger": server.arguments().dropLast(2) + []
        case "wrong": server.arguments(token: "not-the-secret")
        default: server.arguments()
        }
      try await Self.told("\(what)-1", server, arguments) { identity, _ in
        let failure = try await eventually("the failure is noted") {
          try await identity.value(
            "select last_failure from deliveries where channel = 'PUSH' and possible_sends = 0 and attempts = 1 and state = 'DUE'"
          )
        }

        #expect(!failure.contains("secret") && !failure.contains("\(what)-1"))
        #expect(try server.pushes().map(\.status) == (what == "stranger" ? [] : [what == "wrong" ? "401" : "307"]))
      }
    }
  }

  @Test("[ID-62] a token registered again is the same device, and one that somebody else registers is theirs")
  func registers() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      let call = RegisterDeviceRequest(token: "shared", platform: .firebase)

      let first = try await identity.notifications.registerDevice(call, .user(ada))
      let again = try await identity.notifications.registerDevice(call, .user(ada))
      let moved = try await identity.notifications.registerDevice(call, .user(grace))
      let notHers = try await refusal {
        try await identity.notifications.dropDevice(DropDeviceRequest(deviceID: moved.deviceID), .user(ada))
      }
      _ = try await identity.notifications.dropDevice(DropDeviceRequest(deviceID: moved.deviceID), .user(grace))

      #expect(first == again && moved.deviceID != first.deviceID)
      #expect(notHers.code == .notFound && notHers.reason == "DEVICE_NOT_FOUND")
      #expect(try await identity.value("select count(*) from devices") == "0")
    }
  }

  @Test("[ID-62] of more than 20 devices the oldest are dropped, however many register at once")
  func limited() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let old = RegisterDeviceRequest(token: "old", platform: .web)
      _ = try await identity.notifications.registerDevice(old, .user(ada))
      identity.clock.advance(by: .seconds(1))

      let results = await identity.race(40) { client, caller in
        try await NotificationsClient(client).registerDevice(
          RegisterDeviceRequest(token: "new-\(caller)", platform: .web), .user(ada))
      }

      #expect(results.successes().count == 40)
      #expect(
        try await identity.sql("select count(*), count(*) filter (where token_hash = sha256('old')) from devices")
          == [["20", "0"]])
    }
  }

  @Test("[ID-62] [C-5] devices are listed page by page, those registered last first, each to its owner alone")
  func lists() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      var registered: [TandemNotification.Device] = []
      for (number, platform) in [Platform.apple, .firebase, .web].enumerated() {
        let call = RegisterDeviceRequest(token: "device-\(number)", platform: platform)
        registered.insert(try await identity.notifications.registerDevice(call, .user(ada)), at: 0)
        identity.clock.advance(by: .seconds(1))
      }

      let first = try await identity.notifications.listDevices(ListDevicesRequest(pageSize: 2), .user(ada))
      let rest = try await identity.notifications.listDevices(
        ListDevicesRequest(pageSize: 2, pageToken: first.nextPageToken), .user(ada))
      let hers = try await identity.notifications.listDevices(ListDevicesRequest(), .user(grace))
      let stolen = try await refusal {
        try await identity.notifications.listDevices(ListDevicesRequest(pageToken: first.nextPageToken), .user(grace))
      }

      #expect(first.devices == Array(registered.prefix(2)) && rest.devices == Array(registered.suffix(1)))
      #expect(rest.nextPageToken.isEmpty && hers.devices.isEmpty)
      #expect(stolen.fieldReasons == ["PAGE_TOKEN_INVALID"])
    }
  }

  @Test("[ID-62] a push token lies in the database sealed, and no column of any table shows it")
  func sealed() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let call = RegisterDeviceRequest(
        token: "tell-tale", platform: .web, requestID: "0197a5a0-0000-4000-8000-000000000001")
      _ = try await identity.notifications.registerDevice(call, .user(ada))

      #expect(
        try await identity.value("select token is null and token_hash = sha256('tell-tale') from devices") == "t")
      #expect(try await identity.value("select position('tell-tale'::bytea in sealed_token) from devices") == "0")
      #expect(try await identity.value("select position('tell-tale'::bytea in sealed_answer) from replays") == "0")
    }
  }

  @Test("[ID-62] tokens from before they were sealed, and those of an earlier key, are pushed to, and sealed anew")
  func resealed() async throws {
    try await PushServer.with { server in
      try await TestDatabase.with([RunningIdentity.schema]) { database in
        let clock = ManualClock()
        try await RunningIdentity.with(CheapIdentity.self, on: database, clock: clock) { identity in
          let ada = try await identity.loggedIn()
          for token in ["device-1", "device-2"] {
            let call = RegisterDeviceRequest(token: token, platform: .web)
            _ = try await identity.notifications.registerDevice(call, .user(ada))
          }
          try await identity.sql(
            "update devices set token = 'device-1', sealed_token = null where token_hash = sha256('device-1')")
        }
        let keys = "new:" + Base64URL.encode([UInt8](repeating: 9, count: 32)) + "\n" + RunningIdentity.sealKey
        let arguments = server.arguments() + ["--seal-key", keys]
        try await RunningIdentity.with(CheapIdentity.self, on: database, clock: clock, arguments) { identity in
          _ = try await eventually("both are sealed with the new key") {
            try await identity.value(
              "select 1 where not exists (select from devices where substr(sealed_token, 3, 3) is distinct from 'new')")
          }
          let owner = try #require(try await identity.value("select id from accounts"))
          try await Replica.with(identity) { replica in
            try await replica.tell(try .request(to: owner, because: "1"))
          }
          let pushed = try await eventually("both are pushed to") {
            let pushes = try server.pushes()
            return pushes.count == 2 ? pushes : nil
          }
          #expect(Set(pushed.map { $0.body["token"] }) == ["device-1", "device-2"])
        }
      }
    }
  }

  @Test("[C-2] a bad device is refused with all that is wrong")
  func refusesBadDevices() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      for token in ["", "with space", String(repeating: "a", count: 1_025), "ä"] {
        let status = try await refusal {
          try await identity.notifications.registerDevice(
            RegisterDeviceRequest(token: token, platform: .unspecified), .user(ada))
        }
        #expect(status.fieldReasons == ["TOKEN_INVALID", "PLATFORM_REQUIRED"])
      }
    }
  }
}
