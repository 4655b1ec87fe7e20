-- Push tokens are sealed, and found by a hash.

alter table devices add column token_hash bytea;
alter table devices add column sealed_token bytea;
update devices set token_hash = sha256(convert_to(token, 'UTF8'));
-- The table has one row for each device that somebody carries: it is short while these look through it.
-- squawk-ignore adding-not-nullable-field
alter table devices alter column token_hash set not null;
-- squawk-ignore ban-drop-not-null
alter table devices alter column token drop not null;
-- squawk-ignore ban-drop-constraint
alter table devices drop constraint devices_token_key;
-- squawk-ignore disallowed-unique-constraint, constraint-missing-not-valid
alter table devices add constraint devices_token_hash_key unique (token_hash);
-- squawk-ignore constraint-missing-not-valid
alter table devices add constraint devices_token_hash_length check (octet_length(token_hash) = 32);
-- squawk-ignore constraint-missing-not-valid
alter table devices add constraint devices_sealed_token_length check (octet_length(sealed_token) <= 2048);
-- squawk-ignore constraint-missing-not-valid
alter table devices add constraint devices_token_once check (num_nonnulls(token, sealed_token) = 1);

comment on column devices.token is
'What the platform gave the app, of a device that was registered before tokens were sealed; null once it is sealed, '
'which the service does soon after its start.';
comment on column devices.token_hash is 'SHA-256 of the token, by which it is found.';
comment on column devices.sealed_token is
'What the platform gave the app, sealed by the service and bound to the hash; null until it is sealed.';
