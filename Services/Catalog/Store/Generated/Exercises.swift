// Made from exercises.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A stored exercise. Its coded values are from the fixed lists of the domain.
package struct StoredExercise: Sendable, RowDecodable {
  package let id: ExerciseID
  package let name: String
  package let aliases: [String]
  /// Empty if no collection says it.
  package let category: String
  /// Empty if no collection says it.
  package let level: String
  package let muscles: [String]
  package let secondaryMuscles: [String]
  package let muscleGroups: [String]
  package let equipment: [String]
  package let instructions: [String]
  package let instructionsSource: String
  /// The collections that have it; parallel to the next three.
  package let sources: [String]
  package let sourceIDs: [String]
  package let licenses: [String]
  package let attributions: [String]
  package let images: [String]
  /// The collection that each image is from.
  package let imageSources: [String]

  package init(
    id: ExerciseID, name: String, aliases: [String], category: String, level: String, muscles: [String],
    secondaryMuscles: [String], muscleGroups: [String], equipment: [String], instructions: [String],
    instructionsSource: String, sources: [String], sourceIDs: [String], licenses: [String], attributions: [String],
    images: [String], imageSources: [String]) {
    self.id = id
    self.name = name
    self.aliases = aliases
    self.category = category
    self.level = level
    self.muscles = muscles
    self.secondaryMuscles = secondaryMuscles
    self.muscleGroups = muscleGroups
    self.equipment = equipment
    self.instructions = instructions
    self.instructionsSource = instructionsSource
    self.sources = sources
    self.sourceIDs = sourceIDs
    self.licenses = licenses
    self.attributions = attributions
    self.images = images
    self.imageSources = imageSources
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredExercise {
    StoredExercise(
      id: try row.next(), name: try row.next(), aliases: try row.next(), category: try row.next(),
      level: try row.next(), muscles: try row.next(), secondaryMuscles: try row.next(), muscleGroups: try row.next(),
      equipment: try row.next(), instructions: try row.next(), instructionsSource: try row.next(),
      sources: try row.next(), sourceIDs: try row.next(), licenses: try row.next(), attributions: try row.next(),
      images: try row.next(), imageSources: try row.next())
  }
}

/// An exercise by its id, or by that of one that was merged into it.
package struct ExerciseByID: SingleRowStatement {
  package typealias Row = StoredExercise
  package static let sql = """
    select exercise.id, exercise.name, exercise.aliases, exercise.category, exercise.level, exercise.muscles,
    exercise.secondary_muscles, exercise.muscle_groups, exercise.equipment, exercise.instructions,
    exercise.instructions_source, exercise.sources, exercise.source_ids, exercise.licenses, exercise.attributions,
    exercise.images, exercise.image_sources
    from exercises as named
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where named.id = $1
    """
  package let exerciseID: ExerciseID

  package init(exerciseID: ExerciseID) {
    self.exerciseID = exerciseID
  }

  package func bind(_ p: inout Parameters) {
    p.append(exerciseID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredExercise.decode(row)
  }
}

/// A page of exercises, ordered by name.
package struct ExercisesByName: Statement {
  package struct Row: Sendable {
    package let exercise: StoredExercise
    /// The words of its names, by which the list is sorted.
    package let names: String
  }

  package static let pace = Pace.slow
  package static let sql = """
    select exercise.id, exercise.name, exercise.aliases, exercise.category, exercise.level, exercise.muscles,
    exercise.secondary_muscles, exercise.muscle_groups, exercise.equipment, exercise.instructions,
    exercise.instructions_source, exercise.sources, exercise.source_ids, exercise.licenses, exercise.attributions,
    exercise.images, exercise.image_sources, exercise.names
    from exercises as exercise
    where exercise.merged_into is null
      and (cardinality($1::text[]) = 0 or exercise.targets && $1)
      and (cardinality($2::text[]) = 0 or exercise.equipment && $2)
      and (cardinality($3::text[]) = 0 or exercise.level = any($3))
      and (cardinality($4::text[]) = 0 or exercise.category = any($4))
      and ($5::text is null or (exercise.names collate "C", exercise.id) > ($5, $6))
    order by exercise.names collate "C", exercise.id
    limit $7
    """
  package let targets: [String]
  package let equipment: [Equipment]
  package let levels: [ExerciseLevel]
  package let categories: [ExerciseCategory]
  package let afterNames: String?
  package let afterID: ExerciseID?
  package let limit: Int64

  package init(
    targets: [String], equipment: [Equipment], levels: [ExerciseLevel], categories: [ExerciseCategory],
    afterNames: String?, afterID: ExerciseID?, limit: Int64) {
    self.targets = targets
    self.equipment = equipment
    self.levels = levels
    self.categories = categories
    self.afterNames = afterNames
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(targets)
    p.append(equipment)
    p.append(levels)
    p.append(categories)
    p.append(afterNames)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(exercise: try StoredExercise.decode(row), names: try row.next())
  }
}

/// A page of the exercises in whose names every word occurs, the best first ([CA-10]): exact names, then these with a tool, then exercises that
/// have every keyword as a word, then those with words that begin with the keywords.
package struct ExercisesWithWords: Statement {
  package struct Row: Sendable {
    package let exercise: StoredExercise
    /// How well its name matches: more is better.
    package let score: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select exercise.id, exercise.name, exercise.aliases, exercise.category, exercise.level, exercise.muscles,
    exercise.secondary_muscles, exercise.muscle_groups, exercise.equipment, exercise.instructions,
    exercise.instructions_source, exercise.sources, exercise.source_ids, exercise.licenses, exercise.attributions,
    exercise.images, exercise.image_sources, rated.score as score
    from exercises as exercise
    cross join lateral (
      select (
        case
          when exercise.name_keys && $1::text[] then 3
          when exercise.name_keys && $2::text[] then 2
          when exercise.words @@ $3::tsquery then 1
          else 0
        end
        + ts_rank('{0.1, 0.1, 0.5, 1}', exercise.words, $4::tsquery, 2 | 32)
      )::double precision as score
    ) as rated
    where exercise.merged_into is null
      and (cardinality($5::text[]) = 0 or exercise.targets && $5)
      and (cardinality($6::text[]) = 0 or exercise.equipment && $6)
      and (cardinality($7::text[]) = 0 or exercise.level = any($7))
      and (cardinality($8::text[]) = 0 or exercise.category = any($8)) and exercise.words @@ $4::tsquery
      and ($9::double precision is null or (rated.score, exercise.id) < ($9, $10))
    order by rated.score desc, exercise.id desc
    limit $11
    """
  /// The words of names that consist of the keywords.
  package let keys: [String]
  /// The words of names that consist of the keywords and a tool.
  package let keysWithTool: [String]
  /// A `tsquery` of the keywords as words.
  package let whole: String
  package let query: String
  package let targets: [String]
  package let equipment: [Equipment]
  package let levels: [ExerciseLevel]
  package let categories: [ExerciseCategory]
  package let afterScore: Double?
  package let afterID: ExerciseID?
  package let limit: Int64

  package init(
    keys: [String], keysWithTool: [String], whole: String, query: String, targets: [String], equipment: [Equipment],
    levels: [ExerciseLevel], categories: [ExerciseCategory], afterScore: Double?, afterID: ExerciseID?, limit: Int64) {
    self.keys = keys
    self.keysWithTool = keysWithTool
    self.whole = whole
    self.query = query
    self.targets = targets
    self.equipment = equipment
    self.levels = levels
    self.categories = categories
    self.afterScore = afterScore
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(keys)
    p.append(keysWithTool)
    p.append(whole)
    p.append(query)
    p.append(targets)
    p.append(equipment)
    p.append(levels)
    p.append(categories)
    p.append(afterScore)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(exercise: try StoredExercise.decode(row), score: try row.next())
  }
}

/// Words of exercises' names that are spelt similarly to keywords ([CA-10]), the closest first: there are some thousands.
package struct ExerciseWordsLike: Statement {
  package typealias Row = SimilarWord
  package static let pace = Pace.slow
  package static let sql = """
    with known as materialized (
      select distinct name.word
      from exercises cross join lateral unnest(string_to_array(exercises.names, ' ')) as name (word)
      where exercises.merged_into is null and name.word <> ''
    )
    select keyword.place - 1 as place, alike.word as word, greatest(alike.edits, 1) as edits
    from unnest($1::text[]) with ordinality as keyword (word, place)
    cross join lateral (
      select near.word, near.edits
      from (
        select
          known.word,
          case
            when known.word in (select meant.word from with_letters_exchanged(keyword.word) as meant) then 1
            else extensions.levenshtein_less_equal(keyword.word, known.word, 2)
          end as edits
        from known
      ) as near
      where near.edits <= case when char_length(keyword.word) < 4 then 1 else 2 end
      order by near.edits, near.word
      limit 20
    ) as alike
    order by keyword.place, alike.edits, alike.word
    """
  package let keywords: [String]

  package init(keywords: [String]) {
    self.keywords = keywords
  }

  package func bind(_ p: inout Parameters) {
    p.append(keywords)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try SimilarWord.decode(row)
  }
}

/// The number of the last change of any exercise; 0 before the first.
package struct LastExerciseChange: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select coalesce(max(change), 0) as change from exercises
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
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
    select exercise.id, exercise.name, exercise.aliases, exercise.category, exercise.level, exercise.muscles,
    exercise.secondary_muscles, exercise.muscle_groups, exercise.equipment, exercise.instructions,
    exercise.instructions_source, exercise.sources, exercise.source_ids, exercise.licenses, exercise.attributions,
    exercise.images, exercise.image_sources, exercise.change, exercise.merged_into
    from exercises as exercise
    where exercise.change > $1
    order by exercise.change
    limit $2
    """
  package let after: Int64
  package let limit: Int64

  package init(after: Int64, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(exercise: try StoredExercise.decode(row), change: try row.next(), mergedInto: try row.next())
  }
}

/// The exercises of some ids; unknown ids are left out.
package struct ExercisesNamed: Statement {
  package struct Row: Sendable {
    /// The id in the request.
    package let askedID: ExerciseID
    /// That id, or the one of the exercise that it was merged into.
    package let id: ExerciseID
    package let name: String
    package let muscleGroups: [String]
  }

  package static let sql = """
    select named.id as asked_id, exercise.id, exercise.name, exercise.muscle_groups
    from exercises as named
    join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
    where named.id = any($1)
    """
  package let exerciseIDs: [ExerciseID]

  package init(exerciseIDs: [ExerciseID]) {
    self.exerciseIDs = exerciseIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(exerciseIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(askedID: try row.next(), id: try row.next(), name: try row.next(), muscleGroups: try row.next())
  }
}

/// Suggested exercises for some muscle groups: in turn for each group, first those that more collections have and that require less
/// experience.
package struct SuggestedExercises: Statement {
  package typealias Row = ExerciseID
  package static let sql = """
    select exercise.id
    from unnest($1::text[]) with ordinality as wanted (muscle_group, place)
    cross join lateral (
      select exercises.id, row_number() over (
        order by cardinality(exercises.sources) desc,
          array_position(array['BEGINNER', 'INTERMEDIATE', 'EXPERT'], exercises.level), exercises.names collate "C",
          exercises.id
      ) as rank
      from exercises
      where exercises.merged_into is null and exercises.targets && array[wanted.muscle_group]
        and exercises.category in ('STRENGTH', 'POWERLIFTING')
      order by rank
      limit $2
    ) as exercise
    order by exercise.rank, wanted.place
    limit $2
    """
  package let groups: [MuscleGroup]
  package let count: Int64

  package init(groups: [MuscleGroup], count: Int64) {
    self.groups = groups
    self.count = count
  }

  package func bind(_ p: inout Parameters) {
    p.append(groups)
    p.append(count)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The exercises that a search may find, for an evaluation of searches.
package struct JudgedExercises: Statement {
  package struct Row: Sendable {
    package let name: String
    package let aliases: [String]
    package let sources: [String]
    package let sourceIDs: [String]
  }

  package static let pace = Pace.slow
  package static let sql = """
    select name, aliases, sources, source_ids from exercises where merged_into is null order by id
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(name: try row.next(), aliases: try row.next(), sources: try row.next(), sourceIDs: try row.next())
  }
}

/// Whether exercises are loaded.
package struct HasExercises: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (select 1 from exercises) as has_exercises
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
