-- name: SearchFoldedUpTo :one
-- By which version of the spelling the words of a kind of rows were made, and up to which id; no row before the first page of the first.
-- @last_id UUID7
select version, last_id from search_foldings where kind = :kind;

-- name: StoreSearchFolding :exec
-- Stores up to which id the words of a kind of rows were made; an earlier id or version of another replica does not replace a later one.
-- @last_id UUID7
insert into search_foldings (kind, version, last_id) values (:kind, :version, :last_id)
on conflict on constraint search_foldings_pkey do update set version = excluded.version, last_id = excluded.last_id
where (search_foldings.version, search_foldings.last_id) < (excluded.version, excluded.last_id);

-- fragment: first_busy
-- The first row that another transaction has or has changed: as none is waited for, there is no deadlock with batches of changes.
select found.id as "id!" from found where not exists (select from free where free.id = found.id) order by found.id limit 1;

-- fragment: words_in_order(words)
-- The words of a `tsvector` in the order of their positions, and the weight of each.
array(
  select entry.lexeme from unnest({{words}}) as entry cross join lateral unnest(entry.positions) as place (position)
  order by place.position
) as "words!",
array(
  select place.weight
  from unnest({{words}}) as entry cross join lateral unnest(entry.positions, entry.weights) as place (position, weight)
  order by place.position
) as "weights!", {{words}}::text as "vector!";

-- fragment: book_to_fold
id, title, array({{titles_recorded(books.isbn)}}) as "titles!", authors, isbn, description, revision;

-- name: BooksToFold :many slow
-- A page of the books whose words may be outdated, in the order of their ids.
-- @after BookID: `nil` for the first page.
-- @titles: Of the records of its ISBN.
select {{book_to_fold}} from books
where id > coalesce(:after?::uuid, '00000000-0000-0000-0000-000000000000') and deleted_at is null
order by id
limit :limit;

-- name: OutdatedBooks :many slow
-- A page of the books of whose ISBNs records were loaded since their words were made, in the order of their ids.
-- @after BookID: `nil` for the first page.
-- @titles: Of the records of its ISBN.
select {{book_to_fold}} from books
where is_outdated and id > coalesce(:after?::uuid, '00000000-0000-0000-0000-000000000000') and deleted_at is null
order by id
limit :limit;

-- name: FoldBooks :one
-- Stores the words of books that did not change since they were read, and returns the first of the others.
-- @book_ids: Each with its revision and its words at the same position.
-- @vectors: Each a `tsvector`.
-- @other_title_keys: Each the keys of a book, separated by newlines.
-- @id BookID
with found as (
  select * from unnest(
    :book_ids::uuid[], :revisions::bigint[], :vectors::text[], :names::text[], :title_keys::text[],
    :other_title_keys::text[], :surnames::text[]
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
{{first_busy}};

-- name: GymsToFold :many slow
-- A page of the gyms whose words may be outdated, in the order of their ids.
-- @vector: The `tsvector` that the words are from.
-- @after GymID: `nil` for the first page.
select gyms.id, gyms.name_key, {{words_in_order(gyms.words)}} from gyms
where gyms.id > coalesce(:after?::uuid, '00000000-0000-0000-0000-000000000000')
order by gyms.id
limit :limit;

-- name: FoldGyms :one
-- Stores the words of gyms that did not change since they were read, and returns the first of the others.
-- @gym_ids: Each with its `tsvector` as it was read, and as it is to be, at the same position.
-- @id GymID
with found as (
  select * from unnest(:gym_ids::uuid[], :former_vectors::text[], :vectors::text[], :name_keys::text[])
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
{{first_busy}};

-- name: WorkoutsToFold :many slow
-- A page of the workouts whose words may be outdated, in the order of their ids.
-- @vector: The `tsvector` that the words are from.
-- @after WorkoutID: `nil` for the first page.
select workouts.id, workouts.names, {{words_in_order(workouts.words)}} from workouts
where workouts.id > coalesce(:after?::uuid, '00000000-0000-0000-0000-000000000000') and workouts.deleted_at is null
order by workouts.id
limit :limit;

-- name: FoldWorkouts :one
-- Stores the words of workouts that did not change since they were read, and returns the first of the others.
-- @workout_ids: Each with its `tsvector` as it was read, and as it is to be, at the same position.
-- @id WorkoutID
with found as (
  select * from unnest(:workout_ids::uuid[], :former_vectors::text[], :vectors::text[], :names::text[])
    as found (id, former_vector, vector, names)
), free as materialized (
  select workouts.id from workouts join found on found.id = workouts.id and found.former_vector::tsvector = workouts.words
  for no key update of workouts skip locked
), folded as (
  update workouts set words = found.vector::tsvector, names = found.names
  from free join found on found.id = free.id
  where workouts.id = free.id and (workouts.words, workouts.names) is distinct from (found.vector::tsvector, found.names)
)
{{first_busy}};
