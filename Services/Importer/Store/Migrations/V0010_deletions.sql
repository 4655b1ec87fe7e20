alter table tracker_imports add column page_done text[] not null default '{}';

comment on column tracker_imports.page_done is
'The provider''s ids of the activities of the present page that are stored: an interruption does not repeat them.';

alter table tracker_connections add column deleted_until timestamptz;

comment on column tracker_connections.deleted_until is
'Until when the user has deleted what the provider reported: earlier days are not imported again; null if nothing was.';

create table deleted_activities (
  user_id uuid not null,
  provider text not null,
  external_id text not null,
  deleted_at timestamptz not null,
  constraint deleted_activities_pkey primary key (user_id, provider, external_id),
  constraint deleted_activities_provider_length check (char_length(provider) between 1 and 40)
);

comment on table deleted_activities is
'Activities of connected providers that users deleted here, so that the next import does not bring them back (IM-11).';
comment on column deleted_activities.user_id is 'The user.';
comment on column deleted_activities.provider is 'The provider that reported it.';
comment on column deleted_activities.external_id is 'The provider''s id of it.';
comment on column deleted_activities.deleted_at is 'When the user deleted it.';

create table tracker_completions (
  id uuid not null,
  user_id uuid not null,
  begun_at timestamptz not null,
  constraint tracker_completions_pkey primary key (id)
);

create index tracker_completions_users on tracker_completions (user_id);
create index tracker_completions_begun_at on tracker_completions (begun_at);

comment on table tracker_completions is
'Connections whose tokens are being requested: one of a user whose account is deleted meanwhile is not stored (C-9).';
comment on column tracker_completions.id is 'UUIDv7, made by the service.';
comment on column tracker_completions.user_id is 'The user who connects a tracker.';
comment on column tracker_completions.begun_at is 'When the tokens were requested.';
