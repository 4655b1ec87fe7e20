-- Until when sessions can be joined, what users may have others notified of, and what is kept how long.
--
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation, adding-foreign-key-constraint
-- squawk-ignore-file ban-drop-constraint, ban-drop-not-null, disallowed-unique-constraint

alter table sessions
add column joins_end_at timestamptz,
add column repetition_id uuid,
add column gym_outline double precision[],
add column gym_radius_m double precision;

alter table sessions
add constraint sessions_joins_end_by_start check (joins_end_at <= starts_at),
add constraint sessions_outline_length check (
  array_ndims(gym_outline) = 1 and array_length(gym_outline, 1) between 8 and 128
  and array_length(gym_outline, 1) % 2 = 0
),
add constraint sessions_radius_range check (gym_radius_m > 0 and gym_radius_m <= 500);

create index sessions_open_owner_idx on sessions (owner_id) where state = 'OPEN';
create index sessions_offered_idx on sessions (offered_to) where offered_to is not null;
create index sessions_over_idx on sessions (ends_at) where state not in ('OPEN', 'MATCHED');

comment on column sessions.joins_end_at is
'From when on the session can no longer be joined (MA-15); null for the start, as before there was an end of joins.';
comment on column sessions.gym_outline is
'The outline of the gym''s building when the session was posted, as latitude and longitude of 4 to 64 points in turn; '
'null where the catalog has none (MA-8).';
comment on column sessions.gym_radius_m is
'How far from its point the gym''s building may reach, by the catalog; null where it does not say (MA-8).';
comment on column sessions.repetition_id is
'The repetition that posted it, which may have ended since; null for one that its owner posted.';

-- A new owner of a session may repeat it, and a session is removed before its repetition ends.
alter table repetitions
drop constraint repetitions_session_key,
drop constraint repetitions_session_fkey,
alter column session_id drop not null,
add column offset_us bigint not null default 0,
add column join_lead_s integer not null default 900,
add column gym_outline double precision[],
add column gym_radius_m double precision;

alter table repetitions
add constraint repetitions_once unique (user_id, session_id),
add constraint repetitions_session_fkey foreign key (session_id) references sessions (id) on delete set null,
add constraint repetitions_offset_range check (offset_us between 0 and 59999999),
add constraint repetitions_lead_positive check (join_lead_s >= 0);

create index repetitions_session_idx on repetitions (session_id);

comment on column repetitions.session_id is 'The session that was the first; null once it was removed.';
comment on column repetitions.offset_us is 'How long after the minute they start, in microseconds.';
comment on column repetitions.gym_outline is 'As in sessions.';
comment on column repetitions.gym_radius_m is 'As in sessions.';
comment on column repetitions.join_lead_s is 'How long before the start they can no longer be joined, in seconds.';

create table news_quotas (
  user_id uuid not null,
  began_at timestamptz not null,
  joins integer not null,
  posts integer not null,
  constraint news_quotas_pkey primary key (user_id),
  constraint news_quotas_counted check (joins >= 0 and posts >= 0)
);

create index news_quotas_began_idx on news_quotas (began_at);

comment on table news_quotas is 'How often a user did within a day what others are notified of (MA-16).';
comment on column news_quotas.user_id is 'The user.';
comment on column news_quotas.began_at is 'When the first of it was counted.';
comment on column news_quotas.joins is 'Sessions that were joined.';
comment on column news_quotas.posts is 'Sessions that were posted.';

-- The ratings of a user by one author count as one, the latest.
create index feedback_pair_idx on feedback (recipient_id, author_id) where author_id is not null;

-- Feedback of one author on one recipient counted more than once.
update users
set rating_count = counted.number, rating_sum = counted.sum
from (
  select recipient_id, count(*) as number, sum(rating) as sum
  from (
    select distinct on (recipient_id, coalesce(author_id, id)) recipient_id, rating
    from feedback order by recipient_id asc, coalesce(author_id, id) asc, id desc
  ) as latest
  group by recipient_id
) as counted
where users.id = counted.recipient_id;
