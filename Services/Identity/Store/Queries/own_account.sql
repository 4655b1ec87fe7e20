-- name: OwnAccount :one
-- What a user sees of their own account ([ID-14]).
-- @issuers: Of the linked identities, the oldest first.
-- @pending_email: The address of a change that waits for its confirmation.
select
  accounts.id as user_id, accounts.email, accounts.username, accounts.registered_at, accounts.verified_at,
  accounts.password_hash is not null as "has_password!",
  (select count(*) from passkeys where passkeys.account_id = accounts.id) as "passkey_count!",
  array(
    select issuer from federated_identities where federated_identities.account_id = accounts.id
    order by federated_identities.id
  ) as "issuers!",
  exists (
    select from profiles where profiles.account_id = accounts.id and profiles.gender is not null
  ) as "has_gym_profile!",
  exists (select from pictures where pictures.holder_id = accounts.id) as "has_picture!",
  pending.new_email as pending_email, pending.expires_at as pending_expires_at
from accounts left join email_changes as pending
  on pending.account_id = accounts.id and pending.confirmed_at is null and pending.expires_at > :now
where accounts.id = :user_id;
