import Idempotency
import Identifiers
import NotesV1
import Postgres

enum NotesSchema {
  static let migrations = [
    Migration(
      version: 1, name: "notes",
      sql: """
        create table notes (
          id uuid constraint notes_pkey primary key,
          text text not null constraint notes_text_check check (text <> 'forbidden'),
          rank bigint not null,
          colour text not null,
          parent uuid constraint notes_parent_fkey references notes deferrable initially deferred
        );
        create index notes_rank_idx on notes (rank, id);
        """),
    IdempotencySchema.migration(version: 2),
  ]

  static let statements: [any Statement.Type] =
    [InsertNote.self, LockedNote.self, ReplaceNote.self, NotesAfter.self] + IdempotencySchema.statements
}

struct InsertNote: Statement {
  typealias Row = Void
  // A colour that is an id stands for a parent: a constraint that is checked at the commit.
  static let sql = """
    insert into notes (id, text, rank, colour, parent)
    values ($1, $2, $3, $4, case when length($4) = 36 then $4::uuid end)
    """
  let id: NoteID
  let note: Note
  func bind(_ p: inout Parameters) {
    p.append(id.uuid)
    p.append(note.text)
    p.append(note.rank)
    p.append(note.colour)
  }
}

struct LockedNote: Statement {
  static let sql = "select id, text, rank, colour from notes where id = $1 for update"
  let id: NoteID
  func bind(_ p: inout Parameters) { p.append(id.uuid) }
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Note { try NotesAfter.decode(row).note }
}

struct ReplaceNote: Statement {
  typealias Row = Void
  static let sql = "update notes set text = $2, rank = $3, colour = $4 where id = $1"
  let id: NoteID
  let note: Note
  func bind(_ p: inout Parameters) {
    p.append(id.uuid)
    p.append(note.text)
    p.append(note.rank)
    p.append(note.colour)
  }
}

struct NotesAfter: Statement {
  static let sql = """
    select id, text, rank, colour from notes
    where ($1::int8 is null or (rank, id) > ($1, $2)) and ($3::text = '' or colour = $3)
    order by rank, id limit $4
    """
  let rank: Int64?
  let id: NoteID?
  let colour: String
  let limit: Int64

  init(_ after: (Int64, NoteID)?, colour: String, limit: Int64) {
    (rank, id) = (after?.0, after?.1)
    (self.colour, self.limit) = (colour, limit)
  }

  func bind(_ p: inout Parameters) {
    p.append(rank)
    p.append(id?.uuid)
    p.append(colour)
    p.append(limit)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> (id: NoteID, note: Note) {
    let id: UUID7 = try row.next()
    let note = Note(id: id.description, text: try row.next(), rank: try row.next(), colour: try row.next())
    return (NoteID(id), note)
  }
}
