import CatalogDomain
import Identifiers
import Postgres

/// An exercise by its id, or by that of one that was merged into it.
package struct ExerciseByID: Statement {
  package static let sql = """
    select \(StoredExercise.columns)
    from exercises as named
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where named.id = $1
    """
  let id: ExerciseID

  package init(_ id: ExerciseID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredExercise { try .decode(row) }
}

/// The filters of a search for exercises, beside the name; every exercise matches an empty list ([CA-10]).
package struct ExerciseFilter: Sendable {
  /// Muscles and muscle groups.
  package let targets: [String]
  package let equipment: [Equipment]
  package let levels: [ExerciseLevel]
  package let categories: [ExerciseCategory]

  package init(
    targets: [String], equipment: [Equipment], levels: [ExerciseLevel], categories: [ExerciseCategory]
  ) {
    self.targets = targets
    self.equipment = equipment
    self.levels = levels
    self.categories = categories
  }

  /// A condition on the first four parameters, which ``bind(_:)`` sets.
  static let condition = """
    exercise.merged_into is null
      and (cardinality($1::text[]) = 0 or exercise.targets && $1)
      and (cardinality($2::text[]) = 0 or exercise.equipment && $2)
      and (cardinality($3::text[]) = 0 or exercise.level = any($3))
      and (cardinality($4::text[]) = 0 or exercise.category = any($4))
    """

  func bind(_ p: inout Parameters) {
    p.append(targets)
    p.append(equipment.map(\.rawValue))
    p.append(levels.map(\.rawValue))
    p.append(categories.map(\.rawValue))
  }
}

/// A found exercise, with its position in the list.
package struct FoundExercise: Sendable {
  package let exercise: StoredExercise
  /// How well its name matches: more is better; 0 if no name was searched for.
  package let score: Double
  /// The words of its names.
  package let names: String

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundExercise {
    FoundExercise(exercise: try .decode(row), score: try row.next(), names: try row.next())
  }
}

/// A page of exercises, ordered by name.
package struct ExercisesByName: Statement {
  package static let pace = Pace.slow
  package static let sql = """
    select \(StoredExercise.columns), 0::double precision, exercise.names
    from exercises as exercise
    where \(ExerciseFilter.condition)
      and ($5::text is null or (exercise.names collate "C", exercise.id) > ($5, $6))
    order by exercise.names collate "C", exercise.id
    limit $7
    """
  let filter: ExerciseFilter
  let after: (String, ExerciseID)?
  let limit: Int64

  package init(_ filter: ExerciseFilter, after: (String, ExerciseID)?, limit: Int64) {
    self.filter = filter
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    filter.bind(&p)
    p.append(after?.0)
    p.append(after?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundExercise { try .decode(row) }
}

/// A page of the exercises in whose names every word occurs, the best first ([CA-10]).
package struct ExercisesWithWords: Statement {
  package static let pace = Pace.slow
  // A match in the name counts twice one in another name; matches in longer names count less.
  package static let sql = """
    select \(StoredExercise.columns), rated.score, exercise.names
    from exercises as exercise
    cross join lateral (
      select ts_rank('{0.1, 0.1, 0.5, 1}', exercise.words, $5::tsquery, 2)::double precision as score
    ) as rated
    where \(ExerciseFilter.condition) and exercise.words @@ $5::tsquery
      and ($6::double precision is null or (rated.score, exercise.id) < ($6, $7))
    order by rated.score desc, exercise.id desc
    limit $8
    """
  let filter: ExerciseFilter
  let query: SearchQuery
  let after: (Double, ExerciseID)?
  let limit: Int64

  package init(_ query: SearchQuery, _ filter: ExerciseFilter, after: (Double, ExerciseID)?, limit: Int64) {
    self.query = query
    self.filter = filter
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    filter.bind(&p)
    p.append(ExerciseSearch.query(query))
    p.append(after?.0)
    p.append(after?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundExercise { try .decode(row) }
}

/// A page of the exercises whose names are spelt similarly to the words, the most similar first ([CA-10]).
package struct SimilarExercises: Statement {
  package static let pace = Pace.slow
  package static let sql = """
    select \(StoredExercise.columns), rated.score, exercise.names
    from similar_exercises($5, $6) as rated
    join exercises as exercise on exercise.id = rated.id
    where \(ExerciseFilter.condition)
      and ($7::double precision is null or (rated.score, exercise.id) < ($7, $8))
    order by rated.score desc, exercise.id desc
    limit $9
    """
  let filter: ExerciseFilter
  let query: SearchQuery
  let after: (Double, ExerciseID)?
  let limit: Int64

  package init(_ query: SearchQuery, _ filter: ExerciseFilter, after: (Double, ExerciseID)?, limit: Int64) {
    self.query = query
    self.filter = filter
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    filter.bind(&p)
    p.append(query.keywords.map(\.word))
    p.append(ExerciseSearch.queries(query))
    p.append(after?.0)
    p.append(after?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundExercise { try .decode(row) }
}

/// The number of the last change of any exercise; 0 before the first.
package struct LastExerciseChange: Statement {
  package typealias Row = Int64
  package static let sql = "select coalesce(max(change), 0) from exercises"

  package init() {}
}

/// Exercises that changed after a change number, in the order of their last changes ([C-11]).
package struct ChangedExercises: Statement {
  package struct Row: Sendable {
    package let exercise: StoredExercise
    package let change: Int64
    /// `nil` unless it was merged into another.
    package let mergedInto: ExerciseID?
  }

  package static let sql = """
    select \(StoredExercise.columns), exercise.change, exercise.merged_into
    from exercises as exercise
    where exercise.change > $1
    order by exercise.change
    limit $2
    """
  let after: Int64
  let limit: Int64

  package init(after: Int64, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(exercise: try .decode(row), change: try row.next(), mergedInto: try row.next())
  }
}
