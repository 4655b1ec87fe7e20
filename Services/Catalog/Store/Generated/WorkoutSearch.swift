// Made from workout_search.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A page of the workouts that train some muscle groups, the newest first.
package struct WorkoutsOfGroups: Statement {
  package struct Row: Sendable {
    package let workout: StoredWorkout
    /// 0: there is no keyword.
    package let score: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at, rated.score as score
    from workouts as workout
    cross join lateral (select 0::double precision as score) as rated
    where workout.deleted_at is null and (workout.owner_id = $1 or workout.owner_id is null)
      and (cardinality($2::text[]) = 0 or workout.trained && $2)
      and ($3::double precision is null or (rated.score, workout.id) < ($3, $4))
    order by rated.score desc, workout.id desc
    limit $5
    """
  package let viewerID: UserID
  /// The workout trains at least one of them; any workout if empty.
  package let groups: [MuscleGroup]
  package let afterScore: Double?
  package let afterID: WorkoutID?
  package let limit: Int64

  package init(viewerID: UserID, groups: [MuscleGroup], afterScore: Double?, afterID: WorkoutID?, limit: Int64) {
    self.viewerID = viewerID
    self.groups = groups
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(viewerID)
    p.append(groups)
    p.append(afterScore)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workout: try StoredWorkout(WorkoutColumns.decode(row)), score: try row.next())
  }
}

/// A page of the workouts in which every keyword occurs, the best first.
package struct WorkoutsWithKeywords: Statement {
  package struct Row: Sendable {
    package let workout: StoredWorkout
    /// How well it matches: more is better.
    package let score: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at, rated.score as score
    from workouts as workout
    cross join lateral (
      select ts_rank('{0.1, 0.3, 0.6, 1}', workout.words, $1::tsquery, 1)::double precision as score
    ) as rated
    where workout.deleted_at is null and (workout.owner_id = $2 or workout.owner_id is null)
      and (cardinality($3::text[]) = 0 or workout.trained && $3)
      and ($4::double precision is null or (rated.score, workout.id) < ($4, $5)) and workout.words @@ $1::tsquery
    order by rated.score desc, workout.id desc
    limit $6
    """
  package let query: String
  package let viewerID: UserID
  /// The workout trains at least one of them; any workout if empty.
  package let groups: [MuscleGroup]
  package let afterScore: Double?
  package let afterID: WorkoutID?
  package let limit: Int64

  package init(
    query: String, viewerID: UserID, groups: [MuscleGroup], afterScore: Double?, afterID: WorkoutID?, limit: Int64) {
    self.query = query
    self.viewerID = viewerID
    self.groups = groups
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(query)
    p.append(viewerID)
    p.append(groups)
    p.append(afterScore)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workout: try StoredWorkout(WorkoutColumns.decode(row)), score: try row.next())
  }
}

/// A page of the workouts whose names and muscle groups are spelt similarly to the keywords, the most similar first.
package struct SimilarWorkouts: Statement {
  package struct Row: Sendable {
    package let workout: StoredWorkout
    /// How well it matches: more is better.
    package let score: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at, rated.score as score
    from workouts as workout
    cross join lateral (
      select bool_and(judged.occurs or judged.is_like) as fits,
        avg(
          case when judged.occurs then 1 else extensions.word_similarity(judged.word, workout.names) end
        )::double precision as score
      from (
        select keyword.word, workout.words @@ keyword.query::tsquery as occurs, exists (
          select from unnest(string_to_array(workout.names, ' ')) as name (word)
          where extensions.levenshtein_less_equal(keyword.word, name.word, 2)
            <= case when char_length(keyword.word) < 4 then 1 else 2 end
        ) as is_like
        from unnest($1::text[], $2::text[]) as keyword (word, query)
      ) as judged
    ) as rated
    where workout.deleted_at is null and (workout.owner_id = $3 or workout.owner_id is null)
      and (cardinality($4::text[]) = 0 or workout.trained && $4)
      and ($5::double precision is null or (rated.score, workout.id) < ($5, $6)) and rated.fits
    order by rated.score desc, workout.id desc
    limit $7
    """
  package let keywords: [String]
  /// A `tsquery` for each keyword.
  package let queries: [String]
  package let viewerID: UserID
  /// The workout trains at least one of them; any workout if empty.
  package let groups: [MuscleGroup]
  package let afterScore: Double?
  package let afterID: WorkoutID?
  package let limit: Int64

  package init(
    keywords: [String], queries: [String], viewerID: UserID, groups: [MuscleGroup], afterScore: Double?,
    afterID: WorkoutID?, limit: Int64) {
    self.keywords = keywords
    self.queries = queries
    self.viewerID = viewerID
    self.groups = groups
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(keywords)
    p.append(queries)
    p.append(viewerID)
    p.append(groups)
    p.append(afterScore)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(workout: try StoredWorkout(WorkoutColumns.decode(row)), score: try row.next())
  }
}
