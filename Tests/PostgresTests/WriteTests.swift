import Postgres
import TestSupport
import Testing

@Suite("Writes", .timeLimit(.minutes(5)))
struct WriteTests {
  @Test("a violated constraint is told by its name, table and code")
  func constraint() async throws {
    try await Database.withNotes { (database) async throws in
      try await database.write(AddNote(id: 1))
      let twice = await #expect(throws: PostgresError.self) { try await database.write(AddNote(id: 1)) }
      #expect(twice?.sqlState == .uniqueViolation)
      #expect(twice?.constraint == "notes_pkey")
      #expect(twice?.table == "notes")
      let empty = await #expect(throws: PostgresError.self) { try await database.write(AddNote(id: 2, text: "")) }
      #expect(empty?.sqlState == .checkViolation)
      #expect(empty?.constraint == "notes_text_length")
    }
  }

  @Test("what a constraint refused is in no log: neither the row nor its key")
  func refusedValues() async throws {
    try await Database.withNotes { (database) async throws in
      let id: Int64 = 987_654_321
      try await database.write(AddNote(id: id))
      for refused in [AddNote(id: id), AddNote(id: id + 1, text: ""), AddNote(id: id + 2, parent: 987_654_329)] {
        let error = await #expect(throws: PostgresError.self) { try await database.write(refused) }
        #expect(error?.description.contains("notes_") == true)
        #expect(error?.description.contains("98765432") == false)
      }
    }
  }

  @Test("a deferred constraint that fails at the commit fails its write")
  func deferred() async throws {
    try await Database.withNotes { (database) async throws in
      let error = await #expect(throws: PostgresError.self) { try await database.write(AddNote(id: 1, parent: 9)) }
      #expect(error?.constraint == "notes_parent_fkey")
      #expect(try await database.rows(NoteIDs()) == [])
    }
  }

  @Test("concurrent writes each commit by themselves")
  func concurrent() async throws {
    try await Database.withNotes { (database) async throws in
      let outcomes = await burst(of: 0..<100) { number in
        try await database.write(AddNote(id: number % 90))
        return number
      }
      #expect(outcomes.values.count { if case .failure = $0 { true } else { false } } == 10)
      #expect(try await database.rows(NoteIDs()) == Array(0..<90))
    }
  }

  @Test("in a group commit a failing write fails only its caller, and the others are stored")
  func groupCommit() async throws {
    try await Database.withNotes { (database) async throws in
      let outcomes = await burst(of: 0..<200) { number in
        try await database.groupedWrite(PutNote(id: number, text: number % 50 == 7 ? "" : "fine"))
        return number
      }
      let failed = outcomes.filter { if case .failure = $0.value { true } else { false } }.keys.sorted()
      #expect(failed == [7, 57, 107, 157])
      #expect(try await database.rows(NoteIDs()).count == 196)
    }
  }

  @Test("in a group commit a write that fails at the commit fails only its caller")
  func groupedDeferred() async throws {
    try await Database.withNotes { (database) async throws in
      let outcomes = await burst(of: 0..<20) { number in
        try await database.groupedWrite(AddNote(id: number, parent: number == 3 ? 99 : nil))
        return number
      }
      let failed = outcomes.filter { if case .failure = $0.value { true } else { false } }.keys.sorted()
      #expect(failed == [3])
      #expect(try await database.rows(NoteIDs()).count == 19)
    }
  }

  @Test("a text with a NUL is refused before anything is sent, and its neighbours are stored")
  func embeddedNUL() async throws {
    try await Database.withNotes { (database) async throws in
      let outcomes = await burst(of: 0..<5) { number in
        try await database.write(AddNote(id: number, text: number == 2 ? "a\0b" : "fine"))
        return number
      }
      #expect(try await database.rows(NoteIDs()) == [0, 1, 3, 4])
      guard case .failure(let error as PostgresError) = outcomes[2] else {
        return #expect(Bool(false), "the text with a NUL was stored")
      }
      #expect(error.kind == .parameter)
      #expect(error.message == "parameter $2: a text holds a NUL")
    }
  }
}
