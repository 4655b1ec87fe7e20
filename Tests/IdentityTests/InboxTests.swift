import IdentityDomain
import IdentityHandlers
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

extension RunningIdentity {
  var notifications: NotificationsClient { NotificationsClient(client) }
}

@Suite("inboxes", .timeLimit(.minutes(5)))
struct InboxTests {
  @Test("[ID-60] an inbox lists what its owner was told, the newest first, and counts what is unread")
  func lists() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      try await Replica.with(identity) { replica in
        try await replica.tell(try .request("Dune", to: ada, by: grace, because: "1"))
        try await replica.tell(
          try .request("Emma", to: ada, because: "2"), try .request("Ulysses", to: grace, because: "2"))
      }

      let inbox = try await identity.notifications.listNotifications(ListNotificationsRequest(), .user(ada))

      #expect(inbox.notifications.map(\.title) == ["Somebody wants to borrow Emma", "Somebody wants to borrow Dune"])
      #expect(inbox.notifications.map(\.sequence) == [2, 1] && inbox.nextPageToken.isEmpty)
      let first = try #require(inbox.notifications.last)
      #expect(first.body == "grace.h would like to borrow Dune from you." && first.kind == .bookRequested)
      #expect(first.subject == "books/1" && first.readTime == nil)
      #expect(first.createTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(try await identity.notifications.countUnread(CountUnreadRequest(), .user(ada)).unreadCount == 2)
      #expect(try await identity.notifications.countUnread(CountUnreadRequest(), .user(grace)).unreadCount == 1)
    }
  }

  @Test("[ID-60] what is marked as read is not unread any more, by ids or up to one, and only one's own")
  func marks() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      try await Replica.with(identity) { replica in
        for number in 1...6 { try await replica.tell(try .request(to: ada, because: "\(number)")) }
        try await replica.tell(try .request(to: grace, because: "1"))
      }
      let inbox = try await identity.notifications.listNotifications(ListNotificationsRequest(), .user(ada))
      let ids = inbox.notifications.map(\.notificationID)

      let byID = try await identity.notifications.markRead(
        MarkReadRequest(notificationIds: [ids[0], ids[0], ids[1]]), .user(ada))
      let others = try await identity.notifications.markRead(MarkReadRequest(notificationIds: ids), .user(grace))
      let upTo = try await identity.notifications.markRead(MarkReadRequest(upToSequence: 2), .user(ada))
      let unread = try await identity.notifications.listNotifications(
        ListNotificationsRequest(unreadOnly: true), .user(ada))

      #expect(byID == MarkReadResponse(markedCount: 2, unreadCount: 4))
      #expect(others == MarkReadResponse(markedCount: 0, unreadCount: 1))
      #expect(upTo == MarkReadResponse(markedCount: 2, unreadCount: 2))
      #expect(unread.notifications.map(\.sequence) == [4, 3])
    }
  }

  @Test("[C-2] a bad wish to mark is refused with all that is wrong")
  func refusesBadMarks() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let bad = try await refusal {
        try await identity.notifications.markRead(
          MarkReadRequest(notificationIds: ["x"], upToSequence: -1, requestID: "y"), .user(ada))
      }
      let empty = try await refusal { try await identity.notifications.markRead(MarkReadRequest(), .user(ada)) }

      #expect(bad.fieldReasons == ["REQUEST_ID_INVALID", "NOTIFICATION_ID_INVALID", "SEQUENCE_INVALID"])
      #expect(empty.fieldReasons == ["NOTIFICATIONS_MISSING"])
    }
  }

  @Test("[C-5] pages show every notification once while others are stored, and a tampered token is refused")
  func pages() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      try await Replica.with(identity) { replica in
        for number in 1...7 { try await replica.tell(try .request(to: ada, because: "\(number)")) }
        var (seen, token): ([Int64], String) = ([], "")
        repeat {
          let page = try await identity.notifications.listNotifications(
            ListNotificationsRequest(pageSize: 3, pageToken: token), .user(ada))
          seen += page.notifications.map(\.sequence)
          token = page.nextPageToken
          try await replica.tell(try .request(to: ada, because: "later \(seen.count)".filter { $0 != " " }))
        } while !token.isEmpty
        #expect(seen == [7, 6, 5, 4, 3, 2, 1])
      }
      let token = try await identity.notifications.listNotifications(
        ListNotificationsRequest(pageSize: 3), .user(ada)
      ).nextPageToken
      let calls: [(ListNotificationsRequest, LoginResponse)] = [
        (ListNotificationsRequest(pageToken: token), grace),
        (ListNotificationsRequest(pageToken: token, unreadOnly: true), ada),
        (ListNotificationsRequest(pageToken: (token.hasPrefix("A") ? "B" : "A") + token.dropFirst()), ada),
        (ListNotificationsRequest(pageToken: "?"), ada),
      ]
      for (call, reader) in calls {
        let status = try await refusal { try await identity.notifications.listNotifications(call, .user(reader)) }
        #expect(status.code == .invalidArgument && status.reason == "PAGE_TOKEN_INVALID")
      }
      let negative = try await refusal {
        try await identity.notifications.listNotifications(ListNotificationsRequest(pageSize: -1), .user(ada))
      }
      #expect(negative.reason == "PAGE_SIZE_INVALID")
    }
  }

  @Test("[ID-60] an event that is delivered to 32 consumers at once is stored once")
  func storedOnce() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      try await Replica.with(identity) { replica in
        try await withThrowingTaskGroup { group in
          for consumer in 0..<32 {
            group.addTask {
              let notices = try [Notice.request(to: ada, because: "event"), .request(to: grace, because: "event")]
              try await replica.database.transaction { tx in
                try await replica.notifier.notify(consumer % 2 == 0 ? notices : notices.reversed(), in: tx)
              }
            }
          }
          try await group.waitForAll()
        }
        // By another user: the mail about the first one gathers those of the same user while it waits.
        try await replica.tell(try .request(to: ada, by: grace, because: "another"))
      }

      #expect(
        try await identity.sql(
          "select count(*), max(sequence) from notifications group by account_id order by 1"
        ) == [["1", "1"], ["2", "2"]])
      #expect(try await identity.value("select count(*) from deliveries where content = 'NOTIFICATION'") == "3")
    }
  }

  @Test("news for an account that is no more is passed over")
  func strangers() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.sql("delete from accounts")
      try await Replica.with(identity) { replica in try await replica.tell(try .request(to: ada, because: "1")) }

      #expect(try await identity.value("select count(*) from inboxes") == "0")
    }
  }

  @Test("[C-9] with an account goes all that it was told, chose and registered")
  func deleted() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await Replica.with(identity) { replica in
        let token = RegisterDeviceRequest(token: "abc", platform: .web)
        _ = try await identity.notifications.registerDevice(token, .user(ada))
        try await replica.tell(try .request(to: ada, because: "1"))
      }
      try await identity.sql("delete from accounts")

      for table in ["inboxes", "notifications", "deliveries", "devices", "notification_preferences", "reminders"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0", "\(table)")
      }
    }
  }

  @Test("[C-4] a repeated request gets its first answer and does nothing")
  func repeats() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let mark = MarkReadRequest(upToSequence: 9, requestID: "0197a5a0-0000-4000-8000-000000000001")
      try await Replica.with(identity) { replica in
        try await replica.tell(try .request(to: ada, because: "1"))
        let first = try await identity.notifications.markRead(mark, .user(ada))
        try await replica.tell(try .request(to: ada, because: "2"))
        let second = try await identity.notifications.markRead(mark, .user(ada))

        #expect(first == MarkReadResponse(markedCount: 1, unreadCount: 0) && second == first)
      }
      #expect(try await identity.notifications.countUnread(CountUnreadRequest(), .user(ada)).unreadCount == 1)
    }
  }
}
