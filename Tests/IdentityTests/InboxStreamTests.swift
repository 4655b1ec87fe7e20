import Identifiers
import IdentityDomain
import IdentityHandlers
import IdentityOperations
import IdentityStore
import Cryptography
import ServiceRuntime
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@testable import identity

/// The real service, whose inboxes are polled only once an hour, so that its streams depend on the bus.
private struct HardlyLooking: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests), inboxLook: .seconds(3_600))
  }
}

@Suite("streams of notifications", .timeLimit(.minutes(5)))
struct InboxStreamTests {
  private struct Undone: Error {}

  @Test("[ID-60] a stream that is resumed again and again skips nothing and repeats nothing, while many store at once")
  func resumes() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let (writers, each) = (8, 12)
      let seen = Gathered<Int64>()
      try await Replica.with(identity) { replica in
        try await withThrowingTaskGroup { group in
          for writer in 0..<writers {
            group.addTask {
              for number in 0..<each {
                let notice = try Notice.request(to: ada, because: "\(writer).\(number)")
                // Some are undone after they took a number: the number must come again.
                if number % 4 == 3 {
                  await #expect(throws: Undone.self) {
                    try await replica.database.transaction { tx in
                      try await replica.notifier.notify([notice], in: tx)
                      throw Undone()
                    }
                  }
                }
                try await replica.tell(notice)
              }
            }
          }
          group.addTask {
            var position: Int64 = 0
            while position < writers * each {
              position = try await Self.read(at: position, identity, ada, seen)
            }
          }
          try await group.waitForAll()
        }
      }

      #expect(seen.all == (1...Int64(writers * each)).map { $0 })
    }
  }

  /// Reads up to ten notifications after `position`, hangs up, and returns the new position.
  private static func read(
    at position: Int64, _ identity: RunningIdentity, _ login: LoginResponse, _ seen: Gathered<Int64>
  ) async throws -> Int64 {
    try await identity.notifications.streamNotifications(
      StreamNotificationsRequest(after: position), .user(login)
    ) { stream in
      var (last, count) = (position, 0)
      for try await message in stream {
        #expect(message.position == (message.notification?.sequence ?? position))
        guard let notification = message.notification else { continue }
        seen.add(notification.sequence)
        (last, count) = (notification.sequence, count + 1)
        if count == 10 || last == 96 { break }
      }
      return last
    }
  }

  @Test("[ID-60] a stream without a position tells what comes from now on, and begins by saying where that is")
  func fromNow() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await Replica.with(identity) { replica in
        try await replica.tell(try .request("Dune", to: ada, because: "1"))

        let messages = try await identity.notifications.streamNotifications(
          StreamNotificationsRequest(), .user(ada)
        ) { stream in
          var messages: [StreamNotificationsResponse] = []
          for try await message in stream {
            messages.append(message)
            if messages.count == 2 { break }
            try await replica.tell(try .request("Emma", to: ada, because: "2"))
          }
          return messages
        }

        #expect(messages.map(\.position) == [1, 2])
        #expect(messages[0].notification == nil && messages[1].notification?.title == "Somebody wants to borrow Emma")
      }
    }
  }

  @Test("[ID-60] what is stored elsewhere reaches the streams of every server over the bus, without being looked for")
  func acrossServers() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(HardlyLooking.self, on: database, clock: clock) { one in
        let ada = try await one.loggedIn()
        try await RunningIdentity.with(HardlyLooking.self, on: database, clock: clock) { other in
          try await Replica.with(one) { replica in
            let told = try await Self.readEach(of: [one, other], as: ada, storing: 20) { number in
              try await replica.tell(try .request(to: ada, because: "\(number)"))
            }
            #expect(told == Array(repeating: (1...20).map { Int64($0) }, count: 2))
          }
        }
      }
    }
  }

  @Test("[ID-60] what is stored while the bus is lost is told as soon as it is back")
  func busLost() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(HardlyLooking.self, on: database, clock: ManualClock()) { identity in
        let ada = try await identity.loggedIn()
        try await Replica.with(identity) { replica in
          let told = try await Self.readEach(of: [identity], as: ada, storing: 10) { number in
            try await identity.sql(
              """
              select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'identity live' and datname = current_database()
              """)
            try await replica.tell(try .request(to: ada, because: "\(number)"))
          }
          #expect(told == [(1...10).map { Int64($0) }])
        }
      }
    }
  }

  @Test("[ID-60] where there is no bus, streams find what is new by looking, and miss nothing")
  func busAway() async throws {
    // The discard port has no listener.
    try await RunningIdentity.with(CheapIdentity.self, ["--bus-url", "nats://127.0.0.1:9"]) { identity in
      let ada = try await identity.loggedIn()
      try await Replica.with(identity) { replica in
        let told = try await Self.readEach(of: [identity], as: ada, storing: 3) { number in
          try await replica.tell(try .request(to: ada, because: "\(number)"))
        }
        #expect(told == [[1, 2, 3]])
      }
    }
  }

  /// Opens a stream at each server, stores notifications one by one, each once all streams have sent the one before, and returns the
  /// numbers that each stream sent.
  private static func readEach(
    of servers: [RunningIdentity], as login: LoginResponse, storing count: Int,
    _ store: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> [[Int64]] {
    let told = servers.map { _ in Gathered<Int64>() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (server, told) in zip(servers, told) {
        group.addTask {
          try await server.notifications.streamNotifications(
            StreamNotificationsRequest(after: 0), .user(login)
          ) { stream in
            for try await message in stream {
              guard let notification = message.notification else { continue }
              told.add(notification.sequence)
              if notification.sequence == count { break }
            }
          }
        }
      }
      for number in 1...count {
        try await store(number)
        _ = try await eventually("every stream has told notification \(number)") {
          told.allSatisfy { $0.all.contains(Int64(number)) } ? true : nil
        }
      }
      try await group.waitForAll()
    }
    return told.map(\.all)
  }

  @Test("[ID-7] a stream ends with the session that it was opened with")
  func endsWithSession() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let status = try await refusal {
        try await identity.notifications.streamNotifications(StreamNotificationsRequest(), .user(ada)) { stream in
          for try await _ in stream { _ = try await identity.accounts.logout(LogoutRequest(), .user(ada)) }
        }
      }

      #expect(status.code == .unauthenticated && status.reason == "TOKEN_REVOKED")
    }
  }

  @Test("[C-1] a stream lasts no longer than its token")
  func endsWithToken() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let status = try await refusal {
        try await identity.notifications.streamNotifications(StreamNotificationsRequest(), .user(ada)) { stream in
          for try await _ in stream { identity.clock.advance(by: .seconds(700)) }
        }
      }

      #expect(status.code == .unauthenticated && status.reason == "TOKEN_EXPIRED")
    }
  }
}
