import Cryptography
import Environment
import Expiry
import Idempotency
import Identifiers
import NotesStore
import NotesV1
import Postgres
import TTRPC
import TestServices
import TestSupport
import Testing

@testable import notes

@Suite("Idempotency in any service", .timeLimit(.minutes(5)))
struct IdempotencyTests {
  static let id = "0197a5a0-1111-7000-8000-00000000000a"

  @Test("[C-4] of 64 racing repetitions one runs and all get its answer")
  func race() async throws {
    try await RunningNotes.with { (running) async throws in
      let call = CreateNoteRequest(note: Note(text: "raced"), requestID: Self.id)
      let answers: [Note] = await running.service.race(64) { client, _ in
        try await NotesClient(client).createNote(call, .ada)
      }.successes()
      #expect(answers.count == 64 && Set(answers.map(\.id)).count == 1)
      #expect(NotesHandlers.runs.withLock { $0["raced"] } == 1)
      #expect(try await running.value("select count(*) from notes") == "1")
    }
  }

  @Test("[C-4] a request that was refused keeps nothing; another body is REQUEST_ID_REUSED; a bad id is named")
  func refusals() async throws {
    try await RunningNotes.with { (running) async throws in
      let notes = running.notes
      _ = try await refusal {
        try await notes.createNote(CreateNoteRequest(note: Note(text: "forbidden"), requestID: Self.id), .ada)
      }
      #expect(try await running.value("select count(*) from replays") == "0")
      let first = try await notes.createNote(CreateNoteRequest(note: Note(text: "one"), requestID: Self.id), .ada)
      let again = try await notes.createNote(CreateNoteRequest(note: Note(text: "one"), requestID: Self.id), .ada)
      #expect(first == again)
      let reused = try await refusal {
        try await notes.createNote(CreateNoteRequest(note: Note(text: "two"), requestID: Self.id), .ada)
      }
      #expect(reused.code == .invalidArgument && reused.errorInfo?.reason == "REQUEST_ID_REUSED")
      let bad = try await refusal { try await notes.createNote(CreateNoteRequest(requestID: "x"), .ada) }
      #expect(bad.fields == ["request_id", "note.text"])
      let other = try await notes.createNote(CreateNoteRequest(note: Note(text: "two"), requestID: Self.id), .grace)
      #expect(other.text == "two")
    }
  }

  @Test("[C-6] validate_only runs every check, those of the commit too, and stores nothing, not even the answer")
  func dryRun() async throws {
    try await RunningNotes.with { (running) async throws in
      let notes = running.notes
      var call = CreateNoteRequest(note: Note(text: "one"), validateOnly: true, requestID: Self.id)
      #expect(try await notes.createNote(call, .ada).text == "one")
      call.note = Note(text: "forbidden")
      #expect(try await refusal { try await notes.createNote(call, .ada) }.code == .internal)
      // No note has this id: the foreign key is checked at the commit.
      call.note = Note(text: "one", colour: Self.id)
      #expect(try await refusal { try await notes.createNote(call, .ada) }.code == .internal)
      #expect(try await running.value("select (select count(*) from notes) + (select count(*) from replays)") == "0")
      call = CreateNoteRequest(note: Note(text: "two"), requestID: Self.id)
      #expect(try await notes.createNote(call, .ada).text == "two")
    }
  }

  @Test("[C-4] an answer older than 24 hours is not given again")
  func forgotten() async throws {
    try await RunningNotes.with { (running) async throws in
      let call = CreateNoteRequest(note: Note(text: "one"), requestID: Self.id)
      let first = try await running.notes.createNote(call, .ada)
      running.clock.advance(by: .seconds(24 * 3_600))
      #expect(try await running.notes.createNote(call, .ada).id != first.id)
    }
  }

  @Test("[C-4] answers older than 24 hours are removed, however many, and no others")
  func sweep() async throws {
    try await RunningNotes.with { (running) async throws in
      try await running.value(
        """
        insert into replays (caller, method, request_id, created_at)
        select 'ada', 'm', gen_random_uuid(), timestamptz '2026-01-14 12:00:00Z' + make_interval(secs => n % 2)
        from generate_series(1, 2400) as n returning 1
        """)
      let sweep = ExpirySweep(
        of: [DeleteExpiredIdempotencyKeys.self], database: running.ownDatabase, clock: running.clock,
        logger: .criticalOnly("sweep"))
      let sweeping = Task { try await sweep.run() }
      try await until("the old ones are gone") { try await running.value("select count(*) from replays") == "1200" }
      #expect(
        try await running.value("select count(*) from replays where created_at > '2026-01-14 12:00:00Z'") == "1200")
      sweeping.cancel()
      try await sweeping.value
    }
  }

  @Test("[C-4] 29 B1: a sweep of a replica whose clock is ahead removes nothing before its time")
  func sweepAhead() async throws {
    try await RunningNotes.with { (running) async throws in
      try await running.value(
        """
        insert into replays (caller, method, request_id, created_at)
        select 'ada', 'm', gen_random_uuid(), now() - make_interval(hours => n * 48) from generate_series(0, 1) as n
        returning 1
        """)
      let sweep = ExpirySweep(
        of: [DeleteExpiredIdempotencyKeys.self], database: running.ownDatabase,
        clock: ManualClock(SystemClock().now + .seconds(2 * 86_400)), logger: .criticalOnly("sweep"))
      let sweeping = Task { try await sweep.run() }
      try await until("what is old by any clock is gone") {
        try await running.value("select count(*) from replays where created_at < now() - interval '1 day'") == "0"
      }
      #expect(try await running.value("select count(*) from replays") == "1")
      sweeping.cancel()
      try await sweeping.value
    }
  }

  @Test("[C-4] two requests that each hold what the other needs both take effect, once")
  func deadlock() async throws {
    try await RunningNotes.with { (running) async throws in
      let seal = Seal(current: try #require(SealKey(id: "test", bytes: [UInt8](repeating: 7, count: 32))))
      let idempotency = IdempotencyStore(database: running.ownDatabase, seal: seal, clock: running.clock)
      let (runs, meeting) = (Gathered<Int64>(), [Gate(), Gate()])
      try await withThrowingTaskGroup { group in
        for caller in [0, 1] {
          group.addTask {
            let key = RequestKey(
              caller: "caller-\(caller)", method: "m", requestID: try #require(UUID7(Self.id)))
            let request = CreateNoteRequest(note: Note(text: "\(caller)"))
            let answer = try await idempotency.execute(request, key) { tx in
              try await tx.execute(Lock(Int64(caller)))
              runs.add(Int64(caller))
              meeting[caller].open()
              await meeting[1 - caller].pass()
              try await tx.execute(Lock(Int64(1 - caller)))
              return Note(text: "done")
            }
            #expect(answer.text == "done")
          }
        }
        try await group.waitForAll()
      }

      // One of both was undone by the server and ran again.
      #expect(runs.all.count == 3)
      #expect(try await running.value("select count(*) from replays where sealed_answer is not null") == "2")
    }
  }

  @Test("the statements fit the schema")
  func statements() async throws {
    try await TestDatabase.with([RunningNotes.schema]) { (database) async throws in
      #expect(
        try await StatementCheck.problems(of: NotesSchema.statements, url: database.url(of: "notes")) == [])
    }
  }
}

/// Takes a lock that lasts as long as the transaction.
private struct Lock: Statement {
  typealias Row = Void
  static let sql = "select pg_advisory_xact_lock($1)"
  let number: Int64

  init(_ number: Int64) { self.number = number }

  func bind(_ p: inout Parameters) { p.append(number) }
}
