-- Sessions that are posted again every week.

create table repetitions (
  id uuid not null,
  user_id uuid not null,
  place smallint not null,
  session_id uuid not null,
  gym_id uuid not null,
  gym_name text not null,
  gym_latitude double precision not null,
  gym_longitude double precision not null,
  time_zone text not null,
  focus text not null,
  level text not null,
  admitted smallint not null,
  minute_of_day smallint not null,
  length_s integer not null,
  next_day date not null,
  until_day date,
  created_at timestamptz not null,
  constraint repetitions_pkey primary key (id),
  constraint repetitions_place_key unique (user_id, place),
  constraint repetitions_session_key unique (session_id),
  constraint repetitions_user_fkey foreign key (user_id) references users (id),
  constraint repetitions_session_fkey foreign key (session_id) references sessions (id),
  constraint repetitions_place_limit check (place between 1 and 20),
  constraint repetitions_minute_range check (minute_of_day between 0 and 1439),
  constraint repetitions_length_range check (length_s between 900 and 28800),
  constraint repetitions_until_future check (until_day >= next_day),
  constraint repetitions_admitted_range check (admitted between 1 and 7)
);

comment on table repetitions is
'Sessions that are posted again every week; a user has at most 20, because no place is left.';
comment on column repetitions.id is 'UUIDv7, made by the service.';
comment on column repetitions.user_id is 'The user who posts them.';
comment on column repetitions.place is 'From 1; the lowest that was free.';
comment on column repetitions.session_id is 'The session that was the first.';
comment on column repetitions.gym_id is 'The gym''s id in the catalog.';
comment on column repetitions.gym_name is 'The gym''s name when the first was posted.';
comment on column repetitions.gym_latitude is 'Degrees north, when the first was posted.';
comment on column repetitions.gym_longitude is 'Degrees east, when the first was posted.';
comment on column repetitions.time_zone is 'IANA name of the gym''s zone, in which the time of day stays the same.';
comment on column repetitions.focus is 'What they are about.';
comment on column repetitions.level is 'The user''s level in this focus.';
comment on column repetitions.admitted is 'Genders that the user prefers: the sum of 1 male, 2 female and 4 other.';
comment on column repetitions.minute_of_day is 'When they start, in minutes since midnight in the zone.';
comment on column repetitions.length_s is 'How long they last, in seconds.';
comment on column repetitions.next_day is 'The day, in the zone, of the next one that is not posted.';
comment on column repetitions.until_day is 'The last day on which one may start; null for no end.';
comment on column repetitions.created_at is 'When the repetition was set up.';
