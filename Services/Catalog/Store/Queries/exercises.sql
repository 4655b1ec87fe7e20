-- columns: StoredExercise
-- A stored exercise. Its coded values are from the fixed lists of the domain.
-- @category: Empty if no collection says it.
-- @level: Empty if no collection says it.
-- @sources: The collections that have it; parallel to the next three.
-- @image_sources: The collection that each image is from.
exercise.id, exercise.name, exercise.aliases, exercise.category, exercise.level, exercise.muscles,
exercise.secondary_muscles, exercise.muscle_groups, exercise.equipment, exercise.instructions,
exercise.instructions_source, exercise.sources, exercise.source_ids, exercise.licenses, exercise.attributions,
exercise.images, exercise.image_sources;

-- fragment: exercise_filter
-- A condition on a row `exercise`: it is one of its own and matches the filters; every exercise matches an empty list ([CA-10]).
-- `targets` are muscles and muscle groups.
exercise.merged_into is null
  and (cardinality(:targets::text[]) = 0 or exercise.targets && :targets)
  and (cardinality(:equipment::text[]) = 0 or exercise.equipment && :equipment)
  and (cardinality(:levels::text[]) = 0 or exercise.level = any(:levels))
  and (cardinality(:categories::text[]) = 0 or exercise.category = any(:categories));

-- name: ExerciseByID :one
-- An exercise by its id, or by that of one that was merged into it.
select {{StoredExercise}}
from exercises as named
join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
where named.id = :exercise_id;

-- name: ExercisesByName :many slow
-- A page of exercises, ordered by name.
-- @names: The words of its names, by which the list is sorted.
-- @equipment [Equipment]
-- @levels [ExerciseLevel]
-- @categories [ExerciseCategory]
-- @after_id ExerciseID
select {{StoredExercise}}, exercise.names
from exercises as exercise
where {{exercise_filter}}
  and (:after_names?::text is null or (exercise.names collate "C", exercise.id) > (:after_names?, :after_id?))
order by exercise.names collate "C", exercise.id
limit :limit;

-- name: ExercisesWithWords :many slow
-- A page of the exercises in whose names every word occurs, the best first ([CA-10]): exact names, then these with a tool, then exercises that
-- have every keyword as a word, then those with words that begin with the keywords.
-- @score: How well its name matches: more is better.
-- @whole: A `tsquery` of the keywords as words.
-- @keys: The words of names that consist of the keywords.
-- @keys_with_tool: The words of names that consist of the keywords and a tool.
-- @equipment [Equipment]
-- @levels [ExerciseLevel]
-- @categories [ExerciseCategory]
-- @after_id ExerciseID
select {{StoredExercise}}, rated.score as "score!"
from exercises as exercise
cross join lateral (
  select (
    case
      when exercise.name_keys && :keys::text[] then 3
      when exercise.name_keys && :keys_with_tool::text[] then 2
      when exercise.words @@ :whole::tsquery then 1
      else 0
    end
    -- A match in the name counts twice one in another name; matches in longer names count less.
    + ts_rank('{0.1, 0.1, 0.5, 1}', exercise.words, :query::tsquery, 2 | 32)
  )::double precision as score
) as rated
where {{exercise_filter}} and exercise.words @@ :query::tsquery
  and (:after_score?::double precision is null or (rated.score, exercise.id) < (:after_score?, :after_id?))
order by rated.score desc, exercise.id desc
limit :limit;

-- name: ExerciseWordsLike :many slow
-- Words of exercises' names that are spelt similarly to keywords ([CA-10]), the closest first: there are some thousands.
with known as materialized (
  select distinct name.word
  from exercises cross join lateral unnest(string_to_array(exercises.names, ' ')) as name (word)
  where exercises.merged_into is null and name.word <> ''
)
select {{SimilarWord}}
from unnest(:keywords::text[]) with ordinality as keyword (word, place)
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
order by keyword.place, alike.edits, alike.word;

-- name: LastExerciseChange :one
-- The number of the last change of any exercise; 0 before the first.
select coalesce(max(change), 0) as "change!" from exercises;

-- name: ChangedExercises :many
-- Exercises that changed after a change number, in the order of their last changes ([C-11]).
-- @merged_into: `nil` unless it was merged into another.
select {{StoredExercise}}, exercise.change, exercise.merged_into
from exercises as exercise
where exercise.change > :after
order by exercise.change
limit :limit;

-- name: ExercisesNamed :many
-- The exercises of some ids; unknown ids are left out.
-- @asked_id: The id in the request.
-- @id: That id, or the one of the exercise that it was merged into.
select named.id as asked_id, exercise.id, exercise.name, exercise.muscle_groups
from exercises as named
join exercises as exercise on exercise.id = coalesce(named.merged_into, named.id)
where named.id = any(:exercise_ids);

-- name: SuggestedExercises :many
-- Suggested exercises for some muscle groups: in turn for each group, first those that more collections have and that require less
-- experience.
select exercise.id
from unnest(:groups::text[]) with ordinality as wanted (muscle_group, place)
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
  limit :count
) as exercise
order by exercise.rank, wanted.place
limit :count;

-- name: JudgedExercises :many slow
-- The exercises that a search may find, for an evaluation of searches.
select name, aliases, sources, source_ids from exercises where merged_into is null order by id;

-- name: HasExercises :one
-- Whether exercises are loaded.
select exists (select 1 from exercises) as "has_exercises!";
