create table left_consents (
  user_id uuid not null,
  provider text not null,
  ended_at timestamptz not null,
  given_up_at timestamptz not null,
  constraint left_consents_pkey primary key (user_id, provider),
  constraint left_consents_provider_length check (char_length(provider) between 1 and 40)
);

create index left_consents_given_up_at on left_consents (given_up_at);

comment on table left_consents is
'Consents that users have ended here, and whose revocation the provider did not confirm (IM-11): users are told.';
comment on column left_consents.user_id is 'The user.';
comment on column left_consents.provider is 'The provider''s id.';
comment on column left_consents.ended_at is 'When the user disconnected the tracker.';
comment on column left_consents.given_up_at is 'When the provider was asked no longer, and the tokens were removed.';
