-- columns: StoredEmailChange
-- A change of an account's address ([ID-15]).
-- @confirmed_at: `nil` while it waits for its confirmation.
-- @undone_at: When it, or one before it, was undone.
change.id as email_change_id, change.account_id as user_id, change.old_email, change.old_email_key, change.new_email,
change.new_email_key, change.requested_at, change.confirmed_at, change.undone_at;

-- fragment: later_changes(chosen)
-- Changes of the account from a given one on, by an expression for its id: that one too, if it took effect.
account_id = :user_id and confirmed_at is not null
and (requested_at, id) >= (select first.requested_at, first.id from email_changes as first where first.id = {{chosen}});

-- name: DropPendingEmailChange :exec
-- Removes the change of an account that waits for its confirmation, with its mail: the last request counts.
delete from email_changes where account_id = :user_id and confirmed_at is null;

-- name: DropEmailChangeOfSession :exec
-- Removes a change that a session requested and that waits for its confirmation.
delete from email_changes where account_id = :user_id and confirmed_at is null and session_id = :session_id;

-- name: InsertEmailChange :exec
-- Adds a change that waits for its confirmation, and queues the mail to the new address.
-- @mail_due_at: When the mail may be sent.
with change as (
  insert into email_changes
    (id, account_id, session_id, old_email, old_email_key, new_email, new_email_key, requested_at, expires_at)
  select :email_change_id, id, :session_id, email, email_key, :new_email, :new_email_key, :now, :expires_at
  from accounts where id = :user_id
  returning id, account_id, new_email
)
insert into deliveries (id, account_id, channel, content, recipient, email_change_id, urgency, created_at, due_at)
select :delivery_id, account_id, 'MAIL', 'EMAIL_CHANGE', new_email, id, 0, :now, :mail_due_at from change;

-- name: EmailIsTaken :one
-- Whether an address belongs to another user who has verified it, or is reserved for one ([ID-15]). An unverified
-- registration does not count: it keeps no address from a user who proves it ([ID-17]).
select
  exists (select from accounts where email_key = :email_key and id <> :user_id and verified_at is not null) or exists (
    select from email_reservations where email_key = :email_key and account_id <> :user_id and expires_at > :now
  ) as "is_taken!";

-- name: InsertEmailChangeToken :one
-- Adds a token by its hash, for the mail that confirms or undoes a change; no row if there is nothing to confirm or to
-- undo any more.
-- @purpose EmailChangePurpose
insert into email_change_tokens (token_hash, email_change_id, purpose, created_at)
select :token_hash, id, :purpose, :now from email_changes
where id = :email_change_id and expires_at > :now and undone_at is null and (confirmed_at is null) = (:purpose = 'CONFIRM')
for share
returning email_change_id;

-- name: EmailChangeByToken :one
-- The change that a token confirms or undoes.
-- @purpose EmailChangePurpose
select {{StoredEmailChange}}
from email_change_tokens as token join email_changes as change on change.id = token.email_change_id
where token.token_hash = :token_hash and token.purpose = :purpose;

-- name: LockedEmailChange :one
-- A change, which is locked, so that it is confirmed and undone once; no row if a newer one replaced it.
select {{StoredEmailChange}} from email_changes as change where change.id = :email_change_id for update;

-- name: FreeUnprovedEmail :exec
-- Frees an address held by an account that was never verified, or by a lapsed reservation: the caller has proved it
-- ([ID-17]).
with unreserved as (delete from email_reservations where email_key = :email_key and expires_at <= :now)
delete from accounts where id in (
  select id from accounts where email_key = :email_key and id <> :user_id and verified_at is null for update
);

-- name: ReplaceEmail :exec
-- Gives an account a new address, removes a reservation that the account had for it and its unused reset tokens, and
-- increments the profile's revision.
--
-- Fails with one of the ``EmailConstraints`` when the address is taken. Waits for concurrent transactions that take it.
with changed as (update accounts set email = :email, email_key = :email_key where id = :user_id),
  unreserved as (delete from email_reservations where email_key = :email_key and account_id = :user_id),
  moot as (delete from password_resets where account_id = :user_id and used_at is null)
update profiles set revision = revision + 1, updated_at = :now where account_id = :user_id;

-- name: NoteEmailChangeConfirmed :exec
-- Records that a change has taken effect, and reserves the old address while it can be undone.
with change as (
  update email_changes set confirmed_at = :now, expires_at = :expires_at where id = :email_change_id
  returning account_id, old_email_key
)
insert into email_reservations (email_key, account_id, expires_at)
select old_email_key, account_id, :expires_at from change
-- The account may have had the address before, and given it up.
on conflict on constraint email_reservations_pkey do update set expires_at = excluded.expires_at;

-- name: VoidEmailChangesFrom :exec
-- Records that there is nothing to undo any more of the changes by which an account lost an address that it has again.
update email_changes set undone_at = :now
where account_id = :user_id and old_email_key = :email_key and confirmed_at is not null and undone_at is null;

-- name: UndoEmailChanges :exec
-- Records that a change and all later ones of the account are undone, and lets go of the addresses that it had in
-- between.
with undone as (
  update email_changes set undone_at = :now where {{later_changes(:email_change_id)}} and undone_at is null
)
delete from email_reservations
where email_reservations.account_id = :user_id
  and email_key in (select old_email_key from email_changes where {{later_changes(:email_change_id)}});

-- name: ClearLoginMethods :exec
-- Removes the password, the passkeys, the linked identities and the known devices of an account whose transaction has
-- locked it. Passwords that were checked before are no longer right.
-- @unknown_hash: What stands for devices that are not known.
with forgotten as (
  update accounts set password_hash = null, password_revision = password_revision + 1 where id = :user_id
), unpaired as (
  delete from passkeys where account_id = :user_id
), unlinked as (
  delete from federated_identities where account_id = :user_id
), remembered as (
  insert into known_devices (account_id, device_hash, last_login_at) values (:user_id, :unknown_hash, :now)
  on conflict on constraint known_devices_pkey do nothing
)
delete from known_devices where account_id = :user_id and device_hash <> :unknown_hash;

-- name: DeleteExpiredEmailChanges :many
-- Removes changes whose link expired a week ago or earlier.
--
-- Until then a user who follows an old link gets the error that it has expired, rather than that it is unknown.
delete from email_changes where id in (
  select id from email_changes where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteLapsedEmailReservations :many
-- Removes reservations of addresses that have lapsed.
delete from email_reservations where email_key in (
  select email_key from email_reservations where expires_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
