import GoogleProtobuf
import NotesV1
import TTRPC
import TestSupport
import Testing

@Suite("Field masks", .timeLimit(.minutes(5)))
struct FieldMaskTests {
  @Test("an update changes what the mask names, or without one what has a value")
  func masks() async throws {
    try await RunningNotes.with { (running) async throws in
      let made = try await running.create("text", rank: 7, colour: "red")
      func update(_ note: Note, _ paths: [String]) async throws -> Note {
        var note = note
        note.id = made.id
        return try await running.notes.updateNote(
          UpdateNoteRequest(note: note, updateMask: FieldMask(paths: paths)), .ada)
      }
      let named = try await update(Note(text: "new", rank: 9), ["rank", "colour"])
      #expect(named.text == "text" && named.rank == 9 && named.colour.isEmpty)
      let present = try await update(Note(colour: "blue"), [])
      #expect(present.text == "text" && present.rank == 9 && present.colour == "blue")
      let whole = try await update(Note(text: "whole"), ["*"])
      #expect(whole.text == "whole" && whole.rank == 0 && whole.colour.isEmpty)
    }
  }

  @Test("[C-2] every path that names no field is named by its place, and what a path says is not repeated")
  func badPaths() async throws {
    try await RunningNotes.with { (running) async throws in
      let made = try await running.create("text")
      var call = UpdateNoteRequest(note: made, updateMask: FieldMask(paths: ["rank", "id", "secret", "te", "text.x"]))
      let status = try await refusal { try await running.notes.updateNote(call, .ada) }
      #expect(status.code == .invalidArgument)
      #expect(status.fields == (1...4).map { "update_mask.paths[\($0)]" })
      #expect(status.fieldReasons == ["FIELD_IMMUTABLE", "FIELD_UNKNOWN", "FIELD_UNKNOWN", "FIELD_UNKNOWN"])
      #expect(status.details.allSatisfy { !String(decoding: $0.value, as: UTF8.self).contains("secret") })
      call.updateMask = FieldMask(paths: Array(repeating: "x", count: 60_000))
      let long = try await refusal { try await running.notes.updateNote(call, .ada) }
      #expect(long.fields == ["update_mask"] && long.fieldReasons == ["FIELD_MASK_TOO_LONG"])
    }
  }
}
