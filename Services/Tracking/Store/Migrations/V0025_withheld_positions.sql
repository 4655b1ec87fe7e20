-- Positions that are reported to some of the groups that a user shares with (TR-2).
--
-- No row has a value in the new columns yet.
-- squawk-ignore-file constraint-missing-not-valid

set local lock_timeout = '5s';

alter table memberships add column withheld_since timestamptz;
alter table memberships add constraint memberships_withheld check (withheld_since is null or shared_since is not null);

comment on column memberships.withheld_since is
'When a position was last reported to the group, where later ones were reported to other groups alone: it sees the '
'last one of this row. Null when it sees the current one, or the member does not share with it.';

alter table path_points add column group_ids uuid[];

comment on column path_points.group_ids is
'The groups that it was reported to, as far as they saw the journey; null for all.';

alter table place_groups add column presence text;
alter table place_groups add column leaving_since timestamptz;
alter table place_groups add constraint place_groups_presence_known check (
  presence in ('UNKNOWN', 'OUTSIDE', 'INSIDE', 'LEAVING')
);
alter table place_groups add constraint place_groups_leaving check (
  coalesce(presence = 'LEAVING', false) = (leaving_since is not null)
);

comment on column place_groups.presence is
'Where the group knows the user to be, if it did not see the positions by which places.presence is otherwise; null if '
'not.';
comment on column place_groups.leaving_since is 'When LEAVING, the time of the first position outside.';
