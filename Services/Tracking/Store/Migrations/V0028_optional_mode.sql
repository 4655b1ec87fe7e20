-- A journey may say nothing of how its user travels (TR-6); an alert still never does.
--
-- Every row fits: less is asked than before. Journeys are few enough to be looked at while writers wait.
-- squawk-ignore-file constraint-missing-not-valid, ban-drop-constraint

set local lock_timeout = '5s';

alter table journeys drop constraint journeys_destined;
alter table journeys add constraint journeys_destined check (
  (kind = 'JOURNEY') = (latitude is not null) and (kind = 'JOURNEY') = (longitude is not null)
  and (kind = 'JOURNEY') = (arrival_at is not null) and (kind = 'JOURNEY' or mode is null)
);

comment on column journeys.mode is 'How the user travels; null if they did not say, and for an alert.';
