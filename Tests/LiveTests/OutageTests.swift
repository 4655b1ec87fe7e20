import Postgres
import TestSupport
import Testing

@testable import Live

@Suite("Live messages while the bus is away", .timeLimit(.minutes(5)))
struct OutageTests {
  let channel = LiveChannel("tests.channel")

  @Test("when the bus comes back every subscriber gets a gap, then messages again", arguments: Carrier.allCases)
  func comesBack(_ carrier: Carrier) async throws {
    try await Stage.withOwnServer(carrier) { stage in
      try await stage.buses(2) { buses in
        var listeners = [await buses[0].listener(to: channel), await buses[1].listener(to: channel)]
        for round in 0..<2 {
          buses[0].publish("before \(round)", to: channel)
          for place in listeners.indices { #expect(await listeners[place].nextText() == "before \(round)") }
          try stage.stopServer()
          try await stage.startServer()
          for place in listeners.indices { #expect(await listeners[place].next() == .gap) }
        }
        buses[1].publish("after", to: channel)
        for place in listeners.indices { #expect(await listeners[place].nextText() == "after") }
      }
    }
  }

  @Test(
    "who subscribes while the bus is away is not kept waiting, and gets another gap once it is back",
    arguments: Carrier.allCases)
  func subscribesMeanwhile(_ carrier: Carrier) async throws {
    try await Stage.withOwnServer(carrier) { stage in
      try stage.stopServer()
      try await stage.buses(1) { buses in
        var first = Listener(buses[0].subscribe(to: channel))
        #expect(await first.next() == .gap)
        var second = Listener(buses[0].subscribe(to: channel))
        #expect(await second.next() == .gap)
        buses[0].publish("waits", to: channel)
        try await stage.startServer()
        #expect(await first.next() == .gap)
        #expect(await second.next() == .gap)
        buses[0].publish("after", to: channel)
        try await first.read(until: "after")
        try await second.read(until: "after")
      }
    }
  }

  @Test(
    "what does not fit while the bus is away becomes a gap of its channel, for other processes too",
    arguments: Carrier.allCases)
  func overflows(_ carrier: Carrier) async throws {
    try await Stage.withOwnServer(carrier) { stage in
      let other = LiveChannel("tests.other")
      let limits = LiveOutbox.Limits(messages: 100)
      // Its server is another one that is away, then comes: the hearers' stays.
      try await stage.buses(1) { hearers in
        var overflowed = await hearers[0].listener(to: channel)
        var spared = await hearers[0].listener(to: other)
        let sender = try stage.bus(5, limits)
        for message in 0..<500 { sender.publish("\(message)", to: channel) }
        sender.publish("kept", to: other)
        try await runUntilStopped(sender) {
          #expect(await overflowed.next() == .gap)
          #expect(await overflowed.texts(99) == (401..<500).map(String.init))
          #expect(await spared.next() == .payload(Array("kept".utf8)))
        }
      }
    }
  }

  @Test("gaps of more channels than are remembered become one for everybody", arguments: Carrier.allCases)
  func overflowsWidely(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      let limits = LiveOutbox.Limits(messages: 10, owed: 20)
      try await stage.buses(1) { hearers in
        var bystander = await hearers[0].listener(to: LiveChannel("tests.bystander"))
        let sender = try stage.bus(5, limits)
        for message in 0..<100 { sender.publish("x", to: LiveChannel("tests.\(message)")) }
        try await runUntilStopped(sender) { #expect(await bystander.next() == .gap) }
      }
    }
  }

  @Test("killed connections lose nothing without a gap, and nothing is heard twice")
  func killedBackends() async throws {
    try await TestDatabase.with([]) { database in
      try await Stage.with(on: database) { stage in
        try await stage.buses(2) { buses in
          var listener = await buses[1].listener(to: channel)
          let killer = Task {
            for _ in 0..<10 {
              try await Administration.session(database.url) { session in
                _ = try session.run(
                  "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'bus %' and datname = current_database()"
                )
              }
              // Spreads the ten kills over the time that the messages take; the assertions hold wherever they fall.
              try await Task.sleep(for: .milliseconds(5))
            }
          }
          for message in 0..<1_000 {
            buses[0].publish("\(message)", to: channel)
            // Spreads the messages over the kills; the assertions hold however they meet.
            if message % 10 == 0 { try await Task.sleep(for: .milliseconds(1)) }
          }
          try await killer.value
          buses[0].publish("1000", to: channel)
          var (last, mayMiss) = (-1, false)
          // The last one may itself be what a gap stands for.
          while last < 1_000, let message = await listener.next() {
            switch message {
            case .gap:
              mayMiss = true
              buses[0].publish("\(max(last, 1_000) + 1)", to: channel)
            case .payload(let payload):
              let number = Int(String(decoding: payload, as: UTF8.self)) ?? -1
              #expect(number > last && (mayMiss || number == last + 1))
              (last, mayMiss) = (number, false)
            }
          }
        }
      }
    }
  }

  @Test(
    "a subscriber that numbers what it reads loses nothing of what was written while the bus was away",
    arguments: Carrier.allCases)
  func catchesUp(_ carrier: Carrier) async throws {
    try await TestDatabase.with([entries]) { test in
      try await Stage.withOwnServer(carrier) { stage in
        let database = try Database(
          DatabaseConfiguration(url: test.url(of: "entries"), applicationName: "tests"), loops: loops.executors,
          logger: silent)
        try await stage.buses(2) { buses in
          async let read = Follower(database, buses[1].subscribe(to: channel)).read(until: 300)
          for number in 0..<300 {
            if number == 100 { try stage.stopServer() }
            if number == 200 { try await stage.startServer() }
            let entry = try #require(try await database.write(AppendEntry()).first)
            buses[0].publish("\(entry)", to: channel)
          }
          #expect(try await read == Array(1...300))
        }
        await database.close()
      }
    }
  }
}

private let entries = TestSchema(
  "entries",
  [
    Migration(
      version: 1, name: "entries", sql: "create table entries (number bigint constraint entries_pkey primary key);")
  ])

/// Reads entries in their order: live where nothing was missed, else from the table.
private struct Follower {
  private let database: Database
  private let subscription: LiveSubscription

  init(_ database: Database, _ subscription: LiveSubscription) {
    self.database = database
    self.subscription = subscription
  }

  func read(until end: Int64) async throws -> [Int64] {
    var read: [Int64] = []
    for await message in subscription {
      let last = read.last ?? 0
      if case .payload(let payload) = message, let number = Int64(String(decoding: payload, as: UTF8.self)) {
        if number <= last { continue }
        if number == last + 1 { read.append(number) }
      }
      if read.last ?? 0 == last { read += try await database.rows(EntriesAfter(number: last)) }
      if read.last == end { break }
    }
    return read
  }
}

private struct AppendEntry: Statement {
  typealias Row = Int64
  static let sql = "insert into entries select coalesce(max(number), 0) + 1 from entries returning number"
}

private struct EntriesAfter: Statement {
  typealias Row = Int64
  static let sql = "select number from entries where number > $1 order by number"
  let number: Int64
  func bind(_ p: inout Parameters) { p.append(number) }
}
