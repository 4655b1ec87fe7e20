-- columns: StoredIdentity
-- A stored linked identity.
-- @email: The address that the provider reported when the identity was linked.
-- @last_used_at: `nil` until the first login with it.
id, account_id as user_id, issuer, subject, email, created_at, last_used_at;

-- name: IdentityBySubject :one
-- Selects a linked identity by issuer and subject, of any account.
select {{StoredIdentity}} from federated_identities where issuer = :issuer and subject = :subject;

-- name: HoldIdentityOwner :one
-- Keeps an account from being locked or deleted until the transaction ends, and returns what decides whether its owner
-- may log in; returns no row when it is deleted or has lapsed ([ID-1]).
select verified_at is not null as "is_verified!", locked_at is not null as "is_locked!" from accounts
where id = :user_id and (verified_at is not null or registered_at > :registered_after)
for no key update;

-- name: NoteIdentityUse :one
-- Records a login with an identity; returns no row when it has been unlinked.
update federated_identities set last_used_at = greatest(:now, created_at) where id = :identity_id returning id;

-- name: InsertIdentity :one
-- Links an identity; returns no row when it is linked already. Waits for concurrent links of the same identity.
insert into federated_identities (id, account_id, issuer, subject, email, created_at, last_used_at)
values (:identity_id, :user_id, :issuer, :subject, :email?, :created_at, :last_used_at?)
on conflict on constraint federated_identities_issuer_subject_key do nothing
returning id;

-- name: IdentitiesOf :many
-- Selects the identities of an account, the oldest first.
select {{StoredIdentity}} from federated_identities where account_id = :user_id order by id;

-- name: DeleteIdentity :exec
-- Unlinks an identity from an account.
delete from federated_identities where id = :identity_id and account_id = :user_id;

-- name: DeleteIdentitiesOf :exec
-- Unlinks all identities from an account.
delete from federated_identities where account_id = :user_id;

-- name: FreeLapsedIdentity :exec
-- Removes an unverified account that has lapsed and holds an identity ([ID-1]).
delete from accounts
where id = (select account_id from federated_identities where issuer = :issuer and subject = :subject)
  and verified_at is null and registered_at <= :registered_before;
