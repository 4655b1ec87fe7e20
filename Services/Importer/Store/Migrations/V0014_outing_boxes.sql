alter table activities add column split_off boolean not null default false;

comment on column activities.split_off is
'Whether the user took it out of another one, with which it is never joined again (IM-8).';

alter table activity_sources add column south double precision;
alter table activity_sources add column north double precision;
alter table activity_sources add column west double precision;
alter table activity_sources add column east double precision;

comment on column activity_sources.south is
'The least latitude of its trace, in degrees; null without positions, and for sources that were stored before it.';
comment on column activity_sources.north is 'The greatest latitude of its trace.';
comment on column activity_sources.west is
'The least longitude of its trace; -180 for one on both sides of the antimeridian.';
comment on column activity_sources.east is 'The greatest longitude of its trace; 180 for one on both sides of it.';
