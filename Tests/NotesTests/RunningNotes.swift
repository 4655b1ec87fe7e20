import NotesStore
import NotesV1
import Postgres
import TTRPC
import TestServices
import TestSupport

@testable import notes

/// The notes service on a database of its own, and clients over TCP.
struct RunningNotes: Sendable {
  let database: TestDatabase
  let clock: ManualClock
  let service: RunningService
  /// The test's own connection to the service's database.
  let ownDatabase: Database

  var notes: NotesClient { NotesClient(service.client) }

  static let schema = TestSchema("notes", NotesSchema.migrations)

  static func with(_ body: @escaping @Sendable (RunningNotes) async throws -> Void) async throws {
    try await TestDatabase.with([schema]) { database in
      let clock = ManualClock()
      try await RunningService.with(Notes.self, on: database, clock: clock, threads: 2) { service in
        try await database.opened(as: schema.name) { own in
          try await body(RunningNotes(database: database, clock: clock, service: service, ownDatabase: own))
        }
      }
    }
  }

  /// The first column of a query's only row, in the service's role.
  @discardableResult
  func value(_ text: String) async throws -> String? {
    try await Administration.session(database.url(of: "notes")) { session in
      try session.run("set search_path to notes")
      return try session.run(text).first?.first ?? nil
    }
  }

  func create(_ text: String, rank: Int64 = 1, colour: String = "") async throws -> Note {
    try await notes.createNote(CreateNoteRequest(note: Note(text: text, rank: rank, colour: colour)), .ada)
  }
}

extension CallOptions {
  static var ada: CallOptions { .token("ada", timeout: .seconds(60)) }
  static var grace: CallOptions { .token("grace", timeout: .seconds(60)) }
}
