import GoogleProtobuf
import Postgres
import Synchronization
import TTRPC
import TTRPCClient
import TandemEvents
import TestSupport
import Testing

@testable import Events

@Suite("a service's log of events", .timeLimit(.minutes(5)))
struct LogTests {
  @Test("an event waits for older transactions, and is told as soon as they have ended")
  func waits() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        let (isOpen, mayEnd) = (Gate(), Gate())
        try await withThrowingTaskGroup { group in
          group.addTask {
            try await log.runtime.database.transaction { tx in
              try await log.publish("a", "older", in: tx)
              isOpen.open()
              await mayEnd.pass()
            }
          }
          await isOpen.pass()
          try await log.tell("b", [2])
          let values = Mutex<[String]>([])
          _ = try await log.follow(Log.subscription(.beginning(.oldest))) { answer -> Bool? in
            let news = try answer.events.map { try SessionRevoked(serialized: $0.payload).userID }
            // The first response says that no event may be sent yet.
            if news.isEmpty { mayEnd.open() }
            return values.withLock { values in
              values += news
              return values.count >= 2 ? true : nil
            }
          }
          #expect(values.withLock { $0 } == ["older", "2"])
          try await group.waitForAll()
        }
      }
    }
  }

  @Test("who keeps no position is told at once, without waiting for older transactions")
  func recent() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await log.tell("old", [0])
        pair.clock.advance(by: .seconds(601))
        try await log.tell("a", [1])
        let (isOpen, mayEnd) = (Gate(), Gate())
        try await withThrowingTaskGroup { group in
          group.addTask {
            try await log.runtime.database.transaction { tx in
              try await log.publish("b", "2", in: tx)
              isOpen.open()
              await mayEnd.pass()
            }
          }
          await isOpen.pass()
          try await log.tell("c", [3])
          let values = Mutex<[String]>([])
          let start = Subscription.Start.recent(GoogleProtobuf.Duration(seconds: 600))
          _ = try await log.follow(Log.subscription(start, consumer: "")) { answer -> Bool? in
            let news = try answer.events.map { try SessionRevoked(serialized: $0.payload).userID }
            return values.withLock { values in
              values += news
              if values.contains("3") { mayEnd.open() }
              return values.contains("2") ? true : nil
            }
          }
          #expect(Set(values.withLock { $0 }) == ["1", "2", "3"])
          try await group.waitForAll()
        }
      }
    }
  }

  @Test("events are kept until every consumer has got them, however old they are")
  func retention() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await log.tell("a", 1...3)
        // Reads the first response and acknowledges nothing.
        _ = try await log.follow(Log.subscription(.beginning(.oldest))) { _ in true }
        try await pair.pass(days: 8)
        try await log.sweep(kept: .seconds(7 * 86_400), timeout: .seconds(30 * 86_400))
        #expect(try await pair.sql("select count(*) from catalog.events") == [["3"]])

        let position = try await log.follow(Log.subscription(.beginning(.oldest))) { answer in
          // Others' transactions on the same server may hold some up.
          try answer.events.contains { try SessionRevoked(serialized: $0.payload).userID == "3" }
            ? answer.position : nil
        }
        _ = try await log.follow(Log.subscription(position.map { .after($0) })) { _ in true }
        try await log.sweepEverything()
      }
    }
  }

  @Test("a position before events that are gone, and one of another log, are refused")
  func gone() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        try await log.tell("a", 1...3)
        try await pair.pass(days: 8)
        try await log.sweepEverything()
        for position in [Position(transactionID: 1, id: 1), Position(transactionID: 1 << 40, id: 0)] {
          let status = try await refusal {
            try await log.follow(Log.subscription(.after(position))) { _ in true }
          }
          #expect(status.code == .failedPrecondition && status.errorInfo?.reason == "EVENTS_GONE")
        }
        let oldest = try await log.follow(Log.subscription(.beginning(.oldest))) { _ in true }
        #expect(oldest == true)
      }
    }
  }

  @Test("[C-9] who means another service's log is refused, and keeps no position in this one")
  func otherLog() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        func subscription(_ producer: String) -> Subscription {
          Subscription(
            consumer: "lending", topics: ["identity.sessions"], producer: producer, start: .beginning(.oldest))
        }
        let status = try await refusal { try await log.follow(subscription("identity")) { _ in true } }
        let kept = try await pair.sql("select consumer from catalog.event_consumers")
        let found = try await log.follow(subscription("catalog")) { _ in true }

        #expect(status.code == .failedPrecondition && status.errorInfo?.reason == "EVENT_LOG_MISMATCH")
        #expect(kept.isEmpty && found == true)
      }
    }
  }

  @Test("[C-2] what is wrong with a subscription is said all at once")
  func badSubscriptions() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        func status(_ subscription: Subscription) async throws -> Status {
          try await refusal { try await log.follow(subscription) { _ in true } }
        }
        let all = try await status(Subscription(consumer: "Lending!", topics: [], start: nil))
        #expect(all.badRequest?.fieldViolations.map(\.field) == ["consumer", "topics", "start"])
        let topic = try await status(
          Subscription(consumer: "lending", topics: ["a b"], start: .beginning(.oldest)))
        #expect(topic.badRequest?.fieldViolations.map(\.reason) == ["TOPIC_INVALID"])
        let mixed: [Subscription.Start] = [
          .recent(GoogleProtobuf.Duration(seconds: 60)), .beginning(.unspecified), .after(Position(id: -1)),
        ]
        for start in mixed {
          #expect(try await status(Log.subscription(start)).badRequest?.fieldViolations.map(\.field) == ["start"])
        }
        for seconds in [0, -1, 1_801, Int64.max] {
          let start = Subscription.Start.recent(GoogleProtobuf.Duration(seconds: seconds))
          let refused = try await status(Log.subscription(start, consumer: ""))
          #expect(refused.badRequest?.fieldViolations.map(\.field) == ["start"])
        }
        let other = try await status(Log.subscription(.beginning(.oldest), consumer: "matching"))
        #expect(other.code == .permissionDenied && other.errorInfo?.reason == "CONSUMER_MISMATCH")
        #expect(try await status(Log.subscription(.beginning(.oldest), consumer: "lendings")).code == .permissionDenied)
        let second = try await log.follow(Log.subscription(.beginning(.oldest), consumer: "lending.books")) { _ in true
        }
        #expect(second == true)
      }
    }
  }

  @Test("messages of the wrong kind, and acknowledgements of what was not sent, end the stream")
  func wrongMessages() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        let early = try await refusal {
          try await EventLogClient(log.client).follow { requests, answers in
            try await requests.send(FollowRequest(step: .acknowledgement(Acknowledgement())))
            for try await _ in answers {}
          }
        }
        #expect(early.errorInfo?.reason == "SUBSCRIPTION_REQUIRED")
        let wrong = try await refusal {
          try await EventLogClient(log.client).follow { requests, answers in
            try await requests.send(FollowRequest(step: .subscription(Log.subscription(.beginning(.oldest)))))
            let position = Position(transactionID: 1 << 40, id: 1)
            try await requests.send(FollowRequest(step: .acknowledgement(Acknowledgement(position: position))))
            for try await _ in answers {}
          }
        }
        #expect(wrong.errorInfo?.reason == "POSITION_INVALID")
      }
    }
  }

  @Test("[C-1] only a service of the suite may follow")
  func strangers() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        let stranger = RPCClient(
          host: "127.0.0.1", port: log.port, security: try pair.certificates.client(of: "catalog"),
          on: loops.executors[0])
        let status = try await refusal {
          try await Log(runtime: log.runtime, port: log.port, client: stranger)
            .follow(Log.subscription(.beginning(.oldest))) { _ in true }
        }
        await stranger.close()
        #expect(status.code == .unauthenticated && status.errorInfo?.reason == "SERVICE_IDENTITY_MISSING")
      }
    }
  }

  @Test("[C-1] a service that is not among a log's callers, a gateway or an unknown name registers no consumer there")
  func unwantedFollowers() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        for name in ["matching", "catalog", "operator", "gateway", "whatever"] {
          let unwanted = RPCClient(
            host: "127.0.0.1", port: log.port, security: try pair.certificates.client(of: "catalog", as: name),
            on: loops.executors[0])
          for consumer in [name, "lending", ""] {
            let status = try await refusal {
              try await Log(runtime: log.runtime, port: log.port, client: unwanted)
                .follow(Log.subscription(.beginning(.oldest), consumer: consumer)) { _ in true }
            }
            #expect(status.code == .permissionDenied && status.errorInfo?.reason == "CALLER_NOT_ALLOWED", "\(name)")
          }
          await unwanted.close()
        }
        #expect(try await pair.sql("select consumer from catalog.event_consumers").isEmpty)
      }
    }
  }

  @Test("a follower that acknowledges nothing is sent a bounded number of answers")
  func credit() async throws {
    try await Pair.with { pair in
      try await pair.telling { log in
        // Each fills half an answer.
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<10 {
          try await log.runtime.database.transaction { tx in
            for _ in 0..<10 { try await log.publish("a", text, in: tx) }
          }
        }
        let (silent, heedful) = (EventCount(), EventCount())
        try await withThrowingTaskGroup { group in
          group.addTask {
            try await EventLogClient(log.client).follow { requests, answers in
              try await requests.send(FollowRequest(step: .subscription(Log.subscription(.beginning(.oldest)))))
              for try await answer in answers { silent.add(answer.events) }
            }
          }
          _ = try await eventually("the silent follower was sent what it may be sent") {
            silent.count >= 30 ? true : nil
          }
          // A consumer that acknowledges receives everything meanwhile.
          _ = try await log.follow(Log.subscription(.beginning(.oldest))) { answer -> Bool? in
            heedful.add(answer.events)
            return heedful.count == 100 ? true : nil
          }
          group.cancelAll()
        }
        // Two megabytes, and the response that exceeds them.
        #expect(silent.count <= 45)
      }
    }
  }
}

/// How many events came.
private final class EventCount: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func add(_ events: [Event]) { value.add(events.count, ordering: .relaxed) }
}
