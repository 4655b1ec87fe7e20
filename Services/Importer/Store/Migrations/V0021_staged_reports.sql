create table staged_reports (
  import_id uuid not null,
  provider text not null,
  external_id text not null,
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
  effort_distances_m double precision[] not null,
  effort_durations_s double precision[] not null,
  staged_at timestamptz not null,
  constraint staged_reports_pkey primary key (import_id, provider, external_id),
  constraint staged_reports_import_fkey foreign key (import_id) references file_imports (id) on delete cascade,
  constraint staged_reports_efforts_whole check (cardinality(effort_distances_m) = cardinality(effort_durations_s))
);

create index staged_reports_start_idx on staged_reports (import_id, started_at, provider, external_id);
create index staged_reports_staged_at on staged_reports (staged_at);
-- Tracks are compressed differences already.
alter table staged_reports alter column track set storage external;

comment on table staged_reports is
'Activities of a long file, ready to be stored, while it is read: no memory grows with it (IM-10).';
comment on column staged_reports.import_id is 'The import that reads the file; what is staged goes with its end.';
comment on column staged_reports.provider is 'As in activity_sources, like all that is not said below.';
comment on column staged_reports.external_id is 'The provider''s id of it; for files a digest of the record.';
comment on column staged_reports.digest is 'SHA-256 of the record.';
comment on column staged_reports.sport is 'As in activities, by this source.';
comment on column staged_reports.started_at is 'When it started, by this source.';
comment on column staged_reports.time_zone is 'IANA name of the zone of the start, or an offset such as +02:00.';
comment on column staged_reports.duration_s is 'From start to end, in seconds.';
comment on column staged_reports.moving_s is 'Time in motion, in seconds; null if unknown.';
comment on column staged_reports.distance_m is 'In metres; null if unknown.';
comment on column staged_reports.energy_kcal is 'In kilocalories; null if unknown.';
comment on column staged_reports.heart_rate_avg_bpm is 'Beats per minute, averaged over time; null if unknown.';
comment on column staged_reports.heart_rate_max_bpm is 'Beats per minute; null if unknown.';
comment on column staged_reports.ascent_m is 'Metres climbed; null if unknown.';
comment on column staged_reports.elevation_source is 'barometer, gps or provider; null if unknown.';
comment on column staged_reports.title is 'Its name in this source; empty if it has none.';
comment on column staged_reports.device is 'Recording device or program; empty if unknown.';
comment on column staged_reports.position_count is 'Samples with a position.';
comment on column staged_reports.sample_count is 'Samples of the track.';
comment on column staged_reports.trace is 'At most 256 positions over time; encoded like track.';
comment on column staged_reports.outline is 'The simplified track, at most 500 points; encoded like track.';
comment on column staged_reports.track is 'All samples, encoded by TrackCodec; null without any.';
comment on column staged_reports.raw is 'What the source says beyond the model, as JSON; null if nothing.';
comment on column staged_reports.effort_distances_m is 'The distances of its best efforts, in metres.';
comment on column staged_reports.effort_durations_s is 'The least times over these, in seconds.';
comment on column staged_reports.staged_at is
'When it was staged: what is left of an import whose process died is removed.';
