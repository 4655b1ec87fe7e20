-- How much of what each user does others were notified of lately; and an index of the journeys that a position from
-- some time ago may belong to.
--
-- Journeys are few as yet: building the index keeps writers waiting for seconds at most.
-- squawk-ignore-file require-concurrent-index-creation

set local lock_timeout = '5s';

create table news_quotas (
  user_id uuid not null,
  began_at timestamptz not null,
  journeys integer not null,
  alerts integer not null,
  stops integer not null,
  visits integer not null,
  constraint news_quotas_pkey primary key (user_id),
  constraint news_quotas_counted check (journeys >= 0 and alerts >= 0 and stops >= 0 and visits >= 0)
);

create index news_quotas_began_idx on news_quotas (began_at);

comment on table news_quotas is
'What users began within an hour, or others were to be notified of, so that one cannot flood the members of their '
'groups with notifications. Changed by who has locked the user''s row of trackers.';
comment on column news_quotas.user_id is 'The user.';
comment on column news_quotas.began_at is 'When the first of it was counted.';
comment on column news_quotas.journeys is 'Journeys that were started.';
comment on column news_quotas.alerts is 'SOS alerts that were triggered.';
comment on column news_quotas.stops is 'Stops on journeys that were noticed.';
comment on column news_quotas.visits is 'Arrivals at places and departures from them.';

create index journeys_ended_idx on journeys (user_id, ended_at) where ended_at is not null;
