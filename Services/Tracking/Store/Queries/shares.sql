-- name: OpenJourneyOf :one
-- A journey of a user that has not ended, locked until the transaction ends, so that its links are counted one after the other.
select id as journey_id from journeys
where id = :journey_id and user_id = :user_id and kind = 'JOURNEY' and ended_at is null and {{present(user_id)}}
for no key update;

-- name: CreateShare :one
-- Stores a link, unless the journey, which is locked, has the most that are allowed.
insert into journey_shares (id, journey_id, token_hash, created_at, expires_at)
select :share_id, :journey_id, :token_hash, :now, :expires_at
where (select count(*) from journey_shares where journey_id = :journey_id and expires_at > :now) < :limit
returning id;

-- name: SharesOfJourney :many
-- The links to a user's journey that have not expired, the newest first.
select journey_shares.id as share_id, journey_shares.journey_id, journey_shares.created_at, journey_shares.expires_at
from journey_shares inner join journeys on journeys.id = journey_shares.journey_id
where journey_shares.journey_id = :journey_id and journeys.user_id = :user_id and journey_shares.expires_at > :now
  and {{present(journeys.user_id)}}
order by journey_shares.id desc;

-- name: RevokeShare :one
-- Removes a link to a journey of the user.
delete from journey_shares using journeys
where journeys.id = journey_shares.journey_id and journeys.user_id = :user_id and journey_shares.id = :share_id
  and journey_shares.expires_at > :now
returning journey_shares.id;

-- name: SharedJourney :one
-- The journey of a link that has not expired, with the position of its user while the journey lasts ([TR-14]): one from the journey, not
-- where the user was before, which a phone may report late, nor one that was not reported to all groups that see the journey.
select
  journeys.started_at, journeys.ended_at, journeys.outcome, journeys.latitude, journeys.longitude, journeys.arrival_at,
  journeys.mode, journey_shares.expires_at, coalesce(users.username, '') as "username!",
  trackers.latitude as at_latitude, trackers.longitude as at_longitude, trackers.accuracy_m, trackers.altitude_m,
  trackers.speed_mps, trackers.course, trackers.recorded_at, trackers.estimated_at
from journey_shares
inner join journeys on journeys.id = journey_shares.journey_id
left join users on users.id = journeys.user_id
left join trackers
  on trackers.user_id = journeys.user_id and trackers.journey_id = journeys.id and journeys.ended_at is null
  and trackers.determined_at >= journeys.started_at
  and not exists (
    select from journey_groups as seen
    join memberships as own on own.group_id = seen.group_id and own.user_id = journeys.user_id
    where seen.journey_id = journeys.id and own.withheld_since is not null
  )
where journey_shares.token_hash = :token_hash and journey_shares.expires_at > :now and {{present(journeys.user_id)}};

-- name: DeleteExpiredShares :many
-- Removes links that have expired.
delete from journey_shares
where id in (select id from journey_shares where expires_at <= :moment limit :limit)
returning 1 as "removed!";
