-- name: Beat :exec
-- Notes that users can check in at a moment, not after the database's present; if the last beat is too long ago, what lies between was an outage
-- ([MA-10]). A beat that is yet to come, by whatever clock, is none.
-- @longest_gap_us: Microseconds between two beats that are no outage yet.
with present as materialized (
  select least(:now::timestamptz, clock_timestamp()) as moment
), earlier as (
  select last_beat_at from heartbeat for update
), gap as (
  insert into outages (began_at, ended_at)
  select last_beat_at, moment from earlier cross join present
  where moment > last_beat_at + make_interval(secs => :longest_gap_us::bigint / 1000000.0)
  on conflict on constraint outages_pkey do update set ended_at = greatest(outages.ended_at, excluded.ended_at)
)
-- What is read of `earlier` is read before the row is changed: a row that the statement itself has changed cannot be locked.
insert into heartbeat (last_beat_at) select moment from present cross join (select count(*) from earlier) as seen
on conflict on constraint heartbeat_pkey do update
set last_beat_at = case
  when heartbeat.last_beat_at > clock_timestamp() then excluded.last_beat_at
  else greatest(heartbeat.last_beat_at, excluded.last_beat_at)
end;

-- name: BeginHeartbeat :exec
-- Before the first beat of all: from now on its absence is an outage.
insert into heartbeat (last_beat_at) values (least(:now::timestamptz, clock_timestamp()))
on conflict on constraint heartbeat_pkey do nothing;

-- name: NoteOutage :exec
-- Notes an outage that lasts at a moment, before sessions are judged by it ([MA-10]). It is no beat: a service that judges may be one at which
-- nobody can check in.
-- @longest_gap_us: As of Beat.
insert into outages (began_at, ended_at)
select last_beat_at, :now from heartbeat
where :now::timestamptz > last_beat_at + make_interval(secs => :longest_gap_us::bigint / 1000000.0)
on conflict on constraint outages_pkey do update set ended_at = greatest(outages.ended_at, excluded.ended_at);

-- name: DeleteOldOutages :many
-- Removes outages that no session will be judged by any more.
delete from outages where began_at in (
  select began_at from outages where ended_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- fragment: judgement_lock(start)
-- The key of the advisory lock of the sessions that start at a moment: check-ins share it, and their judgement has it alone.
hashtextextended('judgement ' || extract(epoch from {{start}}::timestamptz)::text, 0);

-- name: HoldJudgement :exec
-- Makes the judgement of a session wait for the end of the transaction, so that a check-in that arrived within the window counts although it
-- waits for others ([MA-8]); or waits for a judgement that has begun.
select from sessions, pg_advisory_xact_lock_shared({{judgement_lock(starts_at)}}) where id = :session_id;

-- name: AwaitCheckIns :exec
-- Waits for the check-ins in sessions that start at a moment, before they are judged; no further ones begin until the end of the transaction.
select from pg_advisory_xact_lock({{judgement_lock(:starts_at)}});

-- name: LockUsersToJudge :many
-- Locks the rows of the users whose attendance JudgeSessions will count, in the order of ids, before the sessions'.
-- @starts_at: The moment.
select id from users
where id in (
  select unnest(array[due.owner_id, due.partner_id])
  from (
    select owner_id, partner_id, state from sessions
    where starts_at = :starts_at and state in ('OPEN', 'MATCHED')
    order by sessions.id limit :limit
  ) as due
  where due.state = 'MATCHED'
)
order by id for no key update;

-- name: JudgeSessions :many
-- Judges some of the sessions that start at one moment ([MA-10]): matched ones fail, open ones lapse. Participants who did not check in are
-- counted as missing and barred, unless the service was down while they could have.
-- @starts_at: The moment.
-- @window_start: From when participants could check in.
-- @window_end: Until when.
-- @ends_at: When the bars end.
-- @id SessionID
-- @absent: Which participants of a matched session did not check in.
-- @is_excused: Whether the service was down.
with excused as materialized (
  select exists (
    select from outages where began_at < :window_end and ended_at > :window_start
  ) as value
), due as materialized (
  select id, owner_id, partner_id, state, gym_name from sessions
  where starts_at = :starts_at and state in ('OPEN', 'MATCHED')
  order by id limit :limit
  for no key update
), judged as (
  update sessions
  set
    state = case due.state when 'OPEN' then 'LAPSED' else 'FAILED' end, revision = revision + 1, updated_at = :now
  from due where sessions.id = due.id
), freed as (
  update participations set active = false, changed_in = pg_current_xact_id()
  from due where participations.session_id = due.id and participations.present
  returning participations.session_id, participations.user_id, participations.checked_in_at, due.state
), verdicts as materialized (
  select session_id, user_id, checked_in_at is not null as attended from freed where state = 'MATCHED'
), counted as (
  update users
  set
    attended = users.attended + case when verdicts.attended then 1 else 0 end,
    missed = users.missed + case when verdicts.attended or (select value from excused) then 0 else 1 end
  from verdicts where users.id = verdicts.user_id and not users.deleted
), imposed as (
  insert into bars (id, user_id, session_id, cause, began_at, ends_at)
  select
    -- As a UUIDv7: of the moment, then at random.
    overlay(overlay(gen_random_uuid()::text placing :time_prefix::text from 1 for 13) placing '7' from 15 for 1)::uuid,
    user_id, session_id, 'NO_SHOW', :window_end, :ends_at
  from verdicts where not attended and not (select value from excused)
  on conflict on constraint bars_once do nothing
  returning id
), noted as (
  insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
  select id, 1, 'IMPOSED', 'matching', '', :now from imposed
)
select
  due.id as "id!", due.owner_id, due.partner_id, due.gym_name as "gym_name!", due.state as "state!", (select value from excused) as "is_excused!",
  coalesce(missing.absent, '{}') as "absent!"
from due left join (
  select session_id, array_agg(user_id order by user_id) as absent from verdicts where not attended group by session_id
) as missing on missing.session_id = due.id
order by due.id;

-- name: SessionsToRemind :many
-- A page of the matched sessions that start at a moment, for reminders ([MA-12]).
-- @after_id SessionID
select id, owner_id as "owner_id!", partner_id as "partner_id!", gym_name, gym_id from sessions
where starts_at = :starts_at and state in ('OPEN', 'MATCHED') and state = 'MATCHED' and id > :after_id
order by id limit :limit;
