-- name: TakeUpload :one
-- Counts an upload of a user; returns the start of the window and the uploads in it, a refused one included.
-- @expired_at: A window that began then or before is over.
-- @limit: More uploads than one above it are not counted.
insert into picture_quotas as quota (user_id, began_at, uploads) values (:user_id, :now, 1)
on conflict on constraint picture_quotas_pkey do update set
  began_at = case when quota.began_at <= :expired_at then excluded.began_at else quota.began_at end,
  uploads = case when quota.began_at <= :expired_at then 1 else least(quota.uploads, :limit) + 1 end
returning began_at, uploads;

-- name: DeleteOldQuotas :many public
-- Removes some counts whose window is over.
delete from picture_quotas where user_id in (
  select user_id from picture_quotas where began_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteQuotaOfUser :exec public
-- Removes a user's count of uploads ([C-9]); what a call in progress still counts is removed within the hour.
delete from picture_quotas where user_id = :user_id;
