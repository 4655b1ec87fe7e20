// Made from search_foldings.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// By which version of the spelling the words of a kind of rows were made, and up to which id; no row before the first page of the first.
package struct SearchFoldedUpTo: SingleRowStatement {
  package struct Row: Sendable {
    package let version: Int32
    package let lastID: UUID7
  }

  package static let sql = """
    select version, last_id from search_foldings where kind = $1
    """
  package let kind: String

  package init(kind: String) {
    self.kind = kind
  }

  package func bind(_ p: inout Parameters) {
    p.append(kind)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(version: try row.next(), lastID: try row.next())
  }
}

/// Stores up to which id the words of a kind of rows were made; an earlier id or version of another replica does not replace a later one.
package struct StoreSearchFolding: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into search_foldings (kind, version, last_id) values ($1, $2, $3)
    on conflict on constraint search_foldings_pkey do update set version = excluded.version, last_id = excluded.last_id
    where (search_foldings.version, search_foldings.last_id) < (excluded.version, excluded.last_id)
    """
  package let kind: String
  package let version: Int32
  package let lastID: UUID7

  package init(kind: String, version: Int32, lastID: UUID7) {
    self.kind = kind
    self.version = version
    self.lastID = lastID
  }

  package func bind(_ p: inout Parameters) {
    p.append(kind)
    p.append(version)
    p.append(lastID)
  }
}

/// A page of the books whose words may be outdated, in the order of their ids.
package struct BooksToFold: Statement {
  package struct Row: Sendable {
    package let id: BookID
    package let title: String
    /// Of the records of its ISBN.
    package let titles: [String]
    package let authors: [String]
    package let isbn: ISBN
    package let description: String
    package let revision: Int64
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, title, array(select distinct recorded.title from editions cross join lateral unnest(editions.titles) as recorded (title)
    where editions.isbn = books.isbn order by recorded.title) as titles, authors, isbn, description, revision from books
    where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') and deleted_at is null
    order by id
    limit $2
    """
  /// `nil` for the first page.
  package let after: BookID?
  package let limit: Int64

  package init(after: BookID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), title: try row.next(), titles: try row.next(), authors: try row.next(), isbn: try row.next(),
      description: try row.next(), revision: try row.next())
  }
}

/// A page of the books of whose ISBNs records were loaded since their words were made, in the order of their ids.
package struct OutdatedBooks: Statement {
  package struct Row: Sendable {
    package let id: BookID
    package let title: String
    /// Of the records of its ISBN.
    package let titles: [String]
    package let authors: [String]
    package let isbn: ISBN
    package let description: String
    package let revision: Int64
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, title, array(select distinct recorded.title from editions cross join lateral unnest(editions.titles) as recorded (title)
    where editions.isbn = books.isbn order by recorded.title) as titles, authors, isbn, description, revision from books
    where is_outdated and id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') and deleted_at is null
    order by id
    limit $2
    """
  /// `nil` for the first page.
  package let after: BookID?
  package let limit: Int64

  package init(after: BookID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), title: try row.next(), titles: try row.next(), authors: try row.next(), isbn: try row.next(),
      description: try row.next(), revision: try row.next())
  }
}

/// Stores the words of books that did not change since they were read, and returns the first of the others.
package struct FoldBooks: SingleRowStatement {
  package typealias Row = BookID
  package static let sql = #"""
    with found as (
      select * from unnest(
        $1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[],
        $6::text[], $7::text[]
      ) as found (id, revision, vector, names, title_key, other_title_keys, surname)
    ), free as materialized (
      select books.id from books join found on found.id = books.id and found.revision = books.revision
      for no key update of books skip locked
    ), named as (
      insert into name_words (word)
      select distinct name.word from found cross join lateral unnest(string_to_array(found.names, ' ')) as name (word)
      where name.word <> '' order by name.word
      on conflict on constraint name_words_pkey do nothing
    ), folded as (
      update books
      set words = found.vector::tsvector, names = found.names, title_key = found.title_key,
        other_title_keys = string_to_array(found.other_title_keys, E'\n'), surname = found.surname, is_outdated = false
      from free join found on found.id = free.id
      where books.id = free.id
        and (books.words, books.names, books.title_key, books.other_title_keys, books.surname, books.is_outdated)
        is distinct from (
          found.vector::tsvector, found.names, found.title_key, string_to_array(found.other_title_keys, E'\n'), found.surname,
          false
        )
    )
    select found.id as id from found where not exists (select from free where free.id = found.id) order by found.id limit 1
    """#
  /// Each with its revision and its words at the same position.
  package let bookIDs: [BookID]
  package let revisions: [Int64]
  /// Each a `tsvector`.
  package let vectors: [String]
  package let names: [String]
  package let titleKeys: [String]
  /// Each the keys of a book, separated by newlines.
  package let otherTitleKeys: [String]
  package let surnames: [String]

  package init(
    bookIDs: [BookID], revisions: [Int64], vectors: [String], names: [String], titleKeys: [String],
    otherTitleKeys: [String], surnames: [String]) {
    self.bookIDs = bookIDs
    self.revisions = revisions
    self.vectors = vectors
    self.names = names
    self.titleKeys = titleKeys
    self.otherTitleKeys = otherTitleKeys
    self.surnames = surnames
  }

  package func bind(_ p: inout Parameters) {
    p.append(bookIDs)
    p.append(revisions)
    p.append(vectors)
    p.append(names)
    p.append(titleKeys)
    p.append(otherTitleKeys)
    p.append(surnames)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of the gyms whose words may be outdated, in the order of their ids.
package struct GymsToFold: Statement {
  package struct Row: Sendable {
    package let id: GymID
    package let nameKey: String
    package let words: [String]
    package let weights: [String]
    /// The `tsvector` that the words are from.
    package let vector: String
  }

  package static let pace = Pace.slow
  package static let sql = """
    select gyms.id, gyms.name_key, array(
      select entry.lexeme from unnest(gyms.words) as entry cross join lateral unnest(entry.positions) as place (position)
      order by place.position
    ) as words,
    array(
      select place.weight
      from unnest(gyms.words) as entry cross join lateral unnest(entry.positions, entry.weights) as place (position, weight)
      order by place.position
    ) as weights, gyms.words::text as vector from gyms
    where gyms.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
    order by gyms.id
    limit $2
    """
  /// `nil` for the first page.
  package let after: GymID?
  package let limit: Int64

  package init(after: GymID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), nameKey: try row.next(), words: try row.next(), weights: try row.next(),
      vector: try row.next())
  }
}

/// Stores the words of gyms that did not change since they were read, and returns the first of the others.
package struct FoldGyms: SingleRowStatement {
  package typealias Row = GymID
  package static let sql = """
    with found as (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
        as found (id, former_vector, vector, name_key)
    ), free as materialized (
      select gyms.id from gyms join found on found.id = gyms.id and found.former_vector::tsvector = gyms.words
      for no key update of gyms skip locked
    ), spoken as (
      insert into gym_words (word)
      select distinct word.word from found cross join lateral unnest(tsvector_to_array(found.vector::tsvector)) as word (word)
      order by word.word
      on conflict on constraint gym_words_pkey do nothing
    ), folded as (
      update gyms set words = found.vector::tsvector, name_key = found.name_key
      from free join found on found.id = free.id
      where gyms.id = free.id and (gyms.words, gyms.name_key) is distinct from (found.vector::tsvector, found.name_key)
    )
    select found.id as id from found where not exists (select from free where free.id = found.id) order by found.id limit 1
    """
  /// Each with its `tsvector` as it was read, and as it is to be, at the same position.
  package let gymIDs: [GymID]
  package let formerVectors: [String]
  package let vectors: [String]
  package let nameKeys: [String]

  package init(gymIDs: [GymID], formerVectors: [String], vectors: [String], nameKeys: [String]) {
    self.gymIDs = gymIDs
    self.formerVectors = formerVectors
    self.vectors = vectors
    self.nameKeys = nameKeys
  }

  package func bind(_ p: inout Parameters) {
    p.append(gymIDs)
    p.append(formerVectors)
    p.append(vectors)
    p.append(nameKeys)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of the workouts whose words may be outdated, in the order of their ids.
package struct WorkoutsToFold: Statement {
  package struct Row: Sendable {
    package let id: WorkoutID
    package let names: String
    package let words: [String]
    package let weights: [String]
    /// The `tsvector` that the words are from.
    package let vector: String
  }

  package static let pace = Pace.slow
  package static let sql = """
    select workouts.id, workouts.names, array(
      select entry.lexeme from unnest(workouts.words) as entry cross join lateral unnest(entry.positions) as place (position)
      order by place.position
    ) as words,
    array(
      select place.weight
      from unnest(workouts.words) as entry cross join lateral unnest(entry.positions, entry.weights) as place (position, weight)
      order by place.position
    ) as weights, workouts.words::text as vector from workouts
    where workouts.id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') and workouts.deleted_at is null
    order by workouts.id
    limit $2
    """
  /// `nil` for the first page.
  package let after: WorkoutID?
  package let limit: Int64

  package init(after: WorkoutID?, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), names: try row.next(), words: try row.next(), weights: try row.next(), vector: try row.next())
  }
}

/// Stores the words of workouts that did not change since they were read, and returns the first of the others.
package struct FoldWorkouts: SingleRowStatement {
  package typealias Row = WorkoutID
  package static let sql = """
    with found as (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
        as found (id, former_vector, vector, names)
    ), free as materialized (
      select workouts.id from workouts join found on found.id = workouts.id and found.former_vector::tsvector = workouts.words
      for no key update of workouts skip locked
    ), folded as (
      update workouts set words = found.vector::tsvector, names = found.names
      from free join found on found.id = free.id
      where workouts.id = free.id and (workouts.words, workouts.names) is distinct from (found.vector::tsvector, found.names)
    )
    select found.id as id from found where not exists (select from free where free.id = found.id) order by found.id limit 1
    """
  /// Each with its `tsvector` as it was read, and as it is to be, at the same position.
  package let workoutIDs: [WorkoutID]
  package let formerVectors: [String]
  package let vectors: [String]
  package let names: [String]

  package init(workoutIDs: [WorkoutID], formerVectors: [String], vectors: [String], names: [String]) {
    self.workoutIDs = workoutIDs
    self.formerVectors = formerVectors
    self.vectors = vectors
    self.names = names
  }

  package func bind(_ p: inout Parameters) {
    p.append(workoutIDs)
    p.append(formerVectors)
    p.append(vectors)
    p.append(names)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
