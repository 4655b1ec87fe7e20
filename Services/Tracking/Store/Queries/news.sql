-- name: CountNews :many
-- Counts what users, each once, begin or others are to be notified of; returns what was counted in each user's window, this included. The
-- users' rows of `trackers` are locked.
-- @expired_at: A window that began then or before is over.
insert into news_quotas as quota (user_id, began_at, journeys, alerts, stops, visits)
select user_id, :now::timestamptz, journeys, alerts, stops, visits
from unnest(:user_ids::uuid[], :journeys::integer[], :alerts::integer[], :stops::integer[], :visits::integer[])
  as counted (user_id, journeys, alerts, stops, visits)
order by user_id
on conflict on constraint news_quotas_pkey do update set
  began_at = case when quota.began_at <= :expired_at then excluded.began_at else quota.began_at end,
  journeys = excluded.journeys + case when quota.began_at <= :expired_at then 0 else quota.journeys end,
  alerts = excluded.alerts + case when quota.began_at <= :expired_at then 0 else quota.alerts end,
  stops = excluded.stops + case when quota.began_at <= :expired_at then 0 else quota.stops end,
  visits = excluded.visits + case when quota.began_at <= :expired_at then 0 else quota.visits end
returning user_id, began_at, journeys, alerts, stops, visits;

-- name: DeleteOldNewsQuotas :many
-- Removes some counts whose window is over.
delete from news_quotas where user_id in (
  select user_id from news_quotas where began_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteNewsQuotaOfUser :exec
-- Removes the counts of a user who deleted the account ([C-9]).
delete from news_quotas where user_id = :user_id;
