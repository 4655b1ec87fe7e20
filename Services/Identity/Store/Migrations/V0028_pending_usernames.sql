-- A registration that is not verified keeps a username from no user who is (ID-17): several may wait with the same one,
-- and the first that is verified gets it.
--
-- A replica of an older version, which runs until this one has started, asks for the name first and refuses what is
-- pending.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion

create index accounts_username_idx on accounts (lower(username) collate "C");

drop index accounts_username_key;
create unique index accounts_username_key on accounts (lower(username) collate "C") where verified_at is not null;

-- The verification of an account takes its username, as a registration did before.
create or replace trigger accounts_username_not_reserved
after insert or update of username, verified_at on accounts
for each row execute function refuse_reserved_username();

comment on table accounts is
'A user who registered. Unverified ones lapse seven days after registered_at; until then they keep the address from '
'other registrations, but not from users who prove it (ID-1, ID-17).';
comment on column accounts.username is
'The name as its owner wrote it; compared without case (ID-2). Unique among verified accounts.';
