-- What providers say of single activities, how far a first import reaches back, and deletions that last.
-- The constraint on connections is checked at once: users have few.
-- squawk-ignore-file constraint-missing-not-valid

alter table tracker_imports add column page_digests bigint[] not null default '{}';

comment on column tracker_imports.page_digests is
'Digests of the pages of the present stream that were stored: one that comes again ends the stream.';

alter table tracker_connections
add column history_days integer not null default 365,
add constraint tracker_connections_history check (history_days between 1 and 36500);

comment on column tracker_connections.history_days is
'How many days the first import reaches back, as the user chose; 36500 stands for all there is (IM-6).';

create table changed_activities (
  connection_id uuid not null,
  external_id text not null,
  user_id uuid not null,
  noted_at timestamptz not null,
  constraint changed_activities_pkey primary key (connection_id, external_id),
  constraint changed_activities_length check (char_length(external_id) between 1 and 200)
);

create index changed_activities_users on changed_activities (user_id);
create index changed_activities_noted_at on changed_activities (noted_at);

comment on table changed_activities is
'Activities that a provider said are new or changed, until they are imported, however old they are (IM-6).';
comment on column changed_activities.connection_id is 'The connection whose tokens they are asked for with.';
comment on column changed_activities.external_id is 'The provider''s id of it.';
comment on column changed_activities.user_id is 'Whose activity.';
comment on column changed_activities.noted_at is 'When the provider said so for the last time.';

create table deleted_providers (
  user_id uuid not null,
  provider text not null,
  deleted_until timestamptz not null,
  constraint deleted_providers_pkey primary key (user_id, provider),
  constraint deleted_providers_provider_length check (char_length(provider) between 1 and 40)
);

comment on table deleted_providers is
'Until when users have deleted all that a provider reported: it stays so if they connect it anew (IM-11).';
comment on column deleted_providers.user_id is 'The user.';
comment on column deleted_providers.provider is 'The provider''s id.';
comment on column deleted_providers.deleted_until is 'When it was deleted; earlier days are not imported again.';

alter table weights add column composition text;

comment on column weights.composition is
'What the provider reported of the body in a record of its own, measured with the weight, as JSON; '
'null if nothing (IM-7).';
