-- fragment: is_searched
-- A condition on a row `workout` and its `rated.score`, with the parameters of a search: it is curated or the viewer's own, which are
-- at most some hundreds, and the index on the owner finds them.
workout.deleted_at is null and (workout.owner_id = :viewer_id or workout.owner_id is null)
  and (cardinality(:groups::text[]) = 0 or workout.trained && :groups)
  and (:after_score?::double precision is null or (rated.score, workout.id) < (:after_score?, :after_id?));

-- name: WorkoutsOfGroups :many slow
-- A page of the workouts that train some muscle groups, the newest first.
-- @score: 0: there is no keyword.
-- @groups: The workout trains at least one of them; any workout if empty.
-- @after_id WorkoutID
select {{WorkoutColumns}}, rated.score as "score!"
from workouts as workout
cross join lateral (select 0::double precision as score) as rated
where {{is_searched}}
order by rated.score desc, workout.id desc
limit :limit;

-- name: WorkoutsWithKeywords :many slow
-- A page of the workouts in which every keyword occurs, the best first.
-- @score: How well it matches: more is better.
-- @groups: The workout trains at least one of them; any workout if empty.
-- @after_id WorkoutID
select {{WorkoutColumns}}, rated.score as "score!"
from workouts as workout
cross join lateral (
  select ts_rank('{0.1, 0.3, 0.6, 1}', workout.words, :query::tsquery, 1)::double precision as score
) as rated
where {{is_searched}} and workout.words @@ :query::tsquery
order by rated.score desc, workout.id desc
limit :limit;

-- name: SimilarWorkouts :many slow
-- A page of the workouts whose names and muscle groups are spelt similarly to the keywords, the most similar first.
-- @score: How well it matches: more is better.
-- @groups: The workout trains at least one of them; any workout if empty.
-- @queries: A `tsquery` for each keyword.
-- @after_id WorkoutID
select {{WorkoutColumns}}, rated.score as "score!"
from workouts as workout
cross join lateral (
  -- Compares as similar_books does, without an index: there are few rows.
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
    from unnest(:keywords::text[], :queries::text[]) as keyword (word, query)
  ) as judged
) as rated
where {{is_searched}} and rated.fits
order by rated.score desc, workout.id desc
limit :limit;
