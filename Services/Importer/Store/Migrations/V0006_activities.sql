create table activities (
  id uuid not null,
  user_id uuid not null,
  sport text not null,
  started_at timestamptz not null,
  time_zone text not null,
  duration_s double precision not null,
  moving_s double precision,
  distance_m double precision,
  energy_kcal double precision,
  heart_rate_avg_bpm double precision,
  heart_rate_max_bpm double precision,
  ascent_m double precision,
  elevation_source text,
  title text not null,
  updated_at timestamptz not null,
  constraint activities_pkey primary key (id),
  constraint activities_sport_known check (
    sport in ('OTHER', 'RUN', 'RIDE', 'WALK', 'HIKE', 'SWIM', 'ROW', 'SKI', 'STRENGTH', 'YOGA')
  ),
  constraint activities_elevation_source_known check (elevation_source in ('barometer', 'gps', 'provider')),
  constraint activities_duration_positive check (duration_s >= 0)
);

create index activities_user_start_idx on activities (user_id, started_at, id)
include (sport, duration_s, distance_m, energy_kcal, ascent_m);

comment on table activities is 'What users did, each once, with the figures of its sources together (IM-7, IM-8).';
comment on column activities.id is 'UUIDv7, made by the service.';
comment on column activities.user_id is 'The user who performed it.';
comment on column activities.sport is 'OTHER, RUN, RIDE, WALK, HIKE, SWIM, ROW, SKI, STRENGTH or YOGA.';
comment on column activities.started_at is 'When it started.';
comment on column activities.time_zone is 'IANA name of the zone of the start, or an offset such as +02:00.';
comment on column activities.duration_s is 'From start to end, in seconds.';
comment on column activities.moving_s is 'Time in motion, in seconds; null if unknown.';
comment on column activities.distance_m is 'In metres; null if unknown.';
comment on column activities.energy_kcal is 'In kilocalories; null if unknown.';
comment on column activities.heart_rate_avg_bpm is 'Beats per minute, averaged over time; null if unknown.';
comment on column activities.heart_rate_max_bpm is 'Beats per minute; null if unknown.';
comment on column activities.ascent_m is 'Metres climbed; null if unknown.';
comment on column activities.elevation_source is
'barometer, gps or provider: where heights come from; null if unknown.';
comment on column activities.title is 'Its name as a source has it; empty if none has.';
comment on column activities.updated_at is 'When its figures or sources last changed.';

create table activity_sources (
  id uuid not null,
  activity_id uuid not null,
  user_id uuid not null,
  provider text not null,
  external_id text not null,
  import_id uuid,
  digest bytea not null,
  sport text not null,
  started_at timestamptz not null,
  time_zone text not null,
  duration_s double precision not null,
  moving_s double precision,
  distance_m double precision,
  energy_kcal double precision,
  heart_rate_avg_bpm double precision,
  heart_rate_max_bpm double precision,
  ascent_m double precision,
  elevation_source text,
  title text not null,
  device text not null,
  position_count integer not null,
  sample_count integer not null,
  trace bytea not null,
  outline bytea not null,
  track bytea,
  raw text,
  stored_at timestamptz not null,
  constraint activity_sources_pkey primary key (id),
  constraint activity_sources_external_key unique (user_id, provider, external_id),
  constraint activity_sources_activity_fkey foreign key (activity_id) references activities (id) on delete cascade,
  constraint activity_sources_sport_known check (
    sport in ('OTHER', 'RUN', 'RIDE', 'WALK', 'HIKE', 'SWIM', 'ROW', 'SKI', 'STRENGTH', 'YOGA')
  ),
  constraint activity_sources_elevation_known check (elevation_source in ('barometer', 'gps', 'provider')),
  constraint activity_sources_duration_positive check (duration_s >= 0)
);

create index activity_sources_activity_idx on activity_sources (activity_id);
create index activity_sources_start_idx on activity_sources (user_id, started_at);
-- Tracks are compressed differences already.
alter table activity_sources alter column track set storage external;

comment on table activity_sources is
'Reports of activities by providers and files, kept apart to be split and deleted (IM-8).';
comment on column activity_sources.id is 'UUIDv7, made by the service.';
comment on column activity_sources.activity_id is 'The activity that it reports.';
comment on column activity_sources.user_id is 'The user who performed it.';
comment on column activity_sources.provider is 'The provider, for example strava; file for uploaded files.';
comment on column activity_sources.external_id is 'The provider''s id of it; for files a digest of the record.';
comment on column activity_sources.import_id is 'The import that brought it last; null if none is recorded.';
comment on column activity_sources.digest is 'SHA-256 of the record: the same record again changes nothing.';
comment on column activity_sources.sport is 'As in activities, by this source.';
comment on column activity_sources.started_at is 'When it started, by this source.';
comment on column activity_sources.time_zone is 'IANA name of the zone of the start, or an offset such as +02:00.';
comment on column activity_sources.duration_s is 'From start to end, in seconds.';
comment on column activity_sources.moving_s is 'Time in motion, in seconds; null if unknown.';
comment on column activity_sources.distance_m is 'In metres; null if unknown.';
comment on column activity_sources.energy_kcal is 'In kilocalories; null if unknown.';
comment on column activity_sources.heart_rate_avg_bpm is 'Beats per minute, averaged over time; null if unknown.';
comment on column activity_sources.heart_rate_max_bpm is 'Beats per minute; null if unknown.';
comment on column activity_sources.ascent_m is 'Metres climbed; null if unknown.';
comment on column activity_sources.elevation_source is 'barometer, gps or provider; null if unknown.';
comment on column activity_sources.title is 'Its name in this source; empty if it has none.';
comment on column activity_sources.device is 'Recording device or program; empty if unknown.';
comment on column activity_sources.position_count is 'Samples with a position.';
comment on column activity_sources.sample_count is 'Samples of the track.';
comment on column activity_sources.trace is
'At most 256 positions over time, to recognise the same outing; encoded like track.';
comment on column activity_sources.outline is 'The simplified track, at most 500 points; encoded like track.';
comment on column activity_sources.track is 'All samples, encoded by TrackCodec; null without any.';
comment on column activity_sources.raw is 'What the source says beyond the model, as JSON; null if nothing.';
comment on column activity_sources.stored_at is 'When it was stored or last changed.';

create table best_efforts (
  source_id uuid not null,
  distance_m double precision not null,
  duration_s double precision not null,
  constraint best_efforts_pkey primary key (source_id, distance_m),
  constraint best_efforts_source_fkey foreign key (source_id) references activity_sources (id) on delete cascade,
  constraint best_efforts_positive check (distance_m > 0 and duration_s > 0)
);

comment on table best_efforts is
'The least times over set distances within a source''s track, for personal records (IM-11).';
comment on column best_efforts.source_id is 'The source.';
comment on column best_efforts.distance_m is 'The distance, in metres.';
comment on column best_efforts.duration_s is 'The least time over it, in seconds.';

create table daily_steps (
  user_id uuid not null,
  day date not null,
  provider text not null,
  steps bigint not null,
  stored_at timestamptz not null,
  constraint daily_steps_pkey primary key (user_id, day, provider),
  constraint daily_steps_not_negative check (steps >= 0)
);

comment on table daily_steps is
'Steps of days, by provider; of several providers the one with most counts (IM-7, IM-8).';
comment on column daily_steps.user_id is 'Whose steps.';
comment on column daily_steps.day is 'The day in the user''s own calendar.';
comment on column daily_steps.provider is 'The provider that counted; file for uploaded files.';
comment on column daily_steps.steps is 'Number of steps.';
comment on column daily_steps.stored_at is 'When they were stored or last changed.';

create table sleeps (
  user_id uuid not null,
  provider text not null,
  external_id text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  time_zone text not null,
  asleep_s double precision not null,
  raw text,
  stored_at timestamptz not null,
  constraint sleeps_pkey primary key (user_id, provider, external_id),
  constraint sleeps_in_order check (started_at <= ended_at),
  constraint sleeps_asleep_not_negative check (asleep_s >= 0)
);

create index sleeps_user_end_idx on sleeps (user_id, ended_at);

comment on table sleeps is
'Nights and naps, by provider; of several providers the one with most sleep in a day counts (IM-7, IM-8).';
comment on column sleeps.user_id is 'Whose sleep.';
comment on column sleeps.provider is 'The provider that measured; file for uploaded files.';
comment on column sleeps.external_id is 'The provider''s id of it; for files its start.';
comment on column sleeps.started_at is 'When it began.';
comment on column sleeps.ended_at is 'When it ended.';
comment on column sleeps.time_zone is 'IANA name of the zone, or an offset such as +02:00.';
comment on column sleeps.asleep_s is 'Time asleep, in seconds.';
comment on column sleeps.raw is 'What the source says beyond the model, as JSON; null if nothing.';
comment on column sleeps.stored_at is 'When it was stored or last changed.';

create table weights (
  user_id uuid not null,
  measured_at timestamptz not null,
  provider text not null,
  weight_kg double precision not null,
  stored_at timestamptz not null,
  constraint weights_pkey primary key (user_id, measured_at, provider),
  constraint weights_positive check (weight_kg > 0)
);

comment on table weights is 'Weighings, by provider (IM-7).';
comment on column weights.user_id is 'Whose weight.';
comment on column weights.measured_at is 'When it was measured.';
comment on column weights.provider is 'The provider that measured; file for uploaded files.';
comment on column weights.weight_kg is 'In kilograms.';
comment on column weights.stored_at is 'When it was stored or last changed.';

create table file_imports (
  id uuid not null,
  user_id uuid not null,
  state text not null,
  format text not null,
  new_activities integer not null,
  merged_activities integer not null,
  known_activities integer not null,
  step_days integer not null,
  sleep_count integer not null,
  weight_count integer not null,
  fault_message text,
  fault_offset bigint,
  fault_line bigint,
  fault_member text,
  activity_ids uuid[] not null,
  started_at timestamptz not null,
  constraint file_imports_pkey primary key (id),
  constraint file_imports_state_known check (state in ('RUNNING', 'DONE', 'FAILED')),
  constraint file_imports_fault_whole check (
    (fault_message is null) = (fault_offset is null)
    and (fault_message is null) = (fault_line is null)
    and (fault_message is null) = (fault_member is null)
  )
);

create index file_imports_user_idx on file_imports (user_id, id);
create index file_imports_started_idx on file_imports (started_at);

comment on table file_imports is 'Imports of uploaded files, also of those that failed (IM-10).';
comment on column file_imports.id is 'UUIDv7, made by the service: later imports have greater ids.';
comment on column file_imports.user_id is 'Who uploaded it.';
comment on column file_imports.state is
'RUNNING, then DONE or FAILED; one that the service left RUNNING was interrupted.';
comment on column file_imports.format is 'gpx, tcx, fit, apple-health or takeout; empty while unknown.';
comment on column file_imports.new_activities is 'Activities that were not known before.';
comment on column file_imports.merged_activities is 'Activities that became another source of a known one.';
comment on column file_imports.known_activities is 'Activities that were known from the same source.';
comment on column file_imports.step_days is 'Days with steps.';
comment on column file_imports.sleep_count is 'Nights and naps.';
comment on column file_imports.weight_count is 'Weighings.';
comment on column file_imports.fault_message is 'What is wrong with the file; null if nothing.';
comment on column file_imports.fault_offset is 'The byte at which it is, from 0.';
comment on column file_imports.fault_line is 'The line at which it is, from 1; 0 for formats without lines.';
comment on column file_imports.fault_member is 'The member of an archive in which it is; empty otherwise.';
comment on column file_imports.activity_ids is 'The activities of the file, the first 100 of them.';
comment on column file_imports.started_at is 'When the upload began.';
