-- name: ClaimRequest :one
-- Claims a request for the transaction; no row when it was answered before. Waits for a transaction that has claimed it.
-- A request older than a day is forgotten, even before the sweep removes it ([C-4]).
-- @expired_at: Responses of this time and before have expired.
insert into replays (caller, method, request_id, created_at) values (:caller, :method, :request_id, :now)
on conflict on constraint replays_pkey do update set created_at = excluded.created_at
where replays.created_at <= :expired_at
returning request_id;

-- name: StoredAnswer :one
-- The stored response of a request, sealed.
-- @expired_at: Responses of this time and before have expired.
select sealed_answer from replays
where caller = :caller and method = :method and request_id = :request_id and created_at > :expired_at;

-- name: StoreAnswer :exec
-- Stores the response of a request that the transaction has claimed.
update replays set sealed_answer = :sealed_answer
where caller = :caller and method = :method and request_id = :request_id;

-- name: DeleteExpiredIdempotencyKeys :many public
-- Removes some stored responses that have expired.
delete from replays where (caller, method, request_id) in (
  select caller, method, request_id from replays where created_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
