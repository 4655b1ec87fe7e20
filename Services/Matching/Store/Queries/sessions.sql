-- columns: SessionColumns as StoredSession
-- The columns of a row `session`, joined by {{session_users}}.
-- @id SessionID
session.id as "id!", session.owner_id, coalesce(owner.username, '') as "owner_username!", owning.checked_in_at as owner_checked_in_at,
session.partner_id, coalesce(partner.username, '') as "partner_username!",
partnering.checked_in_at as partner_checked_in_at, session.state as "state!", session.starts_at as "starts_at!", session.ends_at as "ends_at!",
session.gym_id as "gym_id!", session.gym_name as "gym_name!", session.gym_latitude as "gym_latitude!",
session.gym_longitude as "gym_longitude!", session.time_zone as "time_zone!", session.focus as "focus!", session.level as "level!",
session.admitted as "admitted!", session.revision as "revision!", session.finished_at, session.posted_at as "posted_at!",
session.updated_at as "updated_at!", session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as "joins_end_at!";

-- fragment: session_users
left join users as owner on owner.id = session.owner_id
left join users as partner on partner.id = session.partner_id
left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id;

-- fragment: selected_sessions
-- All sessions; a condition on `session` may follow.
select {{SessionColumns}} from sessions as session {{session_users}};

-- fragment: before(id)
-- An id, or a value greater than every id where it is null: the same index finds a page with and without one before it.
coalesce({{id}}, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid);

-- name: LockSession :one
-- Locks a session until the transaction ends.
select id from sessions where id = :session_id for no key update;

-- name: LockSessions :many
-- Locks some sessions, in the order of ids, until the transaction ends.
select id from sessions where id = any(:session_ids::uuid[]) order by id for no key update;

-- name: LockSessionsToJoin :many
-- Locks a session and the unmatched posts of a user that overlap it, in the order of ids, until the transaction ends. The transaction has locked
-- the user's row, so that no such post is added.
select id from sessions
where id in (
  select :session_id::uuid
  union all
  select own.id
  from sessions as target
  join participations as mine
    on mine.user_id = :user_id and mine.active and mine.slot && tstzrange(target.starts_at, target.ends_at)
  join sessions as own on own.id = mine.session_id
  where target.id = :session_id and own.state = 'OPEN' and own.id <> target.id
)
order by id for no key update;

-- name: OverlappingPosts :many
-- A user's unmatched posts that overlap a session, in the order of ids ([MA-2]); the transaction has locked them.
select own.id
from sessions as target
join participations as mine
  on mine.user_id = :user_id and mine.active and mine.slot && tstzrange(target.starts_at, target.ends_at)
join sessions as own on own.id = mine.session_id
where target.id = :session_id and own.state = 'OPEN' and own.id <> target.id
order by own.id;

-- name: OpenPostsOf :one
-- How many unmatched posts of a user are yet to start.
select count(*) as "posts!" from sessions where owner_id = :user_id and state = 'OPEN' and starts_at > :now;

-- name: SessionByID :one
-- A session. If the transaction has locked it, it does not change until the end of the transaction.
{{selected_sessions}} where session.id = :session_id;

-- name: SessionsByIDs :many
-- Some sessions, in any order.
{{selected_sessions}} where session.id = any(:session_ids::uuid[]);

-- fragment: overlaps_of_viewer
-- Whether a session of the viewer is in the way of joining a row `session`: a matched one, as an unmatched post is withdrawn by the join ([MA-2]).
exists (
  select from participations as other join sessions as own on own.id = other.session_id
  where other.user_id = :viewer_id and other.active and other.slot && tstzrange(session.starts_at, session.ends_at)
    and own.state <> 'OPEN'
);

-- name: SessionToJoin :one
-- A session, and what else decides whether a user can join it. If the transaction has locked both, neither changes until its end.
-- @is_blocked: Whether one of viewer and owner has blocked the other.
-- @has_overlap: Whether the slot overlaps a matched session of the viewer.
select
  {{SessionColumns as session}}, {{blocked(session.owner_id, :viewer_id::uuid)}} as "is_blocked!",
  {{overlaps_of_viewer}} as "has_overlap!"
from sessions as session {{session_users}} where session.id = :session_id;

-- name: SessionViewOf :one
-- What the view of a session depends on besides it.
-- @is_blocked: Whether one of viewer and owner has blocked the other.
-- @has_overlap: Whether the slot overlaps a matched session of the viewer.
-- @gave_feedback: Whether the viewer gave feedback.
select
  {{blocked(session.owner_id, :viewer_id::uuid)}} as "is_blocked!", {{overlaps_of_viewer}} as "has_overlap!",
  exists (
    select from feedback where feedback.session_id = session.id and feedback.author_id = :viewer_id
  ) as "gave_feedback!"
from sessions as session where session.id = :session_id;

-- name: InsertSession :one
-- Stores a new session with its owner's participation ([MA-1]); fails with `participations_no_overlap` where the slot is taken ([MA-2]).
-- @gym_vector: The gym on the unit sphere.
with session as (
  insert into sessions (
    id, owner_id, starts_at, ends_at, gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted,
    owner_gender, posted_at, updated_at, joins_end_at, repetition_id, gym_outline, gym_radius_m
  )
  values (
    :session_id, :owner_id, :starts_at, :ends_at, :gym_id, :gym_name, :gym_latitude, :gym_longitude, :time_zone,
    :focus, :level, :admitted, :owner_gender, :now, :now, :joins_end_at, :repetition_id?,
    :gym_outline?, :gym_radius_m?
  )
  returning *
), gym as (
  insert into gyms as known (id, place, last_start)
  select gym_id, extensions.cube(:gym_vector::float8[]), starts_at from session
  -- A gym that is known already is not locked.
  where not exists (
    select from gyms
    where gyms.id = session.gym_id and gyms.place operator(extensions.=) extensions.cube(:gym_vector::float8[])
      and gyms.last_start >= session.starts_at
  )
  on conflict on constraint gyms_pkey do update
  set place = excluded.place, last_start = greatest(known.last_start, excluded.last_start)
), participation as (
  insert into participations (session_id, user_id, slot)
  select id, owner_id, tstzrange(starts_at, ends_at) from session
)
select id from session;

-- name: MatchSession :one
-- Gives an open session its partner ([MA-5]), who waits for it no longer; no row if it is not open. Fails with `participations_no_overlap`
-- where the slot is taken.
with session as (
  update sessions
  set partner_id = :partner_id, state = 'MATCHED', revision = revision + 1, updated_at = :now
  where id = :session_id and state = 'OPEN'
  returning *
), joined as (
  insert into participations (session_id, user_id, slot)
  select id, :partner_id, tstzrange(starts_at, ends_at) from session
  on conflict on constraint participations_pkey do update
  set active = true, present = true, checked_in_at = null, changed_in = pg_current_xact_id()
), told as (
  update participations set changed_in = pg_current_xact_id()
  from session where participations.session_id = session.id and participations.user_id = session.owner_id
), left_list as (
  delete from waiting_list
  using session where waiting_list.session_id = session.id and waiting_list.user_id = :partner_id
)
-- The statement does not see the partner's participation, in which there is no check-in.
select {{SessionColumns}}
from session
left join users as owner on owner.id = session.owner_id
left join users as partner on partner.id = session.partner_id
left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
cross join (select null::timestamptz as checked_in_at) as partnering;

-- name: CancelOpenSession :one
-- Removes an unmatched session ([MA-6]) and its waiting list, which would count towards what its users wait for; no row
-- if the session is not open or not the user's.
-- @waiting [UserID]: Who was in the list.
with session as (
  update sessions set state = 'CANCELLED', revision = revision + 1, updated_at = :now
  where id = :session_id and state = 'OPEN' and owner_id = :user_id
  returning *
), gone as (
  update participations set active = false, present = false, changed_in = pg_current_xact_id()
  from session where participations.session_id = session.id and participations.user_id = :user_id
), dissolved as (
  delete from waiting_list using session where waiting_list.session_id = session.id
  returning waiting_list.user_id
)
select id, array(select user_id from dissolved order by user_id) as "waiting!" from session;

-- name: LeaveMatchedSession :one
-- Takes a participant out of a matched session; it is open again, and the other participant's ([MA-6]); no row if it is not matched.
-- @level Level: The session's level from then on; `nil` leaves it.
-- @owner_gender Gender: The gender of the new owner; `nil` leaves it.
-- @other_id: The participant who stays.
with session as (
  update sessions
  set
    owner_id = :other_id, partner_id = null, state = 'OPEN', revision = revision + 1, updated_at = :now,
    level = coalesce(:level?, level), owner_gender = coalesce(:owner_gender?, owner_gender)
  where id = :session_id and state = 'MATCHED'
    and ((owner_id = :user_id and partner_id = :other_id) or (owner_id = :other_id and partner_id = :user_id))
  returning *
), gone as (
  update participations
  set
    active = active and participations.user_id <> :user_id, present = present and participations.user_id <> :user_id,
    changed_in = pg_current_xact_id()
  from session
  where participations.session_id = session.id and participations.user_id in (:user_id, :other_id)
)
select id from session;

-- name: GenderOfUser :one
-- A user's gender and level, as far as they are known.
select gender, level from users where id = :user_id;

-- name: GymAreaOf :one
-- How far the gym of a session reaches around its point ([MA-8]).
select gym_outline, gym_radius_m from sessions where id = :session_id;

-- name: StoreCheckIn :one
-- Checks a participant in ([MA-8]); no row if it was done before, or the user does not take part.
with entry as (
  update participations set checked_in_at = :now, changed_in = pg_current_xact_id()
  where session_id = :session_id and user_id = :user_id and present and checked_in_at is null
  returning session_id
), session as (
  update sessions set revision = revision + 1, updated_at = :now
  from entry where sessions.id = entry.session_id
  returning sessions.id
), told as (
  update participations set changed_in = pg_current_xact_id()
  from entry where participations.session_id = entry.session_id and participations.user_id <> :user_id
)
select id from session;

-- name: MarkSuccessful :exec
-- Makes a matched session successful, and counts the attendance of both participants ([MA-9]).
with session as (
  update sessions set state = 'SUCCESSFUL', revision = revision + 1, updated_at = :now
  where id = :session_id and state = 'MATCHED'
  returning owner_id, partner_id
)
update users set attended = attended + 1 from session where users.id in (session.owner_id, session.partner_id);

-- name: MarkFinished :exec
-- Finishes a successful session; the slots of its participants are free ([MA-11]).
with session as (
  update sessions set finished_at = :now, revision = revision + 1, updated_at = :now
  where id = :session_id and state = 'SUCCESSFUL' and finished_at is null
  returning id
)
update participations set active = false, changed_in = pg_current_xact_id()
from session where participations.session_id = session.id;

-- fragment: cancelled_ones
-- A user's cancelled sessions, in which the user takes part no longer.
select {{SessionColumns as session}}, {{gave_feedback}} as "gave_feedback!"
from sessions as session {{session_users}}
where session.owner_id = :user_id and session.state = 'CANCELLED';

-- name: UpcomingCancelledSessions :many
-- A page of a user's cancelled sessions whose end is yet to come, by their start ([MA-12]).
{{cancelled_ones}} and session.ends_at > :now
  and (session.starts_at, session.id) > (
    coalesce(:after_start?::timestamptz, '-infinity'),
    coalesce(:after_session_id?::uuid, '00000000-0000-0000-0000-000000000000')
  )
order by session.starts_at, session.id limit :limit;

-- name: PastCancelledSessions :many
-- A page of a user's cancelled sessions whose end has passed, the latest first ([MA-12]).
{{cancelled_ones}} and session.ends_at <= :now
  and (session.starts_at, session.id) < (
    coalesce(:before_start?::timestamptz, 'infinity'), {{before(:before_session_id?::uuid)}}
  )
order by session.starts_at desc, session.id desc limit :limit;

-- name: UpcomingSessions :many
-- A page of a user's sessions whose end is yet to come, by their start ([MA-12]).
select {{SessionColumns as session}}, {{gave_feedback}} as "gave_feedback!"
from participations as mine join sessions as session on session.id = mine.session_id {{session_users}}
where mine.user_id = :user_id and mine.present and session.ends_at > :now and lower(mine.slot) > :now::timestamptz - interval '8 hours'
  and (:state?::text is null or session.state = :state?)
  and (lower(mine.slot), mine.session_id) > (
    coalesce(:after_start?::timestamptz, '-infinity'),
    coalesce(:after_session_id?::uuid, '00000000-0000-0000-0000-000000000000')
  )
order by lower(mine.slot), mine.session_id limit :limit;

-- fragment: gave_feedback
exists (select from feedback where feedback.session_id = session.id and feedback.author_id = :user_id);

-- name: PastSessions :many
-- A page of a user's sessions whose end has passed, the latest first ([MA-12]).
select {{SessionColumns as session}}, {{gave_feedback}} as "gave_feedback!"
from participations as mine join sessions as session on session.id = mine.session_id {{session_users}}
where mine.user_id = :user_id and mine.present and session.ends_at <= :now and lower(mine.slot) < :now
  and (:state?::text is null or session.state = :state?)
  and (lower(mine.slot), mine.session_id) < (
    coalesce(:before_start?::timestamptz, 'infinity'), {{before(:before_session_id?::uuid)}}
  )
order by lower(mine.slot) desc, mine.session_id desc limit :limit;

-- name: ChangedSessions :many
-- What changed for a user since a place in the order of transactions ([C-11]). Nothing is read from the oldest transaction on that is still
-- open: what it changes comes later.
-- @transaction: The transaction of the change, numbered as those of events.
select
  mine.changed_in::text::bigint as "transaction!", mine.session_id, mine.present
from participations as mine
where mine.user_id = :user_id
  and (mine.changed_in, mine.session_id) > ((:after_transaction::bigint)::text::xid8, :after_session_id::uuid)
  and mine.changed_in < (select {{numbered_transaction(pg_snapshot_xmin(pg_current_snapshot()))}} from event_log)
order by mine.changed_in, mine.session_id limit :limit;

-- name: ChangeNumbering :one
-- What the numbers of changes are of, which another database has, and this one once it was restored: what was being changed when it was
-- dumped is unknown to it, below numbers that it knows.
-- @is_lost: Whether a place in the order of transactions belongs to a database that was restored to an earlier moment since.
select transaction_offset as "epoch!", {{lost_transaction((:transaction::bigint)::text::xid8)}} as "is_lost!" from event_log;

-- name: FeedbackGivenBy :many
-- Those of some sessions for which a user gave feedback.
select session_id from feedback where author_id = :user_id and session_id = any(:session_ids::uuid[]);

-- name: CountMissed :exec
-- Counts a matched session that a user cancelled too late as missed; the transaction has locked the user's row.
update users set missed = missed + 1 where id = :user_id and not deleted;

-- name: DeleteOldSessions :many
-- Removes sessions that were over long ago, with the participations in them and the feedback on them ([MA-16]).
with old as materialized (
  select id from sessions where state not in ('OPEN', 'MATCHED') and ends_at <= :moment
  limit :limit for update skip locked
), rated as (
  delete from feedback using old where feedback.session_id = old.id
), taken_part as (
  delete from participations using old where participations.session_id = old.id
), waited as (
  delete from waiting_list using old where waiting_list.session_id = old.id
), noticed as (
  delete from search_notices using old where search_notices.session_id = old.id
)
delete from sessions using old where sessions.id = old.id returning 1 as "removed!";
