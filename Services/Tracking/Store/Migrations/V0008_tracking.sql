-- Groups and their members as identity reported them, the state of each member in each group, positions, journeys with
-- their paths, and what changed in each group.

create table groups (
  id uuid not null,
  name text not null default '',
  sequence bigint not null default 0,
  constraint groups_pkey primary key (id),
  constraint groups_sequence_positive check (sequence >= 0)
);

comment on table groups is
'Groups with members. What changes something that the members see locks the row and takes the next numbers, so that '
'the changes of a group are committed in the order of their numbers, without gaps.';
comment on column groups.id is 'As identity calls it.';
comment on column groups.name is 'As identity reported it; empty until then.';
comment on column groups.sequence is 'The number of the last change of group_changes.';

create table memberships (
  group_id uuid not null,
  user_id uuid not null,
  membership_id uuid not null,
  joined_at timestamptz not null,
  state text not null default 'INACTIVE',
  warnings integer not null default 0,
  shared_since timestamptz,
  last_latitude double precision,
  last_longitude double precision,
  last_accuracy_m double precision,
  last_altitude_m double precision,
  last_speed_mps double precision,
  last_course double precision,
  last_recorded_at timestamptz,
  constraint memberships_pkey primary key (group_id, user_id),
  constraint memberships_group_fkey foreign key (group_id) references groups (id),
  constraint memberships_state_known check (state in ('INACTIVE', 'ACTIVE', 'ROUTING', 'WARNING', 'SOS')),
  constraint memberships_warned check ((warnings <> 0) = (state = 'WARNING')),
  constraint memberships_warnings_known check (warnings between 0 and 7),
  constraint memberships_shared check (shared_since is not null or state = 'INACTIVE'),
  constraint memberships_last_whole check (
    (last_latitude is null) = (last_longitude is null) and (last_latitude is null) = (last_recorded_at is null)
  )
);

create index memberships_user_idx on memberships (user_id, group_id);

comment on table memberships is
'Members of groups, who accepted the invitation (ID-43), and what each group sees of each (TR-1 to TR-10). A change of '
'a member''s state locks the row of trackers before.';
comment on column memberships.group_id is 'The group.';
comment on column memberships.user_id is 'The member.';
comment on column memberships.membership_id is 'Identity''s id of it; one that joins again has another.';
comment on column memberships.joined_at is 'When the user became a member.';
comment on column memberships.state is 'INACTIVE, ACTIVE, ROUTING, WARNING or SOS.';
comment on column memberships.warnings is 'With WARNING why, as a sum: 1 offline, 2 standing still, 4 late.';
comment on column memberships.shared_since is
'Since when the group sees the current position: where that was received before, it sees the last one of this row; '
'null when the member does not share with the group.';
comment on column memberships.last_latitude is
'Degrees of the last position that the group saw before the member stopped sharing; null if there is none.';
comment on column memberships.last_longitude is 'Degrees.';
comment on column memberships.last_accuracy_m is 'Metres; null when unknown.';
comment on column memberships.last_altitude_m is 'Metres; null when unknown.';
comment on column memberships.last_speed_mps is 'Metres per second; null when unknown.';
comment on column memberships.last_course is 'Degrees from true north; null when unknown.';
comment on column memberships.last_recorded_at is 'When the member was there.';

create table journeys (
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text,
  latitude double precision,
  longitude double precision,
  arrival_at timestamptz,
  mode text,
  constraint journeys_pkey primary key (id),
  constraint journeys_kind_known check (kind in ('JOURNEY', 'SOS')),
  constraint journeys_mode_known check (mode in ('WALKING', 'CYCLING', 'DRIVING', 'TRANSIT')),
  constraint journeys_outcome_known check (outcome in ('ON_TIME', 'LATE', 'STOPPED', 'SOS')),
  constraint journeys_ended_whole check ((ended_at is null) = (outcome is null)),
  constraint journeys_destined check (
    (kind = 'JOURNEY') = (latitude is not null) and (kind = 'JOURNEY') = (longitude is not null)
    and (kind = 'JOURNEY') = (arrival_at is not null) and (kind = 'JOURNEY') = (mode is not null)
  )
);

create unique index journeys_one_open_idx on journeys (user_id) where ended_at is null;
create index journeys_user_idx on journeys (user_id, id);

comment on table journeys is
'Journeys (TR-6) and SOS alerts (TR-5), which both record the path. A user has one at a time.';
comment on column journeys.id is 'UUIDv7, made by the service.';
comment on column journeys.user_id is 'Who is on it.';
comment on column journeys.kind is 'JOURNEY or SOS.';
comment on column journeys.started_at is 'When it began.';
comment on column journeys.ended_at is 'When it ended: for an arrival the time of the position; null before.';
comment on column journeys.outcome is 'ON_TIME, LATE, STOPPED, or SOS for a journey that an alert ended; null before.';
comment on column journeys.latitude is 'Degrees of the destination; null for an alert.';
comment on column journeys.longitude is 'Degrees of the destination; null for an alert.';
comment on column journeys.arrival_at is 'The promised time of arrival; null for an alert.';
comment on column journeys.mode is 'WALKING, CYCLING, DRIVING or TRANSIT; null for an alert.';

create table journey_groups (
  journey_id uuid not null,
  group_id uuid not null,
  constraint journey_groups_pkey primary key (journey_id, group_id),
  constraint journey_groups_journey_fkey foreign key (journey_id) references journeys (id) on delete cascade
);

create index journey_groups_group_idx on journey_groups (group_id);

comment on table journey_groups is 'Which groups see a journey or an alert, as far as they exist.';
comment on column journey_groups.journey_id is 'The journey or alert.';
comment on column journey_groups.group_id is 'The group, whose members see it.';

create table trackers (
  user_id uuid not null,
  latitude double precision,
  longitude double precision,
  accuracy_m double precision,
  altitude_m double precision,
  speed_mps double precision,
  course double precision,
  recorded_at timestamptz,
  received_at timestamptz,
  heard_at timestamptz,
  is_silent boolean not null default true,
  is_standing boolean not null default false,
  trail bytea not null default '',
  suspect bytea not null default '',
  journey_id uuid,
  check_at timestamptz,
  retention_days integer not null default 30,
  constraint trackers_pkey primary key (user_id),
  constraint trackers_journey_fkey foreign key (journey_id) references journeys (id),
  constraint trackers_position_whole check (
    (latitude is null) = (longitude is null) and (latitude is null) = (recorded_at is null)
    and (latitude is null) = (received_at is null)
  ),
  constraint trackers_retention_allowed check (retention_days between 1 and 365)
) with (fillfactor = 50);

create index trackers_check_idx on trackers (check_at) where check_at is not null;
create index trackers_journey_idx on trackers (journey_id) where journey_id is not null;

comment on table trackers is
'The current position of each user who has shared one. What changes anything of a user''s locks this row first, '
'users in '
'the order of their ids. No column with an index changes with a position, so that updates stay in their page.';
comment on column trackers.user_id is 'The user.';
comment on column trackers.latitude is 'Degrees; null before the first position and after the retention time.';
comment on column trackers.longitude is 'Degrees.';
comment on column trackers.accuracy_m is 'Metres; null when unknown.';
comment on column trackers.altitude_m is 'Metres; null when unknown.';
comment on column trackers.speed_mps is 'Metres per second; null when unknown.';
comment on column trackers.course is 'Degrees from true north; null when unknown.';
comment on column trackers.recorded_at is 'When the user was there, by the device.';
comment on column trackers.received_at is 'When it arrived.';
comment on column trackers.heard_at is 'When the user last reported a position that could be used, or began a journey.';
comment on column trackers.is_silent is 'Whether the silence since the last position was noticed (TR-10).';
comment on column trackers.is_standing is 'Whether the current stop was noticed (TR-8).';
comment on column trackers.trail is
'On a journey the last positions, by which a stop is noticed, as TrailPoint packs them.';
comment on column trackers.suspect is
'The last position that was too far away, as TrailPoint packs it; empty if none.';
comment on column trackers.journey_id is 'The journey or alert that is in progress; null if none.';
comment on column trackers.check_at is
'When to look next whether something is due: silence, a stop, or the promised time. It may be earlier than necessary, '
'but never later; null if nothing can be due.';
comment on column trackers.retention_days is 'After how many days positions and paths are deleted (TR-13).';

create table path_points (
  user_id uuid not null,
  recorded_at timestamptz not null,
  latitude double precision not null,
  longitude double precision not null,
  accuracy_m double precision,
  altitude_m double precision,
  speed_mps double precision,
  course double precision,
  constraint path_points_pkey primary key (user_id, recorded_at)
) partition by range (recorded_at);

comment on table path_points is
'Where users were on journeys and in SOS (TR-11): of a journey the points between its beginning and end. '
'Partitions hold '
'a day each.';
comment on column path_points.user_id is 'The user.';
comment on column path_points.recorded_at is 'When the user was there, by the device.';
comment on column path_points.latitude is 'Degrees.';
comment on column path_points.longitude is 'Degrees.';
comment on column path_points.accuracy_m is 'Metres; null when unknown.';
comment on column path_points.altitude_m is 'Metres; null when unknown.';
comment on column path_points.speed_mps is 'Metres per second; null when unknown.';
comment on column path_points.course is 'Degrees from true north; null when unknown.';

create table group_changes (
  group_id uuid not null,
  sequence bigint not null,
  changed_at timestamptz not null,
  user_id uuid not null,
  kind text not null,
  state text not null,
  warnings integer not null default 0,
  latitude double precision,
  longitude double precision,
  accuracy_m double precision,
  altitude_m double precision,
  speed_mps double precision,
  course double precision,
  recorded_at timestamptz,
  journey_id uuid,
  constraint group_changes_pkey primary key (group_id, sequence, changed_at),
  constraint group_changes_kind_known check (kind in ('POSITION', 'STATE', 'JOINED', 'LEFT')),
  constraint group_changes_state_known check (state in ('INACTIVE', 'ACTIVE', 'ROUTING', 'WARNING', 'SOS'))
) partition by range (changed_at);

create index group_changes_user_idx on group_changes (user_id, changed_at);

comment on table group_changes is
'What the members of a group saw change, in the order of the numbers (TR-4). Kept for two days: a viewer that was away '
'for longer gets a snapshot. Partitions hold a day each.';
comment on column group_changes.group_id is 'The group.';
comment on column group_changes.sequence is 'Counts the changes of the group, from 1 and without gaps.';
comment on column group_changes.changed_at is 'When it was stored.';
comment on column group_changes.user_id is 'The member.';
comment on column group_changes.kind is
'POSITION: only the position changed; STATE: the state, too, or something of a journey; JOINED or LEFT: the '
'membership.';
comment on column group_changes.state is 'The state after it.';
comment on column group_changes.warnings is 'As in memberships.';
comment on column group_changes.latitude is 'Degrees of the position that the group sees after it; null if none.';
comment on column group_changes.longitude is 'Degrees.';
comment on column group_changes.accuracy_m is 'Metres; null when unknown.';
comment on column group_changes.altitude_m is 'Metres; null when unknown.';
comment on column group_changes.speed_mps is 'Metres per second; null when unknown.';
comment on column group_changes.course is 'Degrees from true north; null when unknown.';
comment on column group_changes.recorded_at is 'When the user was there.';
comment on column group_changes.journey_id is 'The journey or alert that the group sees the member on; null if none.';

create table uptime (
  id boolean not null default true,
  serving_since timestamptz not null,
  seen_at timestamptz not null,
  constraint uptime_pkey primary key (id),
  constraint uptime_single check (id)
);

comment on table uptime is
'Since when positions could arrive, in one row: users are not silent while the service is down (TR-10).';
comment on column uptime.id is 'Always true.';
comment on column uptime.serving_since is 'When a replica began to serve after none did.';
comment on column uptime.seen_at is 'When a replica last said that it serves.';

-- Makes the partition of a day, unless it is there. Attaching one blocks neither readers nor writers of the others.
create function make_partition(parent text, day date) returns void language plpgsql as $$
declare
  partition text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions of ' || parent, 0));
  if to_regclass(partition) is not null then
    return;
  end if;
  execute format('create table %I (like %I including all)', partition, parent);
  execute format(
    'alter table %I attach partition %I for values from (%L) to (%L)', parent, partition,
    day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end;
$$;

comment on function make_partition(text, date) is 'Makes the partition of a day in UTC, unless it is there.';
