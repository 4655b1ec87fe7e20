-- Gyms as files have them, how full they are, and the words by which they are found.

create table gyms (
  id uuid not null,
  source text not null,
  source_id text not null,
  name text not null,
  street text not null,
  house_number text not null,
  postcode text not null,
  city text not null,
  country text not null,
  phone text not null,
  website text not null,
  latitude double precision not null,
  longitude double precision not null,
  place extensions.cube not null generated always as (
    extensions.cube(array[
      cos(radians(latitude)) * cos(radians(longitude)), cos(radians(latitude)) * sin(radians(longitude)),
      sin(radians(latitude))
    ])
  ) stored,
  time_zone text,
  opening_hours text not null,
  capacity integer,
  words tsvector not null,
  constraint gyms_pkey primary key (id),
  constraint gyms_source_key unique (source, source_id),
  constraint gyms_name_present check (name <> ''),
  constraint gyms_latitude_range check (latitude between -90 and 90),
  constraint gyms_longitude_range check (longitude between -180 and 180),
  constraint gyms_time_zone_present check (time_zone <> ''),
  constraint gyms_capacity_range check (capacity between 1 and 100000)
);

create index gyms_place_idx on gyms using gist (place extensions.gist_cube_ops);
create index gyms_words_idx on gyms using gin (words);

comment on table gyms is 'Gyms, loaded from files (CA-5); a gym keeps its id when its file is loaded again.';
comment on column gyms.id is 'UUIDv7, made when it was loaded first.';
comment on column gyms.source is 'The kind of file that it is from, osm-geojson for example.';
comment on column gyms.source_id is 'What the file calls it.';
comment on column gyms.name is 'Never empty.';
comment on column gyms.street is 'The street''s name; may be empty.';
comment on column gyms.house_number is 'The number in the street; may be empty.';
comment on column gyms.postcode is 'As the country spells it; may be empty.';
comment on column gyms.city is 'The town; may be empty.';
comment on column gyms.country is 'ISO 3166-1, two letters; may be empty.';
comment on column gyms.phone is 'May be empty.';
comment on column gyms.website is 'A URL with http or https; may be empty.';
comment on column gyms.latitude is 'Degrees north.';
comment on column gyms.longitude is 'Degrees east.';
comment on column gyms.place is
'The point on the unit sphere. The distance between two is the chord of the way along the surface, and grows with it: '
'so the nearest is found by an index, across poles and the antimeridian (CA-1).';
comment on column gyms.time_zone is
'IANA name of its zone, as the database''s own tables know it; null where nobody knows.';
comment on column gyms.opening_hours is 'In OpenStreetMap''s form; empty where nobody knows.';
comment on column gyms.capacity is 'How many people fit, by the file; null where it does not say.';
comment on column gyms.words is
'The words that are searched, made by the service, weighed by where they stand (CA-2).';

create table gym_usage (
  gym_id uuid not null,
  people integer not null,
  capacity integer,
  observed_at timestamptz not null,
  constraint gym_usage_pkey primary key (gym_id),
  constraint gym_usage_gym_fkey foreign key (gym_id) references gyms (id) on delete cascade,
  constraint gym_usage_people_range check (people between 0 and 100000),
  constraint gym_usage_capacity_range check (capacity between 1 and 100000)
);

comment on table gym_usage is
'The newest report of a gym''s operator about how many people are there (CA-4). Apart from gyms, whose many indexes a '
'report does not touch.';
comment on column gym_usage.gym_id is 'The gym.';
comment on column gym_usage.people is 'How many people were there.';
comment on column gym_usage.capacity is
'How many people fit, as the operator said last; null where only the file says it.';
comment on column gym_usage.observed_at is 'When they were counted.';

create table gym_presences (
  person_id uuid not null,
  gym_id uuid not null,
  checked_in_at timestamptz not null,
  leaves_at timestamptz not null,
  constraint gym_presences_pkey primary key (person_id),
  constraint gym_presences_person_fkey foreign key (person_id) references people (id),
  constraint gym_presences_gym_fkey foreign key (gym_id) references gyms (id) on delete cascade
);

create index gym_presences_gym_idx on gym_presences (gym_id, checked_in_at);
create index gym_presences_checked_in_at_idx on gym_presences (checked_in_at);

comment on table gym_presences is
'Where people checked in last, as matching told; removed when it says nothing any more (CA-4). A person is at one gym '
'at a time.';
comment on column gym_presences.person_id is 'Who checked in.';
comment on column gym_presences.gym_id is 'Where.';
comment on column gym_presences.checked_in_at is 'When.';
comment on column gym_presences.leaves_at is 'When their session ends.';

create table gym_words (
  word text collate "C" not null,
  constraint gym_words_pkey primary key (word),
  constraint gym_words_word_present check (word <> '')
);

create index gym_words_spelling_idx on gym_words using gin (word extensions.gin_trgm_ops) where word !~ '[0-9]';
create index gym_words_shape_idx on gym_words (left(word, 1), char_length(word)) where word !~ '[0-9]';

comment on table gym_words is
'Every word that is or was in gyms.words, once: what begins like a keyword, or is spelt like one, is looked for here '
'and not among all gyms (CA-2).';
comment on column gym_words.word is 'As the service spells words: small, without accents.';

-- A statement of its own for each query, for two reasons. Whether many gyms have the words or few decides if it is
-- faster to go through the table or through the index: either way gyms come as they are stored, and the same ones are
-- the first. And conditions that stand apart are keys of their own to the index, which then reads of a common word's
-- gyms only those near a rare word's; of one tsquery it reads all.
create function gyms_with_words(queries text[], most integer) returns table (id uuid, score double precision)
language plpgsql stable
set synchronize_seqscans = off
set max_parallel_workers_per_gather = 0
as $$
begin
  return query execute format(
    'select candidate.id, ts_rank(''{0.1, 0.1, 0.5, 1}'', candidate.words, %L::tsquery, 1)::double precision
    from (select gyms.id, gyms.words from gyms where %s limit %s) as candidate',
    array_to_string(queries, ' & '),
    (select string_agg(format('gyms.words @@ %L::tsquery', query), ' and ') from unnest(queries) as query),
    most
  );
end
$$;

comment on function gyms_with_words(text[], integer) is
'Gyms that fit every one of some tsqueries, of many the first as they are stored, with how well each does: more is '
'better (CA-2).';

create function zone_changes(zone text, first_moment timestamptz, last_moment timestamptz)
returns table (moment timestamptz, seconds integer)
language plpgsql stable
as $$
begin
  return query
  with steps as (
    select step, extract(epoch from (step at time zone zone) - (step at time zone 'UTC'))::integer as ahead
    from generate_series(first_moment, last_moment, interval '6 hours') as step
  ),
  followed as (select step, ahead, lag(ahead) over (order by step) as before from steps)
  select
    case
      when before is null then step
      else (
        select min(minute) from generate_series(step - interval '6 hours', step, interval '1 minute') as minute
        where extract(epoch from (minute at time zone zone) - (minute at time zone 'UTC'))::integer = ahead
      )
    end, ahead
  from followed
  where before is distinct from ahead
  order by 1;
exception when invalid_parameter_value then
  -- No such zone in this database: nobody knows what its clocks show.
  return;
end
$$;

comment on function zone_changes(text, timestamptz, timestamptz) is
'How far a zone''s clocks are ahead of UTC at a moment, and when that changes until another; nothing for a zone that '
'is none.';
