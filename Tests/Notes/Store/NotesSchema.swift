import Identifiers

/// A note of the service that tests run.
package enum AnyNote {}
package typealias NoteID = Identifier<AnyNote>

/// The schema of notes, and its statements.
package enum NotesSchema {
  package static let name = "notes"
}
