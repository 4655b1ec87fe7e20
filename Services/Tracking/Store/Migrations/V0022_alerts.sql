-- How many members were notified of an alert; the mark of members who are offline in SOS; what is known of phones'
-- clocks.
--
-- Memberships are few enough to be looked at while writers wait.
-- squawk-ignore-file constraint-missing-not-valid, ban-drop-constraint

set local lock_timeout = '5s';

alter table journeys add column alerted_count integer not null default 0;

comment on column journeys.alerted_count is
'How many members were notified of an alert, each once; 0 for a journey.';

-- What is there fits both.
-- squawk-ignore ban-drop-constraint
alter table memberships drop constraint memberships_warned;
-- squawk-ignore constraint-missing-not-valid
alter table memberships add constraint memberships_warned check (
  (warnings <> 0) = (state = 'WARNING') or (state = 'SOS' and warnings = 1)
);

comment on column memberships.warnings is
'With WARNING why, as a sum: 1 offline, 2 standing still, 4 late; in SOS 1 while the member is offline.';

alter table trackers add column phone_clock bytea not null default '';

comment on column trackers.phone_clock is
'What is known of the clock of the phone, as PhoneClock is packed; empty while nothing is.';

comment on column trackers.phone_started_at is 'Not used any more.';
comment on column trackers.recorded_at is
'When the user was there: by the device, or as its clock was found to be wrong.';
