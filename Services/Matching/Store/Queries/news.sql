-- name: CountNews :one
-- Counts what a user did of which others are notified; what was counted before the window begins anew ([MA-16]).
-- @expired_at: A window that began by then is over.
insert into news_quotas as quota (user_id, began_at, joins, posts) values (:user_id, :now, :joins, :posts)
on conflict on constraint news_quotas_pkey do update
set
  began_at = case when quota.began_at <= :expired_at then excluded.began_at else quota.began_at end,
  joins = excluded.joins + case when quota.began_at <= :expired_at then 0 else quota.joins end,
  posts = excluded.posts + case when quota.began_at <= :expired_at then 0 else quota.posts end
returning began_at, joins, posts;

-- name: DeleteOldNewsQuotas :many
-- Removes what was counted in windows that are over.
delete from news_quotas where user_id in (
  select user_id from news_quotas where began_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteNewsQuotaOfUser :exec
-- Removes what is counted of a user ([C-9]).
delete from news_quotas where user_id = :user_id;
