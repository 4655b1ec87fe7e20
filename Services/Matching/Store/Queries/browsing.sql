-- columns: BrowseCandidate
-- What the rank of an open session depends on.
-- @id SessionID
-- @focus Focus
-- @level Level
session.id as "id!", session.starts_at as "starts_at!", session.ends_at as "ends_at!", session.gym_latitude as "gym_latitude!",
session.gym_longitude as "gym_longitude!", session.focus as "focus!", session.level as "level!",
coalesce(owner.rating_count, 0) as "rating_count!", coalesce(owner.rating_sum, 0) as "rating_sum!", coalesce(owner.attended, 0) as "attended!",
coalesce(owner.missed, 0) as "missed!";

-- fragment: fits
-- Whether a row of `sessions` lies in the slot, is another user's whom the viewer sees, admits the viewer, can be joined, and was there when the
-- first page was read. All of it is asked before rows are counted, so that what does not fit takes no place ([MA-3]).
-- No session is longer than 8 hours (`sessions_length`), so none that starts earlier reaches into the slot: without the
-- bound the index would be read from now on, however far away the slot is.
state = 'OPEN' and starts_at > :now and starts_at < :until and ends_at > :since
and starts_at > :since::timestamptz - interval '8 hours' and admitted & :viewer_bit::smallint <> 0 and sessions.id <= :newest_id
and coalesce(joins_end_at, starts_at) > :now and owner_id <> :viewer_id and {{visible(owner_id, :viewer_id)}}
-- A place that is offered to a user of the waiting list is not open to others.
and (offered_to is null or offered_to = :viewer_id or offered_until <= :now);

-- fragment: with_owners
-- The rows of `found` with their owners' reputation.
select {{BrowseCandidate}} from found as session left join users as owner on owner.id = session.owner_id;

-- name: CandidatesBySlot :many
-- Open sessions of every kind around the beginning of a slot.
-- @newest_id: No session that was posted later.
with found as (
  (select * from sessions where {{fits}} and starts_at >= :since order by starts_at, id limit :limit)
  union all
  (select * from sessions where {{fits}} and starts_at < :since order by starts_at desc, id desc limit :limit)
)
{{with_owners}};

-- name: CandidatesOfKinds :many
-- Open sessions of some kinds around the beginning of a slot, so many of each.
-- @newest_id: No session that was posted later.
with found as (
  select nearest.* from unnest(:kinds::smallint[]) as wanted (kind) cross join lateral (
    (
      select * from sessions where kind = wanted.kind and {{fits}} and starts_at >= :since
      order by starts_at, id limit :limit
    )
    union all
    (
      select * from sessions where kind = wanted.kind and {{fits}} and starts_at < :since
      order by starts_at desc, id desc limit :limit
    )
  ) as nearest
)
{{with_owners}};

-- name: CandidatesInGym :many
-- Open sessions in a gym around the beginning of a slot, so many on either side.
-- @newest_id: No session that was posted later.
with found as (
  (
    select * from sessions where gym_id = :gym_id and {{fits}} and starts_at >= :since
    order by starts_at, id limit :limit
  )
  union all
  (
    select * from sessions where gym_id = :gym_id and {{fits}} and starts_at < :since
    order by starts_at desc, id desc limit :limit
  )
)
{{with_owners}};

-- name: CandidatesOfKindsInGym :many
-- Open sessions of some kinds in a gym around the beginning of a slot, so many of each.
-- @newest_id: No session that was posted later.
with found as (
  select nearest.* from unnest(:kinds::smallint[]) as wanted (kind) cross join lateral (
    (
      select * from sessions where gym_id = :gym_id and kind = wanted.kind and {{fits}} and starts_at >= :since
      order by starts_at, id limit :limit
    )
    union all
    (
      select * from sessions where gym_id = :gym_id and kind = wanted.kind and {{fits}} and starts_at < :since
      order by starts_at desc, id desc limit :limit
    )
  ) as nearest
)
{{with_owners}};

-- fragment: of_kinds
-- Whether a row of `sessions` is of one of the kinds.
(:kinds?::smallint[] is null or kind = any(:kinds?));

-- fragment: from_since
-- How far the start of a row of `sessions` is from that of the slot.
greatest(starts_at - :since::timestamptz, :since::timestamptz - starts_at);

-- fragment: near
-- The nearest gyms within a radius, the nearest first: as the index has them, so that the rest is not read.
select id from (
  select id, place operator(extensions.<->) extensions.cube(:vector::float8[]) as chord from gyms
  order by place operator(extensions.<->) extensions.cube(:vector::float8[]) limit :gyms
) as nearest where chord <= :chord;

-- name: CandidatesNearPoint :many
-- Open sessions in the gyms around a point, the nearest gyms first, in each around the beginning of a slot; of some kinds or all.
-- @vector: The point on the unit sphere.
-- @gyms: How many gyms are looked at.
-- @chord: How far they are at most, on the unit sphere.
-- @each: How many of a gym's sessions are looked at on either side of the beginning.
-- @visits: How many in all.
-- @kinds: `nil` for all.
-- @newest_id: No session that was posted later.
with near as ({{near}}), visited as (
  select around.* from near cross join lateral (
    (
      select * from sessions where gym_id = near.id and {{fits}} and starts_at >= :since
      order by starts_at, sessions.id limit :each
    )
    union all
    (
      select * from sessions where gym_id = near.id and {{fits}} and starts_at < :since
      order by starts_at desc, sessions.id desc limit :each
    )
  ) as around
  limit :visits
), found as (
  select * from visited where {{of_kinds}} limit :limit
)
{{with_owners}};

-- name: CandidatesOfFocusesNearPoint :many
-- Open sessions of some kinds in the gyms around a point, the nearest gyms first, in each around the beginning of a slot. The
-- index is read for each focus, so that a rare one is found in many gyms.
-- @vector: The point on the unit sphere.
-- @gyms: How many gyms are looked at.
-- @chord: How far they are at most, on the unit sphere.
-- @first_kinds: Of each focus the first kind.
-- @last_kinds: Of each focus the last kind.
-- @each: How many of a gym's sessions of a focus are looked at.
-- @newest_id: No session that was posted later.
with near as ({{near}}), found as (
  select around.* from near
  cross join unnest(:first_kinds::smallint[], :last_kinds::smallint[]) as wanted (first_kind, last_kind)
  cross join lateral (
    select * from sessions
    where gym_id = near.id and kind between wanted.first_kind and wanted.last_kind and kind = any(:kinds::smallint[])
      and {{fits}}
    order by {{from_since}}, sessions.id limit :each
  ) as around
  limit :limit
)
{{with_owners}};

-- fragment: behind
-- Whether a row of `sessions` comes after the last one of the page before, by its start.
(starts_at, sessions.id) > (
  coalesce(:after_start?::timestamptz, '-infinity'),
  coalesce(:after_session_id?::uuid, '00000000-0000-0000-0000-000000000000')
);

-- fragment: first_found
order by session.starts_at, session.id limit :limit;

-- name: LaterSessions :many slow
-- Open sessions by their start, after those that were ranked.
-- @newest_id: No session that was posted later.
with found as (select * from sessions where {{fits}} and {{behind}} order by starts_at, id limit :limit)
{{with_owners}} {{first_found}};

-- name: LaterSessionsOfKinds :many slow
-- Open sessions of some kinds by their start, after those that were ranked.
-- @newest_id: No session that was posted later.
with found as (
  select next.* from unnest(:kinds::smallint[]) as wanted (kind) cross join lateral (
    select * from sessions where kind = wanted.kind and {{fits}} and {{behind}} order by starts_at, id limit :limit
  ) as next
)
{{with_owners}} {{first_found}};

-- name: LaterSessionsInGym :many slow
-- Open sessions in a gym, of some kinds or all, by their start, after those that were ranked.
-- @kinds: `nil` for all.
-- @newest_id: No session that was posted later.
with found as (
  select * from sessions where gym_id = :gym_id and {{fits}} and {{behind}} and {{of_kinds}}
  order by starts_at, id limit :limit
)
{{with_owners}} {{first_found}};

-- name: LaterSessionsNear :many slow
-- Open sessions in the gyms within a radius, of some kinds or all, by their start, after those that were ranked.
-- @vector: The point on the unit sphere.
-- @cube_size: Half an edge of the cube around the ball of the radius.
-- @chord: The radius, on the unit sphere.
-- @kinds: `nil` for all.
-- @newest_id: No session that was posted later.
with near as (
  select id from gyms
  where place operator(extensions.<@) extensions.cube_enlarge(extensions.cube(:vector::float8[]), :cube_size, 3)
    and place operator(extensions.<->) extensions.cube(:vector::float8[]) <= :chord
), found as (
  select next.* from near cross join lateral (
    select * from sessions where gym_id = near.id and {{fits}} and {{behind}} and {{of_kinds}}
    order by starts_at, sessions.id limit :limit
  ) as next
)
{{with_owners}} {{first_found}};

-- name: LaterSessionsFarAround :many slow
-- As ``LaterSessionsNear``, for a radius with so many gyms that the sessions are read by their start.
-- @vector: The point on the unit sphere.
-- @chord: The radius, on the unit sphere.
-- @kinds: `nil` for all.
-- @newest_id: No session that was posted later.
with found as (
  select sessions.* from sessions join gyms on gyms.id = sessions.gym_id
  where {{fits}} and {{behind}} and {{of_kinds}}
    and gyms.place operator(extensions.<->) extensions.cube(:vector::float8[]) <= :chord
  order by starts_at, sessions.id limit :limit
)
{{with_owners}} {{first_found}};

-- name: SlotsTakenOf :many
-- The slots of a user's matched sessions that overlap a range of time.
select lower(slot) as "starts_at!", upper(slot) as "ends_at!"
from participations join sessions on sessions.id = participations.session_id
where participations.user_id = :user_id and active and slot && tstzrange(:since, :until) and sessions.state <> 'OPEN';
