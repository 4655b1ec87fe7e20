// Made from notes.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

package struct StoredNote: Sendable, RowDecodable {
  package let id: NoteID
  package let text: String
  package let rank: Int64
  package let colour: String

  package init(id: NoteID, text: String, rank: Int64, colour: String) {
    self.id = id
    self.text = text
    self.rank = rank
    self.colour = colour
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredNote {
    StoredNote(id: try row.next(), text: try row.next(), rank: try row.next(), colour: try row.next())
  }
}

/// Adds a note. A colour that is an id stands for a parent, which the commit looks for.
package struct InsertNote: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into notes (id, text, rank, colour, parent_id)
    values ($1, $2, $3, $4, case when length($4) = 36 then ($4::text)::uuid end)
    """
  package let noteID: NoteID
  package let text: String
  package let rank: Int64
  package let colour: String

  package init(noteID: NoteID, text: String, rank: Int64, colour: String) {
    self.noteID = noteID
    self.text = text
    self.rank = rank
    self.colour = colour
  }

  package func bind(_ p: inout Parameters) {
    p.append(noteID)
    p.append(text)
    p.append(rank)
    p.append(colour)
  }
}

/// A note, locked until the transaction ends.
package struct LockedNote: SingleRowStatement {
  package typealias Row = StoredNote
  package static let sql = """
    select id, text, rank, colour from notes where id = $1 for update
    """
  package let noteID: NoteID

  package init(noteID: NoteID) {
    self.noteID = noteID
  }

  package func bind(_ p: inout Parameters) {
    p.append(noteID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredNote.decode(row)
  }
}

/// Replaces what a note says.
package struct ReplaceNote: Statement {
  package typealias Row = Void
  package static let sql = """
    update notes set text = $1, rank = $2, colour = $3 where id = $4
    """
  package let text: String
  package let rank: Int64
  package let colour: String
  package let noteID: NoteID

  package init(text: String, rank: Int64, colour: String, noteID: NoteID) {
    self.text = text
    self.rank = rank
    self.colour = colour
    self.noteID = noteID
  }

  package func bind(_ p: inout Parameters) {
    p.append(text)
    p.append(rank)
    p.append(colour)
    p.append(noteID)
  }
}

/// A page of the notes, by rank and id.
package struct NotesAfter: Statement {
  package typealias Row = StoredNote
  package static let sql = """
    select id, text, rank, colour from notes
    where ($1::bigint is null or (rank, id) > ($1, $2)) and ($3 = '' or colour = $3)
    order by rank, id
    limit $4
    """
  /// The rank of the last note of the previous page.
  package let rank: Int64?
  package let noteID: NoteID?
  /// Only notes of this colour; empty for all.
  package let colour: String
  package let limit: Int64

  package init(rank: Int64?, noteID: NoteID?, colour: String, limit: Int64) {
    self.rank = rank
    self.noteID = noteID
    self.colour = colour
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(rank)
    p.append(noteID)
    p.append(colour)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredNote.decode(row)
  }
}
