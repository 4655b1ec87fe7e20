create table tracker_connections (
  id uuid not null,
  user_id uuid,
  provider text not null,
  state text not null,
  subject text,
  scopes text[] not null,
  sealed_tokens bytea,
  token_version bigint not null,
  expires_at timestamptz not null,
  refresh_begun_at timestamptz,
  refresh_until timestamptz,
  refresh_fence bigint not null default 0,
  synced_to timestamptz,
  synced_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint tracker_connections_pkey primary key (id),
  constraint tracker_connections_states check (state in ('CONNECTED', 'NEEDS_CONSENT', 'ENDING')),
  constraint tracker_connections_tokens check ((sealed_tokens is null) = (state = 'NEEDS_CONSENT')),
  constraint tracker_connections_user check (user_id is not null or state = 'ENDING'),
  constraint tracker_connections_ended check ((ended_at is not null) = (state = 'ENDING')),
  constraint tracker_connections_provider_length check (char_length(provider) between 1 and 40),
  constraint tracker_connections_subject_length check (char_length(subject) between 1 and 200)
);

create unique index tracker_connections_of_user on tracker_connections (user_id, provider) where state <> 'ENDING';
create unique index tracker_connections_of_subject on tracker_connections (provider, subject) where state <> 'ENDING';
create index tracker_connections_users on tracker_connections (user_id) where user_id is not null;
create index tracker_connections_ending on tracker_connections (ended_at) where state = 'ENDING';
create index tracker_connections_synced on tracker_connections (provider, synced_at) where state = 'CONNECTED';

comment on table tracker_connections is 'Users'' consents to import from providers, with the tokens ([IM-2], [IM-3]).';
comment on column tracker_connections.id is 'UUIDv7, made by the service.';
comment on column tracker_connections.user_id is
'The user; null once the account is deleted and only the revocation is left.';
comment on column tracker_connections.provider is 'The provider''s id, for example strava.';
comment on column tracker_connections.state is
'CONNECTED; NEEDS_CONSENT once the provider does not accept the tokens; ENDING until they are revoked at the provider.';
comment on column tracker_connections.subject is
'The provider''s id of the user; null where the provider does not say.';
comment on column tracker_connections.scopes is 'What the user has allowed.';
comment on column tracker_connections.sealed_tokens is
'Access and refresh token under the service''s seal key (AES-256-GCM), with the id as associated data.';
comment on column tracker_connections.token_version is 'Grows with every change of the tokens.';
comment on column tracker_connections.expires_at is 'When the access token expires.';
comment on column tracker_connections.refresh_begun_at is
'Set before new tokens are requested and cleared with their arrival: if it is still set at the next request, '
'the answer to '
'an earlier one was lost, perhaps with a rotated refresh token.';
comment on column tracker_connections.refresh_until is
'Until when, by the database''s clock, one replica alone requests tokens.';
comment on column tracker_connections.refresh_fence is
'Grows with every request for tokens: answers to older ones are not stored.';
comment on column tracker_connections.synced_to is 'Until when data was imported; the next import overlaps it.';
comment on column tracker_connections.synced_at is 'When an import last succeeded.';
comment on column tracker_connections.created_at is 'When the user consented, for the last time.';
comment on column tracker_connections.ended_at is 'When the user disconnected the tracker, or the account was deleted.';

create table tracker_imports (
  id uuid not null,
  user_id uuid not null,
  provider text not null,
  connection_id uuid not null,
  cause text not null,
  state text not null,
  streams text[] not null,
  missing_kinds text[] not null,
  since timestamptz not null,
  until timestamptz not null,
  stream integer not null default 0,
  page_cursor text,
  stream_pages integer not null default 0,
  step bigint not null default 0,
  percent integer not null default 0,
  activity_count integer not null default 0,
  step_day_count integer not null default 0,
  sleep_count integer not null default 0,
  weight_count integer not null default 0,
  skipped_count integer not null default 0,
  retries integer not null default 0,
  retry_at timestamptz,
  failure text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  finished_at timestamptz,
  constraint tracker_imports_pkey primary key (id),
  constraint tracker_imports_causes check (cause in ('USER', 'SCHEDULE', 'WEBHOOK')),
  constraint tracker_imports_states check (
    state in ('GATHERING', 'IMPORTING', 'SUCCEEDED', 'FAILED', 'CANCELLED')
  ),
  constraint tracker_imports_failures check ((failure is not null) = (state = 'FAILED')),
  constraint tracker_imports_finished check ((finished_at is null) = (state in ('GATHERING', 'IMPORTING'))),
  constraint tracker_imports_percent check (percent between 0 and 100),
  constraint tracker_imports_cursor_length check (octet_length(page_cursor) between 1 and 1000)
);

create unique index tracker_imports_running on tracker_imports (user_id, provider)
where state in ('GATHERING', 'IMPORTING');
create index tracker_imports_stuck on tracker_imports (changed_at) where state in ('GATHERING', 'IMPORTING');
create index tracker_imports_of_user on tracker_imports (user_id, id);
create index tracker_imports_finished_at on tracker_imports (finished_at) where finished_at is not null;

comment on table tracker_imports is
'Imports from providers, running and ended ([IM-4]); one per user and provider runs at a time.';
comment on column tracker_imports.id is 'UUIDv7, made by the service: later imports have greater ids.';
comment on column tracker_imports.user_id is 'The user.';
comment on column tracker_imports.provider is 'The provider''s id.';
comment on column tracker_imports.connection_id is 'The connection whose tokens are used.';
comment on column tracker_imports.cause is
'Who began it: the user is notified of the end of imports that the user began ([IM-12]).';
comment on column tracker_imports.state is 'GATHERING before the first page, IMPORTING behind it, then how it ended.';
comment on column tracker_imports.streams is 'What is imported, in order, by the names of the provider''s adapter.';
comment on column tracker_imports.missing_kinds is 'The kinds of data that the user has not allowed ([IM-9]).';
comment on column tracker_imports.since is 'The beginning of the time of which data is imported.';
comment on column tracker_imports.until is 'The end of that time.';
comment on column tracker_imports.stream is 'The place in streams of the one that is being imported.';
comment on column tracker_imports.page_cursor is 'Where the next page of it begins; null at its first.';
comment on column tracker_imports.stream_pages is 'Pages of it that were stored.';
comment on column tracker_imports.step is
'Grows with every page, retry and end: who stores a page must have read the same step, so that none is stored twice.';
comment on column tracker_imports.percent is 'An estimate of how much is done.';
comment on column tracker_imports.activity_count is 'Activities received.';
comment on column tracker_imports.step_day_count is 'Days with steps received.';
comment on column tracker_imports.sleep_count is 'Sleeps received.';
comment on column tracker_imports.weight_count is 'Weights received.';
comment on column tracker_imports.skipped_count is 'Records that could not be read.';
comment on column tracker_imports.retries is 'How often in a row the next page could not be had.';
comment on column tracker_imports.retry_at is 'When it is tried again, or the provider''s wait is over.';
comment on column tracker_imports.failure is 'Why it failed.';
comment on column tracker_imports.created_at is 'When it was requested.';
comment on column tracker_imports.changed_at is 'When anything of it last changed.';
comment on column tracker_imports.finished_at is 'When it ended.';

create table tracker_providers (
  provider text not null,
  paused boolean not null default false,
  blocked_until timestamptz,
  requests_left bigint,
  constraint tracker_providers_pkey primary key (provider),
  constraint tracker_providers_provider_length check (char_length(provider) between 1 and 40)
);

comment on table tracker_providers is 'What all replicas have to know of a provider before they send it a request.';
comment on column tracker_providers.provider is 'The provider''s id.';
comment on column tracker_providers.paused is 'Whether operators let no requests be sent.';
comment on column tracker_providers.blocked_until is 'Until when the provider asked to wait.';
comment on column tracker_providers.requests_left is 'Requests left, as the provider last said; null if it does not.';

create table tracker_webhook_calls (
  digest bytea not null,
  received_at timestamptz not null,
  constraint tracker_webhook_calls_pkey primary key (digest),
  constraint tracker_webhook_calls_digest_length check (octet_length(digest) = 32)
);

create index tracker_webhook_calls_received_at on tracker_webhook_calls (received_at);

comment on table tracker_webhook_calls is
'Calls of providers'' webhooks of the last day, so that a repeated one has no effect.';
comment on column tracker_webhook_calls.digest is 'SHA-256 of provider, query and body.';
comment on column tracker_webhook_calls.received_at is 'When it first came.';
