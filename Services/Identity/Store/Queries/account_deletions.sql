-- name: LockedAccount :one
-- Selects an account and locks it until the transaction ends, so that no login takes place meanwhile.
-- @email_key: The address in the form in which addresses are compared.
select {{Credentials}}, email_key from accounts where id = :user_id for update;

-- name: DeleteAccountRow :exec
-- Deletes an account with all data of its owner: profile, sessions and mail by their foreign keys, stored responses
-- and, by the address's hash, the record of a requested mail ([ID-13]). Records that the user with this id has been
-- deleted ([C-9]).
-- @caller: The user's id as text, as the idempotency keys of the user's calls have it.
-- @method: The full name of the deleting method.
with gone as (delete from accounts where id = :user_id),
  noted as (
    insert into departures (account_id, deleted_at) values (:user_id, :now)
    on conflict on constraint departures_pkey do nothing
  ),
  forgotten as (delete from verification_requests where email_hash = :email_hash)
-- The response of the deleting call itself is kept: it contains no personal data, and a concurrent repetition of the
-- call returns it.
delete from replays where caller = :caller and method <> :method;

-- name: DeletedAccounts :many
-- Selects those of some ids whose accounts were deleted.
select account_id from departures
-- An account that exists does not count as deleted, for example after a restore of the database.
where account_id = any(:user_ids) and not exists (select from accounts where id = departures.account_id);
