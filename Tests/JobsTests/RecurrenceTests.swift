import Identifiers
import Jobs
import Postgres
import TestSupport
import Testing

@testable import jobs_probe

/// A rule, when it is scheduled, and when it must then be done, all in UTC.
struct RecurrenceCase: Sendable, CustomTestStringConvertible {
  let what: String
  let hour: Int
  let minute: Int
  var weekdays = Weekdays.everyDay
  let zone: String
  let from: String
  let expected: [String]

  var testDescription: String { "\(zone), \(what)" }

  static let all = [
    RecurrenceCase(
      what: "spring: after the gap", hour: 2, minute: 30, zone: "Europe/Berlin", from: "2026-03-28T00:00Z",
      expected: ["2026-03-28T01:30Z", "2026-03-29T01:00Z", "2026-03-30T00:30Z"]),
    RecurrenceCase(
      what: "autumn: the first of both", hour: 2, minute: 30, zone: "Europe/Berlin", from: "2026-10-24T00:00Z",
      expected: ["2026-10-24T00:30Z", "2026-10-25T00:30Z", "2026-10-26T01:30Z"]),
    RecurrenceCase(
      what: "spring: after the gap", hour: 2, minute: 15, zone: "America/New_York", from: "2026-03-07T00:00Z",
      expected: ["2026-03-07T07:15Z", "2026-03-08T07:00Z", "2026-03-09T06:15Z"]),
    RecurrenceCase(
      what: "autumn: the first of both", hour: 1, minute: 15, zone: "America/New_York", from: "2026-10-31T00:00Z",
      expected: ["2026-10-31T05:15Z", "2026-11-01T05:15Z", "2026-11-02T06:15Z"]),
    RecurrenceCase(
      what: "spring: a gap of half an hour", hour: 2, minute: 15, zone: "Australia/Lord_Howe",
      from: "2026-10-02T00:00Z",
      expected: ["2026-10-02T15:45Z", "2026-10-03T15:30Z", "2026-10-04T15:15Z"]),
    RecurrenceCase(
      what: "autumn: an overlap of half an hour", hour: 1, minute: 45, zone: "Australia/Lord_Howe",
      from: "2026-04-03T00:00Z",
      expected: ["2026-04-03T14:45Z", "2026-04-04T14:45Z", "2026-04-05T15:15Z"]),
    RecurrenceCase(
      what: "a day that there was not", hour: 8, minute: 0, zone: "Pacific/Apia", from: "2011-12-28T00:00Z",
      expected: ["2011-12-28T18:00Z", "2011-12-29T18:00Z", "2011-12-30T18:00Z"]),
    RecurrenceCase(
      what: "the Friday that there was not", hour: 8, minute: 0, weekdays: .friday, zone: "Pacific/Apia",
      from: "2011-12-20T00:00Z", expected: ["2011-12-23T18:00Z", "2012-01-05T18:00Z"]),
    RecurrenceCase(
      what: "a gap at the end of the day", hour: 23, minute: 30, zone: "America/Scoresbysund",
      from: "2026-03-27T12:00Z", expected: ["2026-03-28T01:30Z", "2026-03-29T01:00Z", "2026-03-30T00:30Z"]),
    RecurrenceCase(
      what: "a gap at midnight", hour: 0, minute: 30, zone: "Africa/Cairo", from: "2026-04-22T12:00Z",
      expected: ["2026-04-22T22:30Z", "2026-04-23T22:00Z", "2026-04-24T21:30Z"]),
    RecurrenceCase(
      what: "weekdays across the change", hour: 7, minute: 0, weekdays: [.monday, .thursday], zone: "Europe/Berlin",
      from: "2026-03-26T12:00Z", expected: ["2026-03-30T05:00Z", "2026-04-02T05:00Z", "2026-04-06T05:00Z"]),
  ]
}

@Suite("Repeating jobs", .timeLimit(.minutes(5)))
struct RecurrenceTests {
  @Test("are done once a local day, also when clocks are put forward or back", arguments: RecurrenceCase.all)
  func occurrences(_ given: RecurrenceCase) async throws {
    try await Bench.with { bench in
      bench.clock.set(Instant(utc: given.from))
      let recurrence = try #require(
        Recurrence(hour: given.hour, minute: given.minute, on: given.weekdays, in: given.zone))
      try await bench.schedule(Job(.record, "", repeating: recurrence, key: "r"))
      try await bench.working([bench.recording]) {
        for (place, expected) in given.expected.enumerated() {
          let due = Instant(utc: expected)
          bench.clock.set(due - .seconds(1))
          // A run that is too early would be visible here.
          try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "look"))
          try await until("the worker has looked") { try await bench.count(of: "look") == place + 1 }
          #expect(try await bench.count(of: "r") == place)
          bench.clock.set(due)
          try await until("\(expected) is done") { try await bench.count(of: "r") == place + 1 }
        }
      }
      let dues = try await bench.sql(
        "select to_char(due, 'YYYY-MM-DD\"T\"HH24:MI\"Z\"') from effects where key = 'r' order by place")
      #expect(dues == given.expected.map { [$0] })
    }
  }

  @Test("that were missed for days are done once, late, and then go on")
  func late() async throws {
    try await Bench.with { bench in
      bench.clock.set(Instant(utc: "2026-06-01T00:00Z"))
      let recurrence = try #require(Recurrence(hour: 12, minute: 0, in: "UTC"))
      try await bench.schedule(Job(.record, "", repeating: recurrence, key: "r"))
      bench.clock.set(Instant(utc: "2026-06-09T15:00Z"))
      try await bench.working([bench.recording]) {
        try await until("one is done") { try await bench.count(of: "r") == 1 }
        #expect(try await bench.value("select due_at from jobs") == "2026-06-10 12:00:00+00")
        bench.clock.set(Instant(utc: "2026-06-10T12:00Z"))
        try await until("the next is done") { try await bench.count(of: "r") == 2 }
      }
      #expect(try await bench.value("select due_at from jobs") == "2026-06-11 12:00:00+00")
    }
  }

  @Test("are not done again when the clock is set back to before their time")
  func clockSetBack() async throws {
    try await Bench.with { bench in
      bench.clock.set(Instant(utc: "2026-06-01T11:00Z"))
      let recurrence = try #require(Recurrence(hour: 12, minute: 0, in: "UTC"))
      try await bench.schedule(Job(.record, "", repeating: recurrence, key: "r"))
      try await bench.working([bench.recording]) {
        bench.clock.advance(by: .seconds(3600))
        try await until("it is done") { try await bench.count(of: "r") == 1 }
        bench.clock.advance(by: .seconds(-7200))
        bench.clock.advance(by: .seconds(7200))
        try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "look"))
        try await until("the worker has looked") { try await bench.count(of: "look") == 1 }
      }
      #expect(try await bench.count(of: "r") == 1)
      #expect(try await bench.value("select due_at from jobs") == "2026-06-02 12:00:00+00")
    }
  }

  @Test("can end themselves, and a job can schedule its own key again")
  func ownKey() async throws {
    try await Bench.with { bench in
      let recurrence = try #require(Recurrence(hour: 12, minute: 0, in: "UTC"))
      try await bench.schedule(Job(.record, "", repeating: recurrence, key: "r"))
      try await bench.schedule(Job(.record, "", at: bench.clock.now, key: "again"))
      let handler = JobHandler.inDatabase(.patient) { _, run, tx in
        try await tx.execute(AddEffect(key: run.key ?? "", due: run.due, replica: ""))
        if run.key == "r" { #expect(try await tx.cancel(.record, key: "r")) }
        if run.key == "again", try await bench.count(of: "again") < 3 {
          try await tx.schedule(Job(.record, "", at: run.due, key: "again"), with: bench.jobs)
        }
      }
      bench.clock.advance(by: .seconds(2 * 86_400))
      try await bench.working([handler]) {
        try await until("nothing is left to do") { try await bench.value("select count(*) from jobs") == "0" }
      }
      #expect(try await bench.count(of: "r") == 1)
      #expect(try await bench.count(of: "again") == 4)
    }
  }
}

extension Bench {
  /// How often the job with that key ran.
  func count(of key: String) async throws -> Int {
    Int(try await value("select count(*) from effects where key = '\(key)'") ?? "") ?? -1
  }
}
