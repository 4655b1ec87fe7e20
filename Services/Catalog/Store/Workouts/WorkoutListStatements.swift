import CatalogDomain
import Identifiers
import Postgres

/// A page of the curated workouts, by name ([CA-11]).
package struct CuratedWorkouts: Statement {
  package struct Row: Sendable {
    package let workout: StoredWorkout
    /// The sort key of the list.
    package let names: String
  }

  package static let sql = """
    select \(StoredWorkout.columns), workout.names
    from workouts as workout
    where workout.owner_id is null and workout.deleted_at is null and ($1::text is null or workout.level = $1)
      and ($2::text is null or (workout.names collate "C", workout.id) > ($2, $3))
    order by workout.names collate "C", workout.id
    limit $4
    """
  let level: ExerciseLevel?
  let after: (String, WorkoutID)?
  let limit: Int64

  package init(_ level: ExerciseLevel?, after: (String, WorkoutID)?, limit: Int64) {
    self.level = level
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(level?.rawValue)
    p.append(after?.0)
    p.append(after?.1)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workout: try .decode(row), names: try row.next())
  }
}

/// A page of a user's workouts, the newest first ([CA-12]).
package struct WorkoutsOfOwner: Statement {
  package static let sql = """
    select \(StoredWorkout.columns)
    from workouts as workout
    where workout.owner_id = $1 and workout.deleted_at is null and ($2::uuid is null or workout.id < $2)
    order by workout.id desc
    limit $3
    """
  let owner: UserID
  let before: WorkoutID?
  let limit: Int64

  package init(_ owner: UserID, before: WorkoutID?, limit: Int64) {
    self.owner = owner
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkout { try .decode(row) }
}

/// A user's workouts that changed after a change number, in the order of their last changes ([C-11]).
package struct ChangedWorkouts: Statement {
  package struct Row: Sendable {
    package let workout: StoredWorkout
    package let change: Int64
    /// `nil` unless it was deleted.
    package let deletedAt: Instant?
  }

  package static let sql = """
    select \(StoredWorkout.columns), workout.change, workout.deleted_at
    from workouts as workout
    where workout.owner_id = $1 and workout.change > $2
    order by workout.change
    limit $3
    """
  let owner: UserID
  let after: Int64
  let limit: Int64

  package init(of owner: UserID, after: Int64, limit: Int64) {
    self.owner = owner
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(owner)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workout: try .decode(row), change: try row.next(), deletedAt: try row.next())
  }
}

/// A workout found by a search.
package struct FoundWorkout: Sendable {
  package let workout: StoredWorkout
  /// How well it matches: more is better; 0 if no keyword was searched for.
  package let score: Double

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundWorkout {
    FoundWorkout(workout: try .decode(row), score: try row.next())
  }
}

/// A search among the curated workouts and a user's own ([CA-13]): at most some hundreds, which the index on the owner finds.
package struct WorkoutSearch: Sendable {
  package let viewer: UserID
  /// The workout trains at least one of them; any workout if empty.
  package let groups: [MuscleGroup]
  package let after: (Double, WorkoutID)?
  package let limit: Int64

  package init(by viewer: UserID, _ groups: [MuscleGroup], after: (Double, WorkoutID)?, limit: Int64) {
    self.viewer = viewer
    self.groups = groups
    self.after = after
    self.limit = limit
  }

  /// SQL with the parameters 1 to 5.
  static func sql(score: String, from source: String = "", where condition: String = "true") -> String {
    """
    select \(StoredWorkout.columns), rated.score
    from workouts as workout
    cross join lateral (\(source.isEmpty ? "select \(score) as score" : source)) as rated
    where workout.deleted_at is null and (workout.owner_id = $1 or workout.owner_id is null)
      and (cardinality($2::text[]) = 0 or workout.trained && $2)
      and ($3::double precision is null or (rated.score, workout.id) < ($3, $4))
      and \(condition)
    order by rated.score desc, workout.id desc
    limit $5
    """
  }

  func bind(_ p: inout Parameters) {
    p.append(viewer)
    p.append(groups.map(\.rawValue))
    p.append(after?.0)
    p.append(after?.1)
    p.append(limit)
  }
}

/// A page of the workouts that train some muscle groups, the newest first.
package struct WorkoutsOfGroups: Statement {
  package static let pace = Pace.slow
  package static let sql = WorkoutSearch.sql(score: "0::double precision")
  let search: WorkoutSearch

  package init(_ search: WorkoutSearch) { self.search = search }

  package func bind(_ p: inout Parameters) { search.bind(&p) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundWorkout { try .decode(row) }
}

/// A page of the workouts in which every keyword occurs, the best first.
package struct WorkoutsWithKeywords: Statement {
  package static let pace = Pace.slow
  package static let sql = WorkoutSearch.sql(
    score: "ts_rank('{0.1, 0.3, 0.6, 1}', workout.words, $6::tsquery, 1)::double precision",
    where: "workout.words @@ $6::tsquery")
  let query: SearchQuery
  let search: WorkoutSearch

  package init(_ query: SearchQuery, _ search: WorkoutSearch) {
    self.query = query
    self.search = search
  }

  package func bind(_ p: inout Parameters) {
    search.bind(&p)
    p.append(ExerciseSearch.query(query))
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundWorkout { try .decode(row) }
}

/// A page of the workouts whose names and muscle groups are spelt similarly to the keywords, the most similar first.
package struct SimilarWorkouts: Statement {
  package static let pace = Pace.slow
  // Compares as similar_books does, without an index: there are few rows.
  package static let sql = WorkoutSearch.sql(
    score: "",
    from: """
      select bool_and(judged.occurs or judged.is_like) as fits,
        avg(case when judged.occurs then 1 else extensions.word_similarity(judged.word, workout.names) end)::double precision
          as score
      from (
        select keyword.word, workout.words @@ keyword.query::tsquery as occurs, exists (
          select from unnest(string_to_array(workout.names, ' ')) as name (word)
          where extensions.levenshtein_less_equal(keyword.word, name.word, 2)
            <= case when char_length(keyword.word) < 4 then 1 else 2 end
        ) as is_like
        from unnest($6::text[], $7::text[]) as keyword (word, query)
      ) as judged
      """, where: "rated.fits")
  let query: SearchQuery
  let search: WorkoutSearch

  package init(_ query: SearchQuery, _ search: WorkoutSearch) {
    self.query = query
    self.search = search
  }

  package func bind(_ p: inout Parameters) {
    search.bind(&p)
    p.append(query.keywords.map(\.word))
    p.append(ExerciseSearch.queries(query))
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FoundWorkout { try .decode(row) }
}
