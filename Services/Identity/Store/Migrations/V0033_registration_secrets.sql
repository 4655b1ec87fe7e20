-- Who registered an account is told apart from who merely follows the link of its verification mail (ID-17).

alter table accounts add column registration_secret_hash bytea;
-- squawk-ignore constraint-missing-not-valid
alter table accounts add constraint accounts_registration_secret_length
check (octet_length(registration_secret_hash) = 32);

comment on column accounts.registration_secret_hash is
'SHA-256 of the secret that the client which registered was given; null once the address is verified, and for accounts '
'that were registered before secrets were.';
