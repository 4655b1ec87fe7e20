import Environment
import NotesV1
import Postgres
import TTRPC
import TestSupport
import Testing

@Suite("Pagination", .timeLimit(.minutes(5)))
struct PaginationTests {
  /// Makes so many notes, of which several have the same rank.
  func fill(_ running: RunningNotes, _ count: Int) async throws {
    try await running.value(
      """
      insert into notes (id, text, rank, colour)
      select gen_random_uuid(), 'note ' || n, n / 7, case when n % 2 = 0 then 'red' else 'blue' end
      from generate_series(1, \(count)) as n returning 1
      """)
  }

  func list(_ running: RunningNotes, size: Int32 = 0, _ token: String = "", colour: String = "") async throws
    -> ListNotesResponse
  {
    try await running.notes.listNotes(ListNotesRequest(pageSize: size, pageToken: token, colour: colour), .ada)
  }

  @Test("[C-5] a page has 50 rows, or as many as are asked for, at most 200; less than none is refused")
  func sizes() async throws {
    try await RunningNotes.with { (running) async throws in
      try await fill(running, 450)
      for (asked, given) in [(0, 50), (1, 1), (200, 200), (201, 200), (.max, 200)] as [(Int32, Int)] {
        #expect(try await list(running, size: asked).notes.count == given)
      }
      let status = try await refusal { try await list(running, size: -1, "x") }
      #expect(status.code == .invalidArgument && status.fields == ["page_size", "page_token"])
      #expect(status.fieldReasons == ["PAGE_SIZE_INVALID", "PAGE_TOKEN_INVALID"])
    }
  }

  @Test("[C-5] pages follow each other without a gap, and the size may change; the last has no token")
  func walk() async throws {
    try await RunningNotes.with { (running) async throws in
      try await fill(running, 300)
      var (seen, token): ([String], String) = ([], "")
      for size in [7, 200, 1, 92] as [Int32] {
        let page = try await list(running, size: size, token)
        seen += page.notes.map(\.id)
        token = page.nextPageToken
      }
      #expect(seen.count == 300 && Set(seen).count == 300 && token.isEmpty)
      #expect(try await list(running, colour: "green") == ListNotesResponse())
    }
  }

  @Test("[C-5] no row is skipped or shown twice while others come and go", arguments: 1...8 as ClosedRange<UInt64>)
  func changes(_ seed: UInt64) async throws {
    try await RunningNotes.with { (running) async throws in
      try await fill(running, 120)
      let randomness = SeededRandomness(seed: seed)
      let staying = try await running.value("update notes set colour = 'stays' where rank % 2 = 0 returning 1")
      #expect(staying == "1")
      var (seen, token, pages): ([Note], String, Int) = ([], "", 0)
      repeat {
        let page = try await list(running, size: Int32(1 + randomness.uint64() % 13), token)
        seen += page.notes
        token = page.nextPageToken
        // Rows come and go before, at and behind the place that was reached; the row of the token itself too.
        let rank = Int64(randomness.uint64() % 20)
        _ = try await running.create("new", rank: rank, colour: "new")
        _ = try await running.create("new", rank: page.notes.last?.rank ?? 0, colour: "new")
        try await running.value(
          "delete from notes where colour <> 'stays' and (rank = \(rank) or id = '\(page.notes.last?.id ?? "")') returning 1"
        )
        pages += 1
      } while !token.isEmpty && pages < 1_000
      #expect(Set(seen.map(\.id)).count == seen.count)
      let stayed = try await running.value("select count(*) from notes where colour = 'stays'")
      #expect("\(seen.count { $0.colour == "stays" })" == stayed)
    }
  }

  @Test("[C-5] a token that was changed, is of another list, filter or caller, or is a day old, is refused")
  func foreignTokens() async throws {
    try await RunningNotes.with { (running) async throws in
      try await fill(running, 20)
      let token = try await list(running, size: 5).nextPageToken
      #expect(try await list(running, size: 5, token).notes.count == 5)
      var changed = Array(token)
      for place in [0, changed.count / 2, changed.count - 2] {
        changed[place] = changed[place] == "A" ? "B" : "A"
        try await expectRefused { try await list(running, String(changed)) }
      }
      for other in [String(token.dropLast(4)), token + "AAAA", "=", "\u{0}", String(repeating: "A", count: 100_000)] {
        try await expectRefused { try await list(running, other) }
      }
      try await expectRefused { try await list(running, token, colour: "red") }
      let call = ListNotesRequest(pageToken: token)
      try await expectRefused { try await running.notes.listNotes(call, .grace) }
      try await expectRefused { try await running.notes.listNotesAgain(call, .ada) }
      running.clock.advance(by: .seconds(24 * 3_600))
      #expect(try await list(running, size: 5, token).notes.count == 5)
      running.clock.advance(by: .seconds(1))
      try await expectRefused { try await list(running, token) }
    }
  }

  private func expectRefused(
    sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> ListNotesResponse
  ) async throws {
    let status = try await refusal(call, sourceLocation: sourceLocation)
    #expect(status.code == .invalidArgument && status.fields == ["page_token"], sourceLocation: sourceLocation)
    #expect(status.fieldReasons == ["PAGE_TOKEN_INVALID"], sourceLocation: sourceLocation)
  }
}
