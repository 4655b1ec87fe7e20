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
-- Whether a row of `sessions` lies in the slot, admits the viewer and was there when the first page was read.
-- No session is longer than 8 hours (`sessions_length`), so none that starts earlier reaches into the slot: without the
-- bound the index would be read from now on, however far away the slot is.
state = 'OPEN' and starts_at > :now and starts_at < :until and ends_at > :since
and starts_at > :since::timestamptz - interval '8 hours' and admitted & :viewer_bit::smallint <> 0 and id <= :newest_id;

-- fragment: owned_by_others
-- The candidates of others who are visible to the viewer, with their owners' reputation.
select {{BrowseCandidate}} from found as session left join users as owner on owner.id = session.owner_id
where session.owner_id <> :viewer_id and {{visible(session.owner_id, :viewer_id)}}
  -- A place that is offered to a user of the waiting list is not open to others.
  and (session.offered_to is null or session.offered_to = :viewer_id or session.offered_until <= :now);

-- name: CandidatesBySlot :many
-- Open sessions of every kind around the beginning of a slot.
-- @newest_id: No session that was posted later.
with found as (
  (select * from sessions where {{fits}} and starts_at >= :since order by starts_at, id limit :limit)
  union all
  (select * from sessions where {{fits}} and starts_at < :since order by starts_at desc, id desc limit :limit)
)
{{owned_by_others}};

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
{{owned_by_others}};

-- name: CandidatesInGym :many
-- Open sessions in a gym around the beginning of a slot.
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
{{owned_by_others}};

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
{{owned_by_others}};

-- fragment: within_box
-- Whether a row of `sessions` lies in the box around the ball and the slot.
place operator(extensions.&&) extensions.cube(:lower_corner::float8[], :upper_corner::float8[]);

-- fragment: nearness
-- The distance in space and time.
place operator(extensions.<->) extensions.cube(:lower_centre::float8[], :upper_centre::float8[]);

-- name: CandidatesNearPoint :many
-- Open sessions of every kind around a point and a slot, the nearest in space and time.
-- @newest_id: No session that was posted later.
with found as (
  select * from sessions where {{within_box}} and {{fits}} order by {{nearness}} limit :limit
)
{{owned_by_others}};

-- name: CandidatesOfKindsNearPoint :many
-- Open sessions of some kinds around a point and a slot, the nearest in space and time, so many of each.
-- @newest_id: No session that was posted later.
with found as (
  select nearest.* from unnest(:kinds::smallint[]) as wanted (kind) cross join lateral (
    select * from sessions where kind = wanted.kind and {{within_box}} and {{fits}} order by {{nearness}} limit :limit
  ) as nearest
)
{{owned_by_others}};

-- name: SlotsTakenOf :many
-- The slots of a user's active sessions that overlap a range of time.
select lower(slot) as "starts_at!", upper(slot) as "ends_at!" from participations
where user_id = :user_id and active and slot && tstzrange(:since, :until);
