import Cryptography
import Environment
import Expiry
import FieldMasks
import FieldViolations
import Glibc
import Idempotency
import NotesStore
import NotesV1
import Pagination
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC

struct NotesHandlers: NotesService {
  let database: Database
  let environment: Environment
  let idempotency: IdempotencyStore
  let pages: Pages
  /// How often a note was made, undone ones included.
  static let runs = Mutex<[String: Int]>([:])

  enum Field: String, MaskedField {
    case text
    case rank
    case colour
  }

  /// The text of a note that is never made: its call hangs the event loop, as a fault in a handler would.
  static let hanging = "hang"

  private static func hang() {
    var left: UInt32 = 60
    // The signal by which the watchdog asks for stacks ends a sleep.
    while left > 0 { left = sleep(left) }
  }

  func createNote(_ call: CreateNoteRequest, _ context: CallContext) async throws -> Note {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let note = call.note ?? Note()
    if !(1...20).contains(note.text.count) { bad.add("note.text", "1 to 20 characters", "TEXT_INVALID") }
    try bad.check()
    if note.text == Self.hanging { Self.hang() }
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      Self.runs.withLock { $0[note.text, default: 0] += 1 }
      var made = note
      let id: NoteID = environment.newID()
      made.id = id.description
      try await tx.execute(InsertNote(noteID: id, text: note.text, rank: note.rank, colour: note.colour))
      return made
    }
  }

  func updateNote(_ call: UpdateNoteRequest, _ context: CallContext) async throws -> Note {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let new = call.note ?? Note()
    let present: [(Field, Bool)] = [(.text, !new.text.isEmpty), (.rank, new.rank != 0), (.colour, !new.colour.isEmpty)]
    let named = bad.fields(
      named: call.updateMask, immutable: ["id"], otherwise: Set(present.filter(\.1).map(\.0)))
    let noteID = bad.require("note.id", NoteID(new.id), "No id", "ID_INVALID")
    let id = try bad.all(noteID)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      guard let stored = try await tx.first(LockedNote(noteID: id)) else {
        throw Status(.notFound, reason: "NOTE_NOT_FOUND", "There is no such note")
      }
      var note = Note(stored)
      if named.contains(.text) { note.text = new.text }
      if named.contains(.rank) { note.rank = new.rank }
      if named.contains(.colour) { note.colour = new.colour }
      try await tx.execute(ReplaceNote(text: note.text, rank: note.rank, colour: note.colour, noteID: id))
      return note
    }
  }

  func listNotes(_ call: ListNotesRequest, _ context: CallContext) async throws -> ListNotesResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Int64.self, NoteID.self)
    try bad.check()
    let rows = try await database.rows(
      NotesAfter(rank: page.after?.0, noteID: page.after?.1, colour: call.colour, limit: page.limit))
    let (shown, next) = try page.cut(rows) { ($0.rank, $0.id) }
    return ListNotesResponse(notes: shown.map { Note($0) }, nextPageToken: next)
  }

  func listNotesAgain(_ call: ListNotesRequest, _ context: CallContext) async throws -> ListNotesResponse {
    try await listNotes(call, context)
  }
}

extension Note {
  fileprivate init(_ stored: StoredNote) {
    self.init(id: stored.id.description, text: stored.text, rank: stored.rank, colour: stored.colour)
  }
}
