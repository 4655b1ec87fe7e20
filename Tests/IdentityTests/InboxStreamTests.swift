import Identifiers
import IdentityDomain
import IdentityHandlers
import IdentityStore
import TTRPC
import TandemIdentity
import TandemNotification
import Testing

@Suite("streams of notifications")
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
