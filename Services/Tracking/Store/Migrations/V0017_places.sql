-- Places that users name, of which groups are told; estimates of when journeys end; by what a report is known that
-- arrives again.
-- The tables that change are new with this release: nothing is scanned.
--
-- squawk-ignore-file constraint-missing-not-valid, ban-drop-constraint

set local lock_timeout = '5s';

create table places (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m double precision not null,
  created_at timestamptz not null,
  since timestamptz not null,
  revision bigint not null default 1,
  presence text not null default 'UNKNOWN',
  leaving_since timestamptz,
  constraint places_pkey primary key (id),
  constraint places_on_earth check (latitude between -90 and 90 and longitude between -180 and 180),
  constraint places_radius_allowed check (radius_m between 50 and 20000),
  constraint places_presence_known check (presence in ('UNKNOWN', 'OUTSIDE', 'INSIDE', 'LEAVING')),
  constraint places_leaving check ((presence = 'LEAVING') = (leaving_since is not null))
);

create index places_user_idx on places (user_id, id);

comment on table places is
'Places that users named, and whether each user is at theirs. What changes a place locks the user''s row of trackers '
'before, as positions do, so that each arrival and departure is noticed once.';
comment on column places.id is 'UUIDv7, made by the service.';
comment on column places.user_id is 'Who named it; no other user sees where it is.';
comment on column places.name is 'What the user calls it; groups that are told of it see this.';
comment on column places.latitude is 'Degrees of the middle.';
comment on column places.longitude is 'Degrees of the middle.';
comment on column places.radius_m is 'Metres.';
comment on column places.created_at is 'When it was created.';
comment on column places.since is 'Since when it is this circle: positions from before it decide nothing.';
comment on column places.revision is 'Counts the changes by the user, from 1.';
comment on column places.presence is
'UNKNOWN until a position says it; OUTSIDE; INSIDE; LEAVING: a position was outside, and others have to be, too.';
comment on column places.leaving_since is 'When LEAVING, the time of the first position outside.';

create table place_groups (
  place_id uuid not null,
  user_id uuid not null,
  group_id uuid not null,
  constraint place_groups_pkey primary key (place_id, group_id),
  constraint place_groups_place_fkey foreign key (place_id) references places (id) on delete cascade,
  constraint place_groups_membership_fkey foreign key (group_id, user_id)
  references memberships (group_id, user_id) on delete cascade
);

create index place_groups_membership_idx on place_groups (group_id, user_id);

comment on table place_groups is
'Which groups are told of arrivals at a place and departures from it. A row goes with the membership.';
comment on column place_groups.place_id is 'The place.';
comment on column place_groups.user_id is 'Whose place it is.';
comment on column place_groups.group_id is 'The group.';

alter table trackers add column place_count integer not null default 0;
alter table trackers add column progress bytea not null default '';
alter table trackers add column estimated_at timestamptz;
alter table trackers add column recent_reports bytea not null default '';
-- squawk-ignore constraint-missing-not-valid
alter table trackers add constraint trackers_place_count_allowed check (place_count between 0 and 20);

comment on column trackers.place_count is
'How many rows of places the user has: those of users with none are not looked for.';
comment on column trackers.progress is
'On a journey how far the destination was at some moments of the last minutes, as JourneyProgress packs them.';
comment on column trackers.estimated_at is
'When the user arrives if they go on as in the last minutes; null when that cannot be said. It decides nothing.';

comment on column trackers.recent_reports is
'Digests of the last reports, as RecentReports packs them: one that arrives again is counted as such.';

alter table group_changes add column promised_at timestamptz;
alter table group_changes add column estimated_at timestamptz;
alter table group_changes add column place_name text;
-- Two more kinds: what is there keeps its meaning, and the service has not been released with this table.
-- squawk-ignore ban-drop-constraint
alter table group_changes drop constraint group_changes_kind_known;
-- squawk-ignore constraint-missing-not-valid
alter table group_changes add constraint group_changes_kind_known check (
  kind in ('POSITION', 'STATE', 'JOINED', 'LEFT', 'VISIBILITY', 'PLACE_REACHED', 'PLACE_LEFT')
);
-- squawk-ignore constraint-missing-not-valid
alter table group_changes add constraint group_changes_place_named check (
  (kind in ('PLACE_REACHED', 'PLACE_LEFT')) = (place_name is not null)
);

comment on column group_changes.kind is
'POSITION: only the position changed; STATE: the state, too, or something of a journey; JOINED or LEFT: the '
'membership; VISIBILITY: what the member sees of the others, because of a block, and with the id 0 what all members '
'see; PLACE_REACHED or PLACE_LEFT: the member arrived at a place or left it, and nothing else changed.';
comment on column group_changes.recorded_at is 'When the user was there; at a place, when they arrived or left.';
comment on column group_changes.promised_at is 'The promised time of arrival of the journey that the group sees.';
comment on column group_changes.estimated_at is 'As in trackers, after it.';
comment on column group_changes.place_name is 'The name of the place that the member reached or left; null otherwise.';
