-- When users were where they reported to be, so that no group sees a position from before it was shared with, nor a
-- new member the last one of a member who had stopped sharing before.

set local lock_timeout = '5s';

alter table trackers add column determined_at timestamptz;

comment on column trackers.determined_at is
'When the user was at the position, by the service''s clock and as far as is known; never later than received_at. Null '
'with the position.';

-- As positions that arrive from now on are judged.
update trackers
set
  determined_at
  = case when received_at - recorded_at <= interval '1 minute' then received_at else recorded_at end
where recorded_at is not null;

alter table memberships add column last_kept_at timestamptz;

comment on column memberships.last_kept_at is
'When the member stopped sharing and the last position was kept: members who joined later do not see it. Null if there '
'is none.';

-- When it was is not known, but not before.
update memberships set last_kept_at = last_recorded_at where last_recorded_at is not null;

comment on column memberships.shared_since is
'Since when the group sees the current position: where that is from before, it sees the last one of this row; null '
'when the member does not share with the group.';
