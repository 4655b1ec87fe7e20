-- name: DeleteIdempotencyKeysOfUser :exec public
-- Removes the stored responses to a user's requests ([C-9]). The rows are found by the first column of their key.
delete from replays where caller = :user_id::uuid::text;
