-- columns: ConnectionColumns
-- A connection of a user.
-- @created_at: When the user consented.
id, provider, state, subject, scopes, synced_to, deleted_until, synced_at, created_at, history_days;

-- name: ConnectionsOfUser :many
-- The connections of a user that have not ended.
select {{ConnectionColumns}} from tracker_connections where user_id = :user_id and state <> 'ENDING';

-- name: LockConnection :one
-- The connection of a user to a provider, locked until the transaction ends.
select {{ConnectionColumns}} from tracker_connections
where user_id = :user_id and provider = :provider and state <> 'ENDING' for update;

-- name: PutConnection :one
-- Stores a new consent of a user: of a provider that is connected already, the tokens are replaced.
-- What the user deleted while an earlier connection lasted, or after it, stays deleted.
insert into tracker_connections
  (
    id, user_id, provider, state, subject, scopes, sealed_tokens, token_version, expires_at, created_at, history_days,
    deleted_until
  )
values (
  :connection_id, :user_id, :provider, 'CONNECTED', :subject?, :scopes, :sealed_tokens, 1, :expires_at, :now, :history_days,
  (
    select deleted.deleted_until from deleted_providers as deleted
    where deleted.user_id = :user_id and deleted.provider = :provider
  )
)
returning {{ConnectionColumns}};

-- name: RenewConnection :exec
-- Replaces the tokens of a connection by those of a new consent; of another account, for more kinds of data, or where the user wants
-- more of the past, the next import begins at the beginning.
-- @history_days: `nil` for what it was before.
update tracker_connections set
  state = 'CONNECTED',
  deleted_until = case when subject is not distinct from coalesce(:subject?, subject) then deleted_until end,
  synced_to = case
    when subject is not distinct from coalesce(:subject?, subject) and scopes @> :scopes
      and coalesce(:history_days?::int4, history_days) <= history_days then synced_to
  end,
  history_days = coalesce(:history_days?::int4, history_days),
  subject = coalesce(:subject?, subject), scopes = :scopes, sealed_tokens = :sealed_tokens,
  token_version = token_version + 1, expires_at = :expires_at, created_at = :now, refresh_begun_at = null,
  refresh_until = null, refresh_fence = refresh_fence + 1
where id = :connection_id;

-- name: EndConnection :exec
-- Ends a connection; what is left of it is the revocation of its tokens.
update tracker_connections set state = 'ENDING', ended_at = :now, refresh_fence = refresh_fence + 1
where id = :connection_id and state = 'CONNECTED';

-- name: DeleteConnection :exec
-- Removes a connection that has nothing to revoke.
delete from tracker_connections where id = :connection_id;

-- name: BeginCompletion :exec
-- Records that the tokens of a connection are being requested.
insert into tracker_completions (id, user_id, begun_at) values (:completion_id, :user_id, :now);

-- name: EndCompletion :one
-- Ends that; no row where the user's account was deleted meanwhile, or before it began.
delete from tracker_completions
where
  id = :completion_id
  and not exists (select from deleted_users where deleted_users.user_id = tracker_completions.user_id)
returning 1 as "ended!";

-- name: RememberDeletedUser :exec
-- Records that a user's account is deleted, for as long as a call of theirs may be under way.
insert into deleted_users (user_id, deleted_at) values (:user_id, now()) on conflict (user_id) do nothing;

-- name: ForgetDeletedUsers :many
-- Removes some records of users that were deleted long ago.
delete from deleted_users where user_id in (
  select user_id from deleted_users where deleted_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteCompletionsOfUser :exec
-- Forgets the connections whose tokens are being requested of a user whose account is deleted: they are not stored.
delete from tracker_completions where user_id = :user_id;

-- name: DeleteOldCompletions :many
-- Removes some records of connections that were not completed.
delete from tracker_completions where id in (
  select id from tracker_completions where begun_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: NoteDeletedProviders :exec
-- Records that a user has deleted what a provider, or all, reported, for connections that are made later; before it is deleted.
insert into deleted_providers (user_id, provider, deleted_until)
select :user_id, known.provider, :now
from (
  select provider from tracker_connections where user_id = :user_id
  union
  select provider from tracker_imports where user_id = :user_id
  union
  select provider from activity_sources where user_id = :user_id
  union
  select provider from daily_steps where user_id = :user_id
  union
  select provider from sleeps where user_id = :user_id
  union
  select provider from weights where user_id = :user_id
) as known
where :provider?::text is null or known.provider = :provider?
on conflict on constraint deleted_providers_pkey do update set deleted_until = excluded.deleted_until;

-- name: ForgetDeletedProvider :exec
-- Forgets that a user has deleted what a provider reported.
delete from deleted_providers where user_id = :user_id and provider = :provider;

-- name: ForgetDeletedProvidersOfUser :exec
-- Forgets what a user has deleted ([C-9]).
delete from deleted_providers where user_id = :user_id;

-- name: NoteChangedActivity :exec
-- Records that a provider has something new of an activity; not of more than may wait.
insert into changed_activities (connection_id, external_id, user_id, noted_at)
select :connection_id, :external_id, :user_id, :now
where
  (select count(*) from changed_activities as waiting where waiting.connection_id = :connection_id) < :most
on conflict on constraint changed_activities_pkey do update set noted_at = excluded.noted_at;

-- name: NextChangedActivity :one
-- The activity of a connection that has waited longest to be imported.
select external_id, noted_at from changed_activities where connection_id = :connection_id
order by noted_at, external_id limit 1;

-- name: HasChangedActivities :one
-- Whether activities of a connection wait to be imported.
select exists (select from changed_activities where connection_id = :connection_id) as "waits!";

-- name: DropChangedActivity :exec
-- Forgets an activity that was imported, unless the provider has told of it again since a moment.
delete from changed_activities
where connection_id = :connection_id and external_id = :external_id and noted_at <= :moment;

-- name: DropChangedActivities :exec
-- Forgets the activities of a connection that ends.
delete from changed_activities where connection_id = :connection_id;

-- name: DropChangedActivitiesOfUser :exec
-- Forgets the activities of a user that wait to be imported ([C-9]).
delete from changed_activities where user_id = :user_id;

-- name: DropOldChangedActivities :many
-- Removes some activities that could not be imported for long.
delete from changed_activities where (connection_id, external_id) in (
  select connection_id, external_id from changed_activities where noted_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: RestoreDeleted :exec
-- Lets the next import of a connection bring back what the user has deleted, from the beginning.
update tracker_connections set deleted_until = null, synced_to = null where id = :connection_id;

-- name: NoteDeletion :exec
-- Records that a user has deleted what a provider, or all, reported: imports begin behind that.
update tracker_connections set deleted_until = :now
where user_id = :user_id and state <> 'ENDING' and (:provider?::text is null or provider = :provider?);

-- name: EndConnectionsOfUser :exec
-- Ends the connections of a user whose account is deleted.
update tracker_connections set state = 'ENDING', ended_at = coalesce(ended_at, now()), user_id = null,
  sealed_tokens = coalesce(sealed_tokens, ''::bytea), refresh_fence = refresh_fence + 1
where user_id = :user_id;

-- name: EndingConnections :many
-- Some connections whose tokens are still to be revoked, those that ended first before the others.
select id as "connection_id!", ended_at as "ended_at!" from tracker_connections where state = 'ENDING'
order by ended_at limit :limit;

-- name: GiveUpRevocations :many
-- Removes connections that have ended, with the tokens that the provider did not confirm to have revoked, and records for their users
-- that it may keep the consent; of a user who has connected the same account again nothing is left.
-- @user_id: `nil` where the account is deleted, or nothing is left.
with given_up as (
  delete from tracker_connections where id in (
    select id from tracker_connections where id = any(:connection_ids) and state = 'ENDING' for update skip locked
  )
  returning id, provider, ended_at, user_id, subject
),
left_over as (
  select given_up.id, given_up.provider, given_up.user_id, given_up.ended_at from given_up
  where given_up.user_id is not null and not exists (
    select from tracker_connections as other
    where other.provider = given_up.provider and other.state = 'CONNECTED'
      and (other.subject = given_up.subject or (given_up.subject is null and other.user_id = given_up.user_id))
  )
),
recorded as (
  insert into left_consents (user_id, provider, ended_at, given_up_at)
  select user_id, provider, max(ended_at), :now from left_over group by user_id, provider
  on conflict on constraint left_consents_pkey do update
  set ended_at = excluded.ended_at, given_up_at = excluded.given_up_at
)
select given_up.id as "connection_id!", given_up.provider as "provider!", left_over.user_id
from given_up left join left_over on left_over.id = given_up.id;

-- name: LeftConsents :many
-- What providers may have left of consents that a user has ended, the latest of each provider first.
-- @told_after: Of those whose providers are asked no longer, the user has been told of the others long ago.
-- @is_given_up: Whether the provider is asked no longer.
select provider as "provider!", ended_at as "ended_at!", is_given_up as "is_given_up!"
from (
  select provider, ended_at, false as is_given_up from tracker_connections where user_id = :user_id and state = 'ENDING'
  union all
  select provider, ended_at, true as is_given_up from left_consents
  where user_id = :user_id and given_up_at > :told_after
) as consents
order by provider, ended_at desc;

-- name: ForgetLeftConsent :exec
-- Forgets what a provider may have left of a consent, as the user has connected it again.
delete from left_consents where user_id = :user_id and provider = :provider;

-- name: ForgetLeftConsentsOfUser :exec
-- Forgets what providers may have left of a user's consents ([C-9]).
delete from left_consents where user_id = :user_id;

-- name: ForgetOldLeftConsents :many
-- Forgets some that users were told of long ago.
delete from left_consents where (user_id, provider) in (
  select user_id, provider from left_consents where given_up_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: EndingConnection :one
-- A connection whose tokens are to be revoked.
-- @refreshing: Whether new tokens were requested before it ended, and may arrive yet.
-- @replaced: Whether the same account at the provider is connected again.
select
  one.provider, one.subject, one.sealed_tokens, one.ended_at as "ended_at!",
  coalesce(one.refresh_until > clock_timestamp(), false) as "refreshing!",
  exists (
    select from tracker_connections as other
    where other.provider = one.provider and other.state = 'CONNECTED'
      and (other.subject = one.subject or (one.subject is null and other.user_id = one.user_id))
  ) as "replaced!"
from tracker_connections as one
where one.id = :connection_id and one.state = 'ENDING';

-- name: StoreEndingTokens :exec
-- Stores the tokens that a connection which has ended is to be revoked with.
update tracker_connections set sealed_tokens = :sealed_tokens, refresh_until = null
where id = :connection_id and state = 'ENDING';

-- name: TokensOfConnection :one
-- The tokens of a connection; null where the user has to consent again.
select provider, state, sealed_tokens, token_version, expires_at from tracker_connections where id = :connection_id;

-- name: ClaimRefresh :one
-- Takes the sole right to request new tokens, and records that a request begins; no row where another replica has the
-- right, or has stored newer tokens.
-- @lost: Whether the answer to an earlier request was never stored.
with claimed as materialized (
  select id, refresh_begun_at is not null as lost from tracker_connections
  where id = :connection_id and state = 'CONNECTED' and token_version = :token_version
    and (refresh_until is null or refresh_until <= clock_timestamp())
  for update
)
update tracker_connections set
  refresh_fence = refresh_fence + 1, refresh_begun_at = :now,
  refresh_until = clock_timestamp() + make_interval(secs => :seconds::float8)
from claimed where tracker_connections.id = claimed.id
returning tracker_connections.refresh_fence, claimed.lost as "lost!";

-- name: StoreTokens :one
-- Stores the tokens that were received; no row where another request has begun since, or the connection has ended.
update tracker_connections set
  sealed_tokens = :sealed_tokens, token_version = token_version + 1, expires_at = :expires_at, refresh_begun_at = null,
  refresh_until = null
where id = :connection_id and refresh_fence = :refresh_fence and state = 'CONNECTED'
returning token_version;

-- name: ReleaseRefresh :exec
-- Gives up the right to request tokens, though what became of the request is not known.
update tracker_connections set refresh_until = null where id = :connection_id and refresh_fence = :refresh_fence;

-- name: ResealTokens :exec
-- Stores the same tokens under the present key.
update tracker_connections set sealed_tokens = :sealed_tokens
where id = :connection_id and token_version = :token_version and state = 'CONNECTED' and refresh_begun_at is null;

-- name: RequireConsent :one
-- Notes that the provider does not accept the tokens of this version any more.
update tracker_connections set
  state = 'NEEDS_CONSENT', sealed_tokens = null, token_version = token_version + 1, refresh_begun_at = null,
  refresh_until = null, refresh_fence = refresh_fence + 1
where id = :connection_id and token_version = :token_version and state = 'CONNECTED'
returning 1 as "changed!";

-- name: ConnectionOfSubject :one
-- The connection of a user by the provider's id of the user.
select id, user_id as "user_id!", token_version, created_at from tracker_connections
where provider = :provider and subject = :subject and state = 'CONNECTED';

-- name: ConnectionToSync :one
-- The user and the provider of a connection that can be imported from.
select user_id as "user_id!", provider from tracker_connections where id = :connection_id and state = 'CONNECTED';

-- name: ConnectionsOfProvider :many
-- Some connections to a provider, after another one.
-- @after ConnectionID: The last one before; `nil` for the first.
select id as "connection_id!" from tracker_connections
where provider = :provider and state = 'CONNECTED'
  and id > coalesce(:after?::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
order by id limit :limit;

-- name: CountAttempts :one
-- How many attempts of a user to connect are open.
select count(*) as "count!" from authorization_attempts where user_id = :user_id and created_at > :begun_after;

-- name: DeleteAttemptsOfUser :exec
-- Removes the attempts of a user whose account is deleted.
delete from authorization_attempts where user_id = :user_id;

-- columns: ImportColumns
-- An import as its user sees it.
id as import_id, user_id, provider, connection_id, cause, state, missing_kinds, percent, activity_count, step_day_count, sleep_count, weight_count,
skipped_count, retry_at, failure, created_at, finished_at;

-- name: InsertImport :one
-- Begins an import; no row where one of the user and the provider runs.
insert into tracker_imports
  (id, user_id, provider, connection_id, cause, state, streams, missing_kinds, since, until, created_at, changed_at)
values (
  :import_id, :user_id, :provider, :connection_id, :cause, 'GATHERING', :streams, :missing_kinds, :since, :until, :now, :now
)
on conflict (user_id, provider) where state in ('GATHERING', 'IMPORTING') do nothing
returning {{ImportColumns}};

-- name: RunningImport :one
-- The import of a user and a provider that runs.
select id as "import_id!" from tracker_imports
where user_id = :user_id and provider = :provider and state in ('GATHERING', 'IMPORTING');

-- name: CountImports :one
-- How many imports of a provider a user has begun after a moment, at most as many as are counted.
select count(*) as "count!" from (
  select created_at from tracker_imports
  where user_id = :user_id and provider = :provider and cause = 'USER' order by id desc limit :counted
) as latest
where created_at > :begun_after;

-- name: ImportOfUser :one
-- An import of a user.
select {{ImportColumns}} from tracker_imports where id = :import_id and user_id = :user_id;

-- name: ImportsOfUser :many
-- A page of the imports of a user, the newest first.
-- @before ImportID: The last one of the page before.
select {{ImportColumns}} from tracker_imports
where user_id = :user_id and id < coalesce(:before?::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
order by id desc limit :limit;

-- name: LastImports :many
-- The newest import of a user from each provider.
select distinct on (provider) {{ImportColumns}} from tracker_imports where user_id = :user_id order by provider, id desc;

-- name: ImportWork :one
-- What has to be done next for an import that runs, and what is known of its provider.
select
  tracker_imports.user_id, tracker_imports.provider, connection_id, streams, missing_kinds, since, until, stream, page_cursor,
  stream_pages, page_done, page_digests, step, retries, created_at, tracker_providers.blocked_until,
  coalesce(tracker_providers.paused, false) as "paused!", coalesce(tracker_providers.failures, 0) as "failures!",
  tracker_providers.open_until
from tracker_imports left join tracker_providers on tracker_providers.provider = tracker_imports.provider
where id = :import_id and state in ('GATHERING', 'IMPORTING');

-- name: AdvanceImport :one
-- Records that a page was stored; no row where another replica did, or the import has ended.
update tracker_imports set
  state = 'IMPORTING', stream = :stream, page_cursor = :page_cursor?, stream_pages = :stream_pages, step = step + 1,
  percent = greatest(percent, :percent), activity_count = activity_count + :activities,
  step_day_count = step_day_count + :step_days, sleep_count = sleep_count + :sleeps,
  weight_count = weight_count + :weights, skipped_count = skipped_count + :skipped, missing_kinds = :missing_kinds,
  page_done = '{}', retries = 0, retry_at = null, changed_at = :now,
  page_digests = case
    when tracker_imports.stream <> :stream then '{}'::bigint[]
    when :page_digest?::int8 is null then page_digests
    else page_digests || :page_digest?::int8
  end
where id = :import_id and step = :step and state in ('GATHERING', 'IMPORTING')
returning 1 as "changed!";

-- name: KeepPart :one
-- Records that a part of a page was stored; no row where another replica stored something, or the import has ended.
update tracker_imports set
  state = 'IMPORTING', step = step + 1, page_done = page_done || :external_ids::text[],
  activity_count = activity_count + :activities, retries = 0, retry_at = null, changed_at = :now
where id = :import_id and step = :step and state in ('GATHERING', 'IMPORTING')
returning 1 as "changed!";

-- name: PostponeImport :one
-- Records when an import goes on; no row where another replica did something, or it has ended.
update tracker_imports set retries = :retries, retry_at = :retry_at?, step = step + 1, changed_at = :now
where id = :import_id and step = :step and state in ('GATHERING', 'IMPORTING')
returning 1 as "changed!";

-- name: FinishImport :one
-- Ends an import; no row where it has ended, or its step is another.
-- @step: `nil` for whatever step it is at.
-- @state ImportState: How it has ended.
-- @failure ImportFailure: `nil` unless it failed.
update tracker_imports set
  state = :state, failure = :failure?, step = step + 1, retry_at = null, finished_at = :now, changed_at = :now,
  percent = case when :state = 'SUCCEEDED' then 100 else percent end
where id = :import_id and (:step?::int8 is null or step = :step?) and state in ('GATHERING', 'IMPORTING')
returning {{ImportColumns}};

-- name: NoteSync :exec
-- Records that a connection was imported.
-- @synced_to: Until when; `nil` if not all of a time was.
update tracker_connections set synced_to = coalesce(:synced_to?::timestamptz, synced_to), synced_at = :now
where id = :connection_id;

-- name: StuckImports :many
-- Some imports that nothing has happened to for long.
select id as "import_id!", provider, step from tracker_imports
where state in ('GATHERING', 'IMPORTING') and changed_at <= :moment and (retry_at is null or retry_at <= :moment)
order by changed_at limit :limit;

-- name: DeleteImportsOfUser :exec
-- Removes the imports of a user whose account is deleted.
delete from tracker_imports where user_id = :user_id;

-- name: DeleteOldImports :many
-- Removes some imports that ended long ago.
delete from tracker_imports where id in (
  select id from tracker_imports where finished_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: ProviderState :one
-- What is known of a provider.
select paused, blocked_until, open_until from tracker_providers where provider = :provider;

-- name: LockBreaker :one
-- What is known of a provider's failures, which nobody else changes until the end of the transaction.
insert into tracker_providers (provider) values (:provider)
on conflict (provider) do update set provider = excluded.provider
returning failures, open_until;

-- name: PutBreaker :exec
-- Records the failures of a provider.
update tracker_providers set failures = :failures, open_until = :open_until? where provider = :provider;

-- name: ClaimProbe :one
-- Makes an import the only one that asks a provider which did not answer; no row where another one does.
update tracker_providers set open_until = :until
where provider = :provider and open_until <= :now
returning 1 as "claimed!";

-- name: CloseBreaker :one
-- Records that a provider has answered; no row where nothing else was known.
update tracker_providers as closed set failures = 0, open_until = null
from tracker_providers as known
where closed.provider = :provider and known.provider = closed.provider and closed.failures > 0
returning known.open_until is not null as "was_open!";

-- name: NoteAllowance :exec
-- Records what a provider said about further requests; waits only grow.
insert into tracker_providers (provider, blocked_until, requests_left) values (:provider, :blocked_until?, :requests_left?)
on conflict (provider) do update set
  blocked_until = greatest(tracker_providers.blocked_until, excluded.blocked_until),
  requests_left = coalesce(excluded.requests_left, tracker_providers.requests_left);

-- name: SetPaused :exec
-- Pauses a provider, or ends its pause.
insert into tracker_providers (provider, paused) values (:provider, :paused)
on conflict (provider) do update set paused = excluded.paused;

-- name: ProviderFigures :many slow
-- The use of providers.
select
  asked.provider as "provider!", coalesce(known.paused, false) as "paused!", known.blocked_until, known.requests_left,
  known.open_until,
  (
    select count(*) from tracker_connections as one where one.provider = asked.provider and one.state = 'CONNECTED'
  ) as "connected!",
  (
    select count(*) from tracker_connections as one where one.provider = asked.provider and one.state = 'NEEDS_CONSENT'
  ) as "needs_consent!",
  (
    select count(*) from tracker_imports as one
    where one.provider = asked.provider and one.state in ('GATHERING', 'IMPORTING')
  ) as "running!",
  (
    select count(*) from tracker_imports as one
    where one.provider = asked.provider and one.state = 'FAILED' and one.finished_at > :failed_after
  ) as "failed!",
  (
    select min(coalesce(one.synced_at, one.created_at)) from tracker_connections as one
    where one.provider = asked.provider and one.state = 'CONNECTED'
  ) as oldest_sync
from unnest(:providers::text []) as asked (provider) left join tracker_providers as known using (provider);

-- name: NoteWebhookCall :one
-- Records a call of a webhook; no row where the same one came before.
insert into tracker_webhook_calls (digest, received_at) values (:digest, :now)
on conflict (digest) do nothing returning 1 as "added!";

-- name: DeleteOldWebhookCalls :many
-- Removes some records of calls of webhooks.
delete from tracker_webhook_calls where digest in (
  select digest from tracker_webhook_calls where received_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: PausedProviders :many
-- The providers that operators have paused.
select provider from tracker_providers where paused;
