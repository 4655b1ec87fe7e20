-- What collections say about exercises, and the exercises that are made of it.

create table exercises (
  id uuid not null,
  name text not null,
  aliases text[] not null,
  category text not null,
  level text not null,
  muscles text[] not null,
  secondary_muscles text[] not null,
  muscle_groups text[] not null,
  targets text[] not null,
  equipment text[] not null,
  instructions text[] not null,
  instructions_source text not null,
  sources text[] not null,
  source_ids text[] not null,
  licenses text[] not null,
  attributions text[] not null,
  images text[] not null,
  image_sources text[] not null,
  words tsvector not null,
  names text not null,
  change bigint not null,
  merged_into uuid,
  constraint exercises_pkey primary key (id),
  constraint exercises_change_key unique (change),
  constraint exercises_merged_fkey foreign key (merged_into) references exercises (id),
  constraint exercises_merged_once check (merged_into <> id),
  constraint exercises_name_present check (name <> ''),
  constraint exercises_sources_complete check (
    cardinality(sources) > 0
    and cardinality(sources) = cardinality(source_ids)
    and cardinality(sources) = cardinality(licenses)
    and cardinality(sources) = cardinality(attributions)
  ),
  constraint exercises_images_complete check (cardinality(images) = cardinality(image_sources))
);

create index exercises_names_order_idx on exercises (names collate "C", id) where merged_into is null;
create index exercises_words_idx on exercises using gin (words) where merged_into is null;
create index exercises_names_idx on exercises using gin (names extensions.gin_trgm_ops) where merged_into is null;
create index exercises_targets_idx on exercises using gin (targets) where merged_into is null;
create index exercises_merged_idx on exercises (merged_into) where merged_into is not null;

comment on table exercises is
'Exercises, each once however many collections have it (CA-10); made anew of exercise_records by every load that '
'changes some.';
comment on column exercises.id is 'UUIDv7; stays when other collections turn out to have the exercise too.';
comment on column exercises.name is 'As the first collection spells it.';
comment on column exercises.aliases is 'Other names, the other collections'' among them.';
comment on column exercises.category is 'STRENGTH for example; empty if no collection says it.';
comment on column exercises.level is 'BEGINNER, INTERMEDIATE or EXPERT; empty if no collection says it.';
comment on column exercises.muscles is 'What it trains in the first place; may be empty.';
comment on column exercises.secondary_muscles is 'What it trains besides.';
comment on column exercises.muscle_groups is 'The groups of its muscles, or what a collection says in their place.';
comment on column exercises.targets is 'Muscles and groups in one list, by which exercises are found.';
comment on column exercises.equipment is 'What it takes; empty if no collection says it.';
comment on column exercises.instructions is 'Step by step, of one collection; may be empty.';
comment on column exercises.instructions_source is 'The collection that the instructions are from; empty without any.';
comment on column exercises.sources is 'The collections that have it; this and the next three columns go together.';
comment on column exercises.source_ids is 'What each of them calls it.';
comment on column exercises.licenses is 'Under which licence each of them publishes it.';
comment on column exercises.attributions is 'Whom that licence wants to be named; empty for nobody.';
comment on column exercises.images is 'Where its pictures are, as the collections say it; they are not fetched.';
comment on column exercises.image_sources is 'The collection that each picture is from.';
comment on column exercises.words is 'The words that are searched, made by the service.';
comment on column exercises.names is 'The words of its names, which misspelt keywords are compared with.';
comment on column exercises.change is
'Goes up with every change of any exercise. Loads change exercises one after the other, so who asks for what is '
'beyond a number misses none (C-11).';
comment on column exercises.merged_into is
'The exercise that it turned out to be; null while it is one of its own. The row stays, so that workouts and clients '
'which have its id find the other.';

create table exercise_records (
  source text not null,
  source_id text not null,
  name text not null,
  aliases text[] not null,
  category text not null,
  level text not null,
  muscles text[] not null,
  secondary_muscles text[] not null,
  muscle_groups text[] not null,
  equipment text[] not null,
  instructions text[] not null,
  images text[] not null,
  license text not null,
  attribution text not null,
  exercise_id uuid,
  constraint exercise_records_pkey primary key (source, source_id),
  constraint exercise_records_exercise_fkey foreign key (exercise_id) references exercises (id)
);

create index exercise_records_exercise_idx on exercise_records (exercise_id);

comment on table exercise_records is 'What collections of exercises say, loaded from files (CA-5).';
comment on column exercise_records.source is 'The collection, wger for example.';
comment on column exercise_records.source_id is 'What the collection calls the record.';
comment on column exercise_records.name is 'As the collection spells it.';
comment on column exercise_records.aliases is 'Other names.';
comment on column exercise_records.category is 'In the catalog''s own words; empty if the record does not say.';
comment on column exercise_records.level is 'In the catalog''s own words; empty if the record does not say.';
comment on column exercise_records.muscles is 'In the catalog''s own words, those that are trained in the first place.';
comment on column exercise_records.secondary_muscles is 'Those that are trained besides.';
comment on column exercise_records.muscle_groups is 'What the collection says where it names no muscle.';
comment on column exercise_records.equipment is 'In the catalog''s own words.';
comment on column exercise_records.instructions is 'Step by step, as plain text.';
comment on column exercise_records.images is 'Where its pictures are, as the collection says it.';
comment on column exercise_records.license is 'Under which licence the record is published.';
comment on column exercise_records.attribution is 'Whom that licence wants to be named; may be empty.';
comment on column exercise_records.exercise_id is 'The exercise that the record is about; null only within a load.';

-- As similar_books, for exercises that any of the filters may leave out afterwards: there are some thousands of them.
create function similar_exercises(keywords text[], queries text[])
returns table (id uuid, score double precision)
language sql stable
set "pg_trgm.word_similarity_threshold" = '0.3'
as $$
  with near as (
    select distinct found.id
    from unnest(keywords) as keyword (word)
    cross join lateral (
      select exercises.id from exercises
      where exercises.merged_into is null and exercises.names operator(extensions.%>) keyword.word
      limit 2000
    ) as found
  )
  select exercises.id, rated.score
  from near
  join exercises on exercises.id = near.id
  cross join lateral (
    select bool_and(judged.occurs or judged.is_like) as fits, avg(
      case
        when judged.occurs then 1 else extensions.word_similarity(judged.word, exercises.names)
      end
    )::double precision as score
    from (
      select keyword.word, exercises.words @@ keyword.query::tsquery as occurs, exists (
        select from unnest(string_to_array(exercises.names, ' ')) as name (word)
        where extensions.levenshtein_less_equal(keyword.word, name.word, 2)
          <= case when char_length(keyword.word) < 4 then 1 else 2 end
      ) as is_like
      from unnest(keywords, queries) as keyword (word, query)
    ) as judged
  ) as rated
  where rated.fits
$$;

comment on function similar_exercises is
'Exercises of which every keyword occurs, or is a word of a name but for two letters, with a score up to 1 (CA-10).';
