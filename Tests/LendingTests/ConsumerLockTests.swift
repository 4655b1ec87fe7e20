import Environment
import Identifiers
import LendingConsumers
import LendingStore
import Postgres
import ProtobufC
import TTRPC
import TandemEvents
import TestServices
import TestSupport
import Testing
import Timestamps

@testable import Events

/// Consumers of other services' events, a request and jobs that concern the same users and books, while a row of one of
/// them is held.
@Suite("consumers, requests and jobs of the same users", .timeLimit(.minutes(5)))
struct ConsumerLockTests {
  private static let (low, high) = (TestUser.one(1), TestUser.one(2))

  @Test("[LE-1] B9: a request, names of both parties and the catalog's report of the book lock users before books")
  func request() async throws {
    try await RunningLending.with { lending in
      try await lending.introduce([Self.low, Self.high])
      let book = try await lending.list(of: Self.high)
      try await lending.meet(
        at: "users", Self.low.id.uuid,
        [
          {
            let named = [Self.low, Self.high].map {
              MadeEvent(AccountNamed(userID: "\($0.id)", username: "renamed\($0.name)"))
            }
            try await lending.apply(named, by: .users(lending.operations))
          },
          { _ = try await lending.request(book, as: Self.low) },
          {
            try await lending.apply(
              [MadeEvent(BookListed(book, title: "Dune Messiah"))], by: .books(lending.operations))
          },
        ])
      #expect(try await lending.value("select count(*) from users where username like 'renamed%'") == "2")
      #expect(try await lending.value("select title from books") == "Dune Messiah")
      #expect(try await lending.status(of: book) == "REQUESTED")
    }
  }

  @Test("[C-9] B9: an account deletion that comes again while the job of the first one runs waits for the job first")
  func deletedAgain() async throws {
    try await RunningLending.with { lending in
      try await lending.introduce([Self.low, Self.high])
      let book = try await lending.list(of: Self.low)
      _ = try await lending.request(book, as: Self.high)
      let deleted = MadeEvent(AccountDeleted(userID: "\(Self.low.id)", deleteTime: lending.clock.now.timestamp))
      try await lending.leaveLater(Self.low)
      try await lending.meet(
        at: "users", Self.low.id.uuid,
        [
          { try await lending.apply([deleted], by: .users(lending.operations)) },
          { try await lending.sql("update jobs set ready_at = due_at where kind = 'settle_departures'") },
        ], settling: true)
      #expect(try await lending.value("select owner_id from books where id = '\(book.id)'") == nil)
    }
  }

  @Test("[CA-24] [C-9] B9: the catalog's events of several books and an account deletion lock books in one order")
  func books() async throws {
    try await RunningLending.with { lending in
      try await lending.introduce([Self.low, Self.high])
      let first = try await lending.list(of: Self.low)
      lending.clock.advance(by: .milliseconds(1))
      let second = try await lending.list(of: Self.high)
      _ = try await lending.request(second, as: Self.low)
      #expect(first.id < second.id)
      try await lending.leaveLater(Self.low)
      try await lending.meet(
        at: "books", second.id.uuid,
        [
          {
            let deleted = BookDeleted(bookID: first.text, ownerID: "\(Self.low.id)")
            try await lending.apply(
              [MadeEvent(BookListed(second, title: "Dune Messiah")), MadeEvent(deleted)],
              by: .books(lending.operations))
          },
          { try await lending.sql("update jobs set ready_at = due_at where kind = 'settle_departures'") },
        ], settling: true)
      #expect(try await lending.value("select title from books where id = '\(second.id)'") == "Dune Messiah")
      #expect(try await lending.status(of: second) == "AVAILABLE")
    }
  }
}

extension BookListed {
  fileprivate init(_ book: ListedBook, title: String) {
    self.init(
      bookID: book.text, ownerID: "\(book.owner.id)", isbn: ListedBook.isbn, title: title, description: "Read once.")
  }
}

/// An event as its service publishes it.
private struct MadeEvent: Sendable {
  let make: @Sendable (Int64, Instant) throws -> Event

  init<E: PublishedEvent>(_ message: E) {
    make = { id, time in
      Event(
        position: Position(transactionID: 1, id: id), topic: E.topic.name, key: message.eventKey, type: E.protobufName,
        payload: message.serialized(), occurTime: time.timestamp)
    }
  }
}

extension RunningLending {
  fileprivate func introduce(_ users: [TestUser]) async throws {
    for user in users { try await sql("insert into users (id, username) values ('\(user.id)', '\(user.name)')") }
  }

  /// Stores an account's deletion; the job that follows is due when the test says so.
  fileprivate func leaveLater(_ user: TestUser) async throws {
    try await own.repeatableTransaction { tx in
      try await tx.execute(MarkAccountDeleted(userID: user.id))
      try await operations.scheduleSettlement(tx)
      try await tx.execute(PutOff())
    }
  }

  /// Applies events in one transaction, as a consumer does that receives them together.
  fileprivate func apply(_ made: [MadeEvent], by plan: EventSubscription) async throws {
    let events = try made.enumerated().map { try $1.make(Int64($0) + 1, clock.now) }
    let application = EventApplication(
      CursorKey(producer: plan.producer, consumer: "test.\(plan.name)"), plan, database: own, clock: clock,
      logger: runtime.logger, limits: ParkingLimits())
    var size = BatchSize()
    try await application.apply(FollowResponse(events: events, position: events.last?.position), &size)
  }

  /// Begins acts one after the other while a transaction holds a row; lets go once each of them waits or has ended.
  ///
  /// - Parameter settling: whether the last act only makes the job due that closes what users with deleted accounts had:
  ///   then that job has to wait, or the act.
  fileprivate func meet(
    at table: String, _ id: UUID7, _ acts: [@Sendable () async throws -> Void], settling: Bool = false
  ) async throws {
    let gates = acts.map { _ in Gate() }
    let ended = Gathered<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await own.transaction { tx in
          try await tx.execute(HoldRow(table: table, id: id))
          for (number, gate) in gates.enumerated() {
            gate.open()
            try await until("\(number + 1) wait or have ended") {
              let count = try await waiting()
              return settling ? count > number : count + ended.all.count > number
            }
          }
        }
      }
      for (gate, act) in zip(gates, acts) {
        group.addTask {
          await gate.pass()
          while true {
            do {
              try await act()
              break
            } catch let status as Status where status.reason == "DATABASE_SLOW" {
              // On a busy machine the others come later than a statement may wait. Nothing was done.
            }
          }
          ended.add(1)
        }
      }
      try await group.waitForAll()
    }
    if settling {
      try await until("the job is done") {
        try await value("select count(*) from jobs where kind = 'settle_departures' and dead_at is null") == "0"
      }
    }
    #expect(try await value("select deadlocks from pg_stat_database where datname = current_database()") == "0")
    #expect(try await database.loggedDeadlocks() ?? [] == [])
  }

  /// How many transactions wait for a lock.
  private func waiting() async throws -> Int {
    let count = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return Int(try await value(count) ?? "") ?? 0
  }
}

/// Puts the jobs off that close what users with deleted accounts had.
private struct PutOff: Statement {
  typealias Row = Void
  static let sql = "update jobs set ready_at = '2100-01-01' where kind = 'settle_departures'"
}

/// Locks a row until the transaction ends.
private struct HoldRow: Statement {
  typealias Row = Void
  static let sql = """
    select id from (select id from users where id = $1 and $2 = 'users' for update) as held
    union all
    select id from (select id from books where id = $1 and $2 = 'books' for update) as held
    """
  let table: String
  let id: UUID7

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(table)
  }
}
