-- Searches that users keep, and of which sessions they were notified.

create table saved_searches (
  id uuid not null,
  user_id uuid not null,
  place smallint not null,
  name text not null,
  gym_id uuid,
  latitude double precision,
  longitude double precision,
  radius_m double precision,
  area extensions.cube,
  max_chord double precision,
  focuses text[] not null,
  genders text[] not null,
  levels text[] not null,
  weekdays smallint not null,
  earliest_minute smallint,
  latest_minute smallint,
  time_zone text,
  created_at timestamptz not null,
  constraint saved_searches_pkey primary key (id),
  constraint saved_searches_place_key unique (user_id, place),
  constraint saved_searches_user_fkey foreign key (user_id) references users (id),
  constraint saved_searches_place_limit check (place between 1 and 20),
  constraint saved_searches_name_length check (char_length(name) between 1 and 80),
  constraint saved_searches_area_whole check (num_nonnulls(latitude, longitude, radius_m, area, max_chord) in (0, 5)),
  constraint saved_searches_one_place check (gym_id is null or area is null),
  constraint saved_searches_weekdays_range check (weekdays between 1 and 127),
  constraint saved_searches_minutes_range check (
    earliest_minute between 0 and 1439 and latest_minute between 0 and 1439
  ),
  constraint saved_searches_minutes_whole check ((earliest_minute is null) = (latest_minute is null)),
  constraint saved_searches_zone_for_times check (
    time_zone is not null or (weekdays = 127 and earliest_minute is null)
  )
);

create index saved_searches_gym_idx on saved_searches (gym_id) where gym_id is not null;
create index saved_searches_area_idx on saved_searches using gist (area extensions.gist_cube_ops)
where area is not null;
create index saved_searches_anywhere_idx on saved_searches (user_id) where gym_id is null and area is null;

comment on table saved_searches is
'Searches that users keep: they are notified of sessions that fit; a user has at most 20, as there are no more '
'places.';
comment on column saved_searches.id is 'UUIDv7, made by the service.';
comment on column saved_searches.user_id is 'The user whose it is.';
comment on column saved_searches.place is 'From 1; the lowest that was free.';
comment on column saved_searches.name is 'As the user calls it.';
comment on column saved_searches.gym_id is 'Only sessions in this gym; null for all.';
comment on column saved_searches.latitude is 'Degrees north of the centre of the area; null without one.';
comment on column saved_searches.longitude is 'Degrees east of the centre of the area; null without one.';
comment on column saved_searches.radius_m is 'Radius of the area in metres; null without one.';
comment on column saved_searches.area is 'A cube around the area, on the unit sphere; null without one.';
comment on column saved_searches.max_chord is 'The radius as the chord of an arc; null without an area.';
comment on column saved_searches.focuses is 'Only sessions of one of these; empty for all.';
comment on column saved_searches.genders is 'Only sessions of owners of these genders; empty for all.';
comment on column saved_searches.levels is 'Only sessions of these levels; empty for all.';
comment on column saved_searches.weekdays is 'The sum of 1 for Monday, 2 for Tuesday, to 64 for Sunday.';
comment on column saved_searches.earliest_minute is
'The first minute of the day at which a session may start; null for all.';
comment on column saved_searches.latest_minute is
'The last minute of the day at which a session may start; before the earliest if the span is over midnight.';
comment on column saved_searches.time_zone is 'IANA name of the zone of days and minutes; null if there are none.';
comment on column saved_searches.created_at is 'When it was saved.';

create table search_notices (
  user_id uuid not null,
  session_id uuid not null,
  starts_at timestamptz not null,
  constraint search_notices_pkey primary key (session_id, user_id),
  constraint search_notices_session_fkey foreign key (session_id) references sessions (id)
);

create index search_notices_user_idx on search_notices (user_id);
create index search_notices_starts_at_idx on search_notices (starts_at);

comment on table search_notices is
'Who was notified of which session because of a saved search: once, however many searches it fits.';
comment on column search_notices.user_id is 'The user who was notified.';
comment on column search_notices.session_id is 'The session.';
comment on column search_notices.starts_at is 'When the session starts: the row means nothing from then on.';
