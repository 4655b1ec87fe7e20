-- Logging in by an account elsewhere (ID-12).
--
-- What is altered was made by the step before this one and is empty, or only loses a condition: nothing is scanned.
-- A replica of an older version cannot read an account without a password; there is none until this version makes one.
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, ban-drop-not-null

-- Whoever came by a provider has no password unless they choose one.
alter table accounts alter column password_hash drop not null;

comment on column accounts.password_hash is
'scrypt in PHC string format, with its own parameters and salt; null for an account without a password, which is '
'logged in to by a provider or a passkey.';

alter table authorization_attempts
add constraint authorization_attempts_person_fkey foreign key (person_id) references accounts (id) on delete cascade;

create table federated_identities (
  id uuid not null,
  account_id uuid not null,
  issuer text not null,
  subject text not null,
  email text,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint federated_identities_pkey primary key (id),
  constraint federated_identities_issuer_subject_key unique (issuer, subject),
  constraint federated_identities_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint federated_identities_issuer_length check (char_length(issuer) between 1 and 1000),
  constraint federated_identities_subject_length check (char_length(subject) between 1 and 255),
  constraint federated_identities_email_length check (char_length(email) between 3 and 320)
);

create index federated_identities_account_idx on federated_identities (account_id, id);

comment on table federated_identities is
'Who somebody is at a provider, and whose account that identity logs in to; at most ten of an account. It goes with '
'the account.';
comment on column federated_identities.id is 'UUIDv7, made by the service.';
comment on column federated_identities.account_id is 'Whose account it logs in to.';
comment on column federated_identities.issuer is
'The provider''s issuer, by which a provider is known whatever the settings call it.';
comment on column federated_identities.subject is 'What the provider knows the person by, for ever.';
comment on column federated_identities.email is
'The address that the provider told when it was linked, for the owner to know it by; nothing depends on it. Null '
'where none was told.';
comment on column federated_identities.created_at is 'When it was linked.';
comment on column federated_identities.last_used_at is 'When somebody last logged in by it; null until then.';
