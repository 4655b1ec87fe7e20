// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Idempotency
import Jobs
import OAuth2
import Pictures
import Postgres

extension IdentitySchema {
  /// In order; a migration that was released is never edited.
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "accounts", sql: accountsSQL),
    EventsSchema.events(version: 2),
    JobsSchema.jobs(version: 3),
    Migration(version: 4, name: "notifications", sql: notificationsSQL),
    Migration(version: 5, name: "reminder_jobs", sql: reminderJobsSQL),
    Migration(version: 6, name: "sealed_devices", sql: sealedDevicesSQL),
    Migration(version: 7, name: "throttles", sql: throttlesSQL),
    Migration(version: 8, name: "password_resets", sql: passwordResetsSQL),
    Migration(version: 9, name: "blocks", sql: blocksSQL),
    Migration(version: 10, name: "groups", sql: groupsSQL),
    Migration(version: 11, name: "security_events", sql: securityEventsSQL),
    Migration(version: 12, name: "account_locks", sql: accountLocksSQL),
    PicturesSchema.pictures(version: 13),
    Migration(version: 14, name: "profile_pictures", sql: profilePicturesSQL),
    Migration(version: 15, name: "passkeys", sql: passkeysSQL),
    Migration(version: 16, name: "departures", sql: departuresSQL),
    Migration(version: 17, name: "badges", sql: badgesSQL),
    Migration(version: 18, name: "username_reservations", sql: usernameReservationsSQL),
    OAuth2Schema.authorizationAttempts(version: 19),
    Migration(version: 20, name: "federated_identities", sql: federatedIdentitiesSQL),
    Migration(version: 21, name: "session_proofs", sql: sessionProofsSQL),
    EventsSchema.eventsUpkeep(version: 22),
    Migration(version: 23, name: "refilling_throttles", sql: refillingThrottlesSQL),
    PicturesSchema.pictureUsers(version: 24),
    OAuth2Schema.attemptUsers(version: 25),
  ]

  private static let accountsSQL = """
    -- People, their credentials, sessions and profiles.
    --
    -- Times that rules are about come from the service's clock as parameters, never from now(), so that a test decides
    -- what time it is.
    -- The one exception is sessions.revoked_at, which replicas compare with each other and therefore is the database's.

    create table accounts (
      id uuid not null,
      email text not null,
      email_key text not null,
      username text not null,
      password_hash text not null,
      registered_at timestamptz not null,
      verified_at timestamptz,
      constraint accounts_pkey primary key (id),
      constraint accounts_email_key unique (email_key),
      constraint accounts_email_length check (char_length(email) between 3 and 320),
      constraint accounts_username_characters check (username ~ '^[A-Za-z0-9_.]{3,30}$'),
      constraint accounts_password_hash_format check (password_hash like '$%$%'),
      constraint accounts_verified_after_registration check (verified_at >= registered_at)
    );

    create unique index accounts_username_key on accounts (lower(username) collate "C");
    create index accounts_lapsing_idx on accounts (registered_at) where verified_at is null;

    comment on table accounts is
    'A person who registered. Unverified ones lapse seven days after registered_at and give both names back (ID-1).';
    comment on column accounts.id is 'UUIDv7, made by the service.';
    comment on column accounts.email is 'The address as its owner wrote it; mail goes to this spelling.';
    comment on column accounts.email_key is
    'The address as it is compared: quotes that mean nothing taken off, lower case (ID-2).';
    comment on column accounts.username is 'The name as its owner wrote it; compared without case (ID-2).';
    comment on column accounts.password_hash is 'scrypt in PHC string format, with its own parameters and salt.';
    comment on column accounts.registered_at is 'When the account was made.';
    comment on column accounts.verified_at is 'When the owner followed the link of a verification mail; null until then.';

    create table email_verifications (
      token_hash bytea not null,
      account_id uuid not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      constraint email_verifications_pkey primary key (token_hash),
      constraint email_verifications_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint email_verifications_token_hash_length check (octet_length(token_hash) = 32),
      constraint email_verifications_expiry check (expires_at > created_at)
    );

    create index email_verifications_account_idx on email_verifications (account_id);
    create index email_verifications_expires_at_idx on email_verifications (expires_at);

    comment on table email_verifications is
    'Tokens that were mailed to prove an address: the newest of each account, and those that were used (ID-4).';
    comment on column email_verifications.token_hash is
    'SHA-256 of the token, which itself is in the mail and nowhere else.';
    comment on column email_verifications.account_id is 'Whose address it proves.';
    comment on column email_verifications.created_at is 'When the token was made: just before its mail was handed over.';
    comment on column email_verifications.expires_at is 'From when on it is refused.';
    comment on column email_verifications.used_at is 'When it was used; null until then, and never used again after.';

    create table verification_requests (
      email_hash bytea not null,
      requested_at timestamptz,
      constraint verification_requests_pkey primary key (email_hash),
      constraint verification_requests_email_hash_length check (octet_length(email_hash) = 32)
    );

    create index verification_requests_requested_at_idx on verification_requests (requested_at);

    comment on table verification_requests is
    'When a verification mail was last asked for, also of addresses that nobody registered: the cooldown must not '
    'tell them apart (ID-4).';
    comment on column verification_requests.email_hash is
    'SHA-256 of the address as it is compared, so that no stranger''s address is kept.';
    comment on column verification_requests.requested_at is 'When; null only inside the transaction that makes the row.';

    create table sessions (
      id uuid not null,
      account_id uuid not null,
      family_hash bytea not null,
      refresh_hash bytea not null,
      previous_hash bytea,
      rotation_request_id uuid,
      device_label text not null,
      address text not null,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      constraint sessions_pkey primary key (id),
      constraint sessions_family_hash_key unique (family_hash),
      constraint sessions_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint sessions_hash_lengths check (
        octet_length(family_hash) = 32 and octet_length(refresh_hash) = 32 and octet_length(previous_hash) = 32
      ),
      constraint sessions_device_label_length check (char_length(device_label) <= 100),
      constraint sessions_times check (last_used_at >= created_at and expires_at > created_at)
    );

    create index sessions_account_idx on sessions (account_id);
    create index sessions_expires_at_idx on sessions (expires_at);
    create index sessions_revoked_at_idx on sessions (revoked_at) where revoked_at is not null;

    comment on table sessions is 'One login of one device, kept alive by a rotating refresh token (ID-6).';
    comment on column sessions.id is 'UUIDv7; the claim sid of the session''s access tokens.';
    comment on column sessions.account_id is 'Who logged in.';
    comment on column sessions.family_hash is
    'SHA-256 of the part that all refresh tokens of the session share: it finds the session, and shows that a token '
    'was once issued for it.';
    comment on column sessions.refresh_hash is
    'SHA-256 of the part that changes with every rotation; a token of the family with another one was used before, '
    'which ends the session.';
    comment on column sessions.previous_hash is 'The refresh_hash before the last rotation; null before the first.';
    comment on column sessions.rotation_request_id is
    'The request_id of the last rotation, which may be repeated for a minute (ID-6); null when it had none.';
    comment on column sessions.device_label is 'What the client calls the device; empty when it does not say.';
    comment on column sessions.address is 'The peer''s address at the last use, without its port.';
    comment on column sessions.created_at is 'When the person logged in.';
    comment on column sessions.last_used_at is 'When the refresh token was last rotated, or created_at.';
    comment on column sessions.expires_at is 'From when on the current refresh token is refused.';
    comment on column sessions.revoked_at is
    'When the session ended by logout or by the reuse of a token, by the database''s clock; null while it lives (ID-7).';

    create table profiles (
      account_id uuid not null,
      gender text not null,
      date_of_birth date not null,
      level text not null,
      interests text[] not null,
      strengths text[] not null,
      time_zone text not null,
      phone text not null,
      revision bigint not null default 1,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint profiles_pkey primary key (account_id),
      constraint profiles_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint profiles_gender_known check (gender in ('MALE', 'FEMALE', 'OTHER')),
      constraint profiles_level_known check (level in ('NOVICE', 'BEGINNER', 'INTERMEDIATE', 'ADVANCED', 'EXPERT')),
      constraint profiles_time_zone_length check (char_length(time_zone) between 1 and 64),
      constraint profiles_phone_format check (phone ~ '^([+][1-9][0-9]{6,14})?$'),
      constraint profiles_revision_positive check (revision > 0)
    );

    comment on table profiles is 'What a person tells others, made after the first login (ID-20).';
    comment on column profiles.account_id is 'Whose profile it is; the username is the account''s.';
    comment on column profiles.gender is 'MALE, FEMALE or OTHER.';
    comment on column profiles.date_of_birth is 'Checked against today in the person''s zone when it is written (ID-21).';
    comment on column profiles.level is 'NOVICE, BEGINNER, INTERMEDIATE, ADVANCED or EXPERT.';
    comment on column profiles.interests is
    'Ids from the fixed list of ListProfileOptions, each once, in the order chosen.';
    comment on column profiles.strengths is
    'Ids from the fixed list of ListProfileOptions, each once, in the order chosen.';
    comment on column profiles.time_zone is 'An IANA name that the database knows (C-8).';
    comment on column profiles.phone is 'E.164; empty when the person gives none (ID-23).';
    comment on column profiles.revision is 'Goes up by one with every change; the profile''s etag.';
    comment on column profiles.created_at is 'When the profile was made.';
    comment on column profiles.updated_at is 'When it was last changed.';

    create table signing_keys (
      id text not null,
      public_key bytea not null,
      sealed_private_key bytea not null,
      created_at timestamptz not null,
      constraint signing_keys_pkey primary key (id),
      constraint signing_keys_public_key_length check (octet_length(public_key) = 32)
    );

    comment on table signing_keys is
    'Ed25519 keys that sign access tokens, shared by all replicas. The newest that every replica has had time to see '
    'signs.';
    comment on column signing_keys.id is 'The JWK thumbprint of the public key; the header kid of tokens.';
    comment on column signing_keys.public_key is 'The 32 bytes that ListKeys serves.';
    comment on column signing_keys.sealed_private_key is
    'The private key under the service''s seal key (AES-256-GCM), with the id as associated data.';
    comment on column signing_keys.created_at is 'When the key was made; it signs a while later.';

    create table outgoing_mail (
      id uuid not null,
      account_id uuid not null,
      kind text not null,
      attempts integer not null default 0,
      due_at timestamptz not null,
      last_failure text,
      constraint outgoing_mail_pkey primary key (id),
      constraint outgoing_mail_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint outgoing_mail_kind_known check (kind in ('EMAIL_VERIFICATION')),
      constraint outgoing_mail_attempts_counted check (attempts >= 0)
    );

    create index outgoing_mail_due_at_idx on outgoing_mail (due_at);
    create index outgoing_mail_account_idx on outgoing_mail (account_id);

    comment on table outgoing_mail is
    'Mail that was decided on together with its cause and is yet to be handed to the mail server. It holds no secret: '
    'a token is made when its mail is sent.';
    comment on column outgoing_mail.id is 'UUIDv7; also the Message-ID.';
    comment on column outgoing_mail.account_id is 'Whom it goes to.';
    comment on column outgoing_mail.kind is 'What it says.';
    comment on column outgoing_mail.attempts is 'How often a replica took it to send.';
    comment on column outgoing_mail.due_at is
    'When it may be taken; taking it moves this ahead, so that a replica that dies leaves it to the next attempt.';
    comment on column outgoing_mail.last_failure is 'Why the last attempt failed, for the operator.';

    create table replays (
      caller text not null,
      method text not null,
      request_id uuid not null,
      sealed_answer bytea not null default '',
      created_at timestamptz not null,
      constraint replays_pkey primary key (caller, method, request_id)
    );

    create index replays_created_at_idx on replays (created_at);

    comment on table replays is
    'First answers to calls that carried a request_id, to be given again for a day (C-4). Written in the transaction '
    'of the call''s effect.';
    comment on column replays.caller is 'The account''s id; empty for a caller who is not logged in.';
    comment on column replays.method is 'The method''s full name.';
    comment on column replays.request_id is 'The client''s id for the call, of any UUID version.';
    comment on column replays.sealed_answer is
    'The request''s SHA-256 and the answer, both under the service''s seal key because they may hold passwords and '
    'tokens; empty only inside the transaction that makes it.';
    comment on column replays.created_at is 'When the call was first made.';

    """

  private static let notificationsSQL = """
    -- What people are told: inboxes, preferences, devices, reminders, and the mail and pushes that are on their way.

    create table inboxes (
      account_id uuid not null,
      last_sequence bigint not null default 0,
      constraint inboxes_pkey primary key (account_id),
      constraint inboxes_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint inboxes_last_sequence_counted check (last_sequence >= 0)
    );

    comment on table inboxes is
    'How far each person''s notifications are numbered. Whoever adds one locks the row first, so that numbers commit in '
    'their order and a reader who knows one has missed none below it (ID-60).';
    comment on column inboxes.account_id is 'Whose inbox it is; there is none before the first notification.';
    comment on column inboxes.last_sequence is 'The number of the newest notification; 0 before the first.';

    create table notifications (
      id uuid not null,
      account_id uuid not null,
      sequence bigint not null,
      source_key text not null,
      kind text not null,
      title text not null,
      body text not null,
      subject text not null,
      created_at timestamptz not null,
      read_at timestamptz,
      constraint notifications_pkey primary key (id),
      constraint notifications_sequence_key unique (account_id, sequence),
      constraint notifications_source_key unique (account_id, source_key),
      constraint notifications_inbox_fkey foreign key (account_id) references inboxes (account_id) on delete cascade,
      constraint notifications_sequence_counted check (sequence > 0),
      constraint notifications_source_key_length check (char_length(source_key) between 1 and 200),
      constraint notifications_kind_format check (kind ~ '^[A-Z_]{1,40}$'),
      constraint notifications_title_length check (char_length(title) between 1 and 200),
      constraint notifications_body_length check (char_length(body) between 1 and 1000),
      constraint notifications_subject_length check (char_length(subject) <= 200)
    );

    create index notifications_unread_idx on notifications (account_id, sequence) where read_at is null;
    create index notifications_created_at_idx on notifications (created_at);

    comment on table notifications is 'What people were told, kept for 180 days (ID-60).';
    comment on column notifications.id is 'UUIDv7, made by the service.';
    comment on column notifications.account_id is 'Who was told.';
    comment on column notifications.sequence is 'Its place in the inbox: 1, 2, 3 and so on, without gaps when it is made.';
    comment on column notifications.source_key is
    'What it was made for: an event''s id, or a day. The same one twice is stored once (ID-60).';
    comment on column notifications.kind is 'What it is about; the program knows the kinds.';
    comment on column notifications.title is 'A few words to show first.';
    comment on column notifications.body is 'A sentence to show below them.';
    comment on column notifications.subject is 'What it concerns, as a path of words and ids; may be empty.';
    comment on column notifications.created_at is 'When it was stored.';
    comment on column notifications.read_at is 'When it was marked as read; null until then.';

    create table notification_preferences (
      account_id uuid not null,
      kind text not null,
      by_mail boolean not null,
      by_push boolean not null,
      constraint notification_preferences_pkey primary key (account_id, kind),
      constraint notification_preferences_account_fkey
      foreign key (account_id) references accounts (id) on delete cascade,
      constraint notification_preferences_kind_format check (kind ~ '^[A-Z_]{1,40}$')
    );

    comment on table notification_preferences is
    'What people chose instead of a kind''s own channels (ID-61).';
    comment on column notification_preferences.account_id is 'Who chose.';
    comment on column notification_preferences.kind is 'The kind of notification.';
    comment on column notification_preferences.by_mail is 'Whether it is mailed.';
    comment on column notification_preferences.by_push is 'Whether it is pushed to the person''s devices.';

    create table devices (
      id uuid not null,
      account_id uuid not null,
      platform text not null,
      token text not null,
      registered_at timestamptz not null,
      constraint devices_pkey primary key (id),
      constraint devices_token_key unique (token),
      constraint devices_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint devices_platform_known check (platform in ('APPLE', 'FIREBASE', 'WEB')),
      constraint devices_token_characters check (token ~ '^[!-~]+$' and char_length(token) <= 1024)
    );

    create index devices_account_idx on devices (account_id, registered_at);

    comment on table devices is 'Devices that notifications are pushed to (ID-62).';
    comment on column devices.id is 'UUIDv7, made by the service.';
    comment on column devices.account_id is 'Who uses it: whoever registered its token last.';
    comment on column devices.platform is 'Whose push service the token comes from.';
    comment on column devices.token is
    'What the platform gave the app; of use only together with the push gateway''s credentials.';
    comment on column devices.registered_at is 'When the token was last registered.';

    create table reminders (
      account_id uuid not null,
      minute_of_day smallint not null,
      weekdays smallint[] not null,
      state text not null,
      due_at timestamptz,
      last_day date,
      constraint reminders_pkey primary key (account_id),
      constraint reminders_profile_fkey foreign key (account_id) references profiles (account_id) on delete cascade,
      constraint reminders_minute_of_day_range check (minute_of_day between 0 and 1439),
      constraint reminders_weekdays_known check (
        cardinality(weekdays) between 1 and 7 and weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]
      ),
      constraint reminders_state_known check (state in ('ON', 'OFF')),
      constraint reminders_due_when_on check ((state = 'ON') = (due_at is not null))
    );

    create index reminders_due_at_idx on reminders (due_at) where due_at is not null;

    comment on table reminders is 'Daily reminders to train, in the time zone of the profile (ID-63).';
    comment on column reminders.account_id is 'Whom it reminds.';
    comment on column reminders.minute_of_day is 'The local time, in minutes after midnight.';
    comment on column reminders.weekdays is '1 for Monday to 7 for Sunday, ascending.';
    comment on column reminders.state is 'ON or OFF.';
    comment on column reminders.due_at is
    'When it reminds next; reckoned anew with every change of plan or zone and after every reminder. Null while OFF.';
    comment on column reminders.last_day is
    'The local day that it last reminded on, or was too late for: it does not come twice on one day.';

    create table deliveries (
      id uuid not null,
      account_id uuid not null,
      channel text not null,
      content text not null,
      notification_id uuid,
      device_id uuid,
      state text not null default 'DUE',
      attempts integer not null default 0,
      possible_sends smallint not null default 0,
      created_at timestamptz not null,
      due_at timestamptz not null,
      settled_at timestamptz,
      last_failure text,
      constraint deliveries_pkey primary key (id),
      constraint deliveries_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint deliveries_notification_fkey
      foreign key (notification_id) references notifications (id) on delete cascade,
      constraint deliveries_device_fkey foreign key (device_id) references devices (id) on delete cascade,
      constraint deliveries_channel_known check (channel in ('MAIL', 'PUSH')),
      constraint deliveries_content_known check (content in ('EMAIL_VERIFICATION', 'NOTIFICATION')),
      constraint deliveries_notification_named check ((content = 'NOTIFICATION') = (notification_id is not null)),
      constraint deliveries_device_named check ((channel = 'PUSH') = (device_id is not null)),
      constraint deliveries_state_known check (state in ('DUE', 'SENT', 'REFUSED', 'EXPIRED', 'UNSURE', 'MOOT')),
      constraint deliveries_settled_when_not_due check ((state = 'DUE') = (settled_at is null)),
      constraint deliveries_attempts_counted check (attempts >= 0),
      constraint deliveries_possible_sends_at_most_twice check (possible_sends between 0 and 2)
    );

    create index deliveries_due_at_idx on deliveries (channel, due_at) where state = 'DUE';
    create index deliveries_settled_at_idx on deliveries (settled_at) where settled_at is not null;
    create index deliveries_account_idx on deliveries (account_id);
    create index deliveries_notification_idx on deliveries (notification_id);
    create index deliveries_device_idx on deliveries (device_id);

    comment on table deliveries is
    'Mail and pushes that were decided on together with their cause, and what became of them. They hold no secret: the '
    'token of a verification mail is made when it is sent.';
    comment on column deliveries.id is
    'UUIDv7; the left part of a mail''s Message-ID, and by what a push gateway knows a repetition.';
    comment on column deliveries.account_id is 'Whom it goes to.';
    comment on column deliveries.channel is 'MAIL or PUSH.';
    comment on column deliveries.content is 'EMAIL_VERIFICATION or NOTIFICATION.';
    comment on column deliveries.notification_id is 'The notification that it tells of; null for other contents.';
    comment on column deliveries.device_id is 'The device that it is pushed to; null for mail.';
    comment on column deliveries.state is
    'DUE until it is one of: SENT; REFUSED for good; EXPIRED after a day of trying; UNSURE when it may have been sent '
    'twice and nobody knows; MOOT when it was not wanted any more.';
    comment on column deliveries.attempts is 'How often a replica took it to send.';
    comment on column deliveries.possible_sends is
    'How often it may have been sent: counted before each attempt, taken back when the attempt surely sent nothing.';
    comment on column deliveries.created_at is 'When it was decided on; a day later it is given up.';
    comment on column deliveries.due_at is
    'When it may be taken; taking it moves this ahead, so that a replica that dies leaves it to the next attempt.';
    comment on column deliveries.settled_at is 'When it reached its last state; null while it is DUE.';
    comment on column deliveries.last_failure is 'Why the last attempt failed, for the operator.';

    insert into deliveries (id, account_id, channel, content, attempts, created_at, due_at, last_failure)
    select
      mail.id, mail.account_id, 'MAIL' as channel, mail.kind as content, mail.attempts, mail.due_at as created_at,
      mail.due_at, mail.last_failure
    from outgoing_mail as mail;

    -- squawk-ignore ban-drop-table
    drop table outgoing_mail;

    """

  private static let reminderJobsSQL = """
    -- Reminders come by jobs: the time of the next one is that of the job, and no more the reminder's own.

    insert into jobs (
      id, kind, key, payload, due_at, ready_at, repeat_minute, repeat_weekdays, repeat_zone, repeat_day, created_at
    )
    select
      gen_random_uuid() as id, 'gym_reminder' as kind, reminder.account_id::text as key,
      convert_to(reminder.account_id::text, 'UTF8') as payload, upcoming.due_at, upcoming.due_at as ready_at,
      reminder.minute_of_day as repeat_minute, chosen.mask as repeat_weekdays, profiles.time_zone as repeat_zone,
      upcoming.day as repeat_day, now() as created_at
    from reminders as reminder
    inner join profiles on reminder.account_id = profiles.account_id
    cross join
      lateral (
        select sum(1 << (days.number - 1))::integer as mask from unnest(reminder.weekdays) as days (number)
      ) as chosen
    -- One that is due and was not given is still to come.
    cross join
      lateral job_next(
        coalesce(reminder.last_day, '0001-01-01'), least(now(), reminder.due_at - interval '1 second'),
        reminder.minute_of_day, chosen.mask, profiles.time_zone
      ) as upcoming
    where reminder.state = 'ON';

    -- Its index and the constraint that it shares with the state go with it.
    -- squawk-ignore ban-drop-column
    alter table reminders drop column due_at;

    comment on table reminders is
    'Daily reminders to train, in the time zone of the profile (ID-63). For each that is ON there is a job gym_reminder, '
    'keyed by the account, that repeats by the same plan and zone.';

    """

  private static let sealedDevicesSQL = """
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

    """

  private static let throttlesSQL = """
    -- How often somebody failed or asked, so that no restart and no second replica forgets it.

    create table throttles (
      kind text not null,
      subject bytea not null,
      attempts timestamptz[] not null default '{}',
      locked_until timestamptz,
      locks smallint not null default 0,
      expires_at timestamptz not null,
      constraint throttles_pkey primary key (kind, subject),
      constraint throttles_kind_format check (kind ~ '^[A-Z0-9_]{1,40}$'),
      constraint throttles_subject_length check (octet_length(subject) = 32),
      constraint throttles_attempts_bounded check (cardinality(attempts) <= 50),
      constraint throttles_locks_counted check (locks >= 0 and (locks = 0 or locked_until is not null))
    );

    create index throttles_expires_at_idx on throttles (expires_at);

    comment on table throttles is
    'Attempts that are limited: wrong passwords (ID-10), reset mails (ID-8) and the like. Whoever counts one locks the '
    'row first.';
    comment on column throttles.kind is 'What is counted; the program knows the kinds and their limits.';
    comment on column throttles.subject is
    'SHA-256 of whom it is counted for: an account, a name that nobody has, a client''s address. So no stranger''s '
    'address is kept.';
    comment on column throttles.attempts is 'When they were, the oldest first; those that count still.';
    comment on column throttles.locked_until is 'The end of the last lock; null when there was none.';
    comment on column throttles.locks is 'Locks that came one after the other: each is twice as long as the one before.';
    comment on column throttles.expires_at is 'From when on the row means nothing and is removed.';

    """

  private static let passwordResetsSQL = """
    -- New passwords: by a mailed link, or for the old one.

    alter table accounts add column password_revision bigint not null default 1;

    comment on column accounts.password_revision is
    'Goes up by one with every new password: who has checked the old one finds out that it does not count any more.';

    create table password_resets (
      token_hash bytea not null,
      account_id uuid not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      constraint password_resets_pkey primary key (token_hash),
      constraint password_resets_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint password_resets_token_hash_length check (octet_length(token_hash) = 32),
      constraint password_resets_expiry check (expires_at > created_at)
    );

    create unique index password_resets_unused_key on password_resets (account_id) where used_at is null;
    create index password_resets_account_idx on password_resets (account_id);
    create index password_resets_expires_at_idx on password_resets (expires_at);

    comment on table password_resets is
    'Tokens that were mailed to choose a new password: at most one of each account that works, and those that were used '
    '(ID-8).';
    comment on column password_resets.token_hash is
    'SHA-256 of the token, which itself is in the mail and nowhere else.';
    comment on column password_resets.account_id is 'Whose password it replaces.';
    comment on column password_resets.created_at is 'When the token was made: just before its mail was handed over.';
    comment on column password_resets.expires_at is 'From when on it is refused.';
    comment on column password_resets.used_at is 'When it was used; null until then, and never used again after.';

    -- The new constraint allows all that the old one did, so there is nothing to validate.
    -- squawk-ignore ban-drop-constraint
    alter table deliveries drop constraint deliveries_content_known;
    alter table deliveries add constraint deliveries_content_known
    check (content in ('EMAIL_VERIFICATION', 'NOTIFICATION', 'PASSWORD_RESET')) not valid;

    comment on column deliveries.content is 'EMAIL_VERIFICATION, PASSWORD_RESET or NOTIFICATION.';

    """

  private static let blocksSQL = """
    -- Who keeps whom away, and what people told the operators about others.

    create table blocks (
      blocker_id uuid not null,
      blocked_id uuid not null,
      blocked_at timestamptz not null,
      constraint blocks_pkey primary key (blocker_id, blocked_id),
      constraint blocks_blocker_fkey foreign key (blocker_id) references accounts (id) on delete cascade,
      constraint blocks_blocked_fkey foreign key (blocked_id) references accounts (id) on delete cascade,
      constraint blocks_of_others check (blocker_id <> blocked_id)
    );

    create index blocks_blocked_idx on blocks (blocked_id);

    comment on table blocks is 'People who keep others away: neither sees the other (ID-26, C-10).';
    comment on column blocks.blocker_id is 'Who blocks.';
    comment on column blocks.blocked_id is 'Who is blocked.';
    comment on column blocks.blocked_at is 'Since when.';

    create table user_reports (
      id uuid not null,
      reporter_id uuid,
      reported_id uuid not null,
      reason text not null,
      remarks text not null,
      evidence_ids uuid[] not null,
      created_at timestamptz not null,
      constraint user_reports_pkey primary key (id),
      constraint user_reports_reporter_fkey foreign key (reporter_id) references accounts (id) on delete set null,
      constraint user_reports_reported_fkey foreign key (reported_id) references accounts (id) on delete cascade,
      constraint user_reports_reason_format check (reason ~ '^[A-Z_]{1,40}$'),
      constraint user_reports_remarks_length check (char_length(remarks) <= 1000),
      constraint user_reports_evidence_bounded check (cardinality(evidence_ids) <= 20),
      constraint user_reports_of_others check (reporter_id <> reported_id)
    );

    create index user_reports_reported_idx on user_reports (reported_id, id);
    create index user_reports_reporter_idx on user_reports (reporter_id);

    comment on table user_reports is
    'What people told the operators about others (ID-26); it goes with the account that it is about.';
    comment on column user_reports.id is 'UUIDv7, made by the service.';
    comment on column user_reports.reporter_id is 'Who reported; null once they have deleted their account.';
    comment on column user_reports.reported_id is 'Whom it is about.';
    comment on column user_reports.reason is 'Why; the program knows the reasons.';
    comment on column user_reports.remarks is 'What happened, in the reporter''s words; may be empty.';
    comment on column user_reports.evidence_ids is 'Messages, books, sessions and the like that show it.';
    comment on column user_reports.created_at is 'When it was received.';

    """

  private static let groupsSQL = """
    -- Groups, and who sees how to reach somebody.

    create table groups (
      id uuid not null,
      name text not null,
      member_count smallint not null,
      revision bigint not null default 1,
      created_at timestamptz not null,
      constraint groups_pkey primary key (id),
      constraint groups_name_length check (char_length(name) between 1 and 80),
      constraint groups_have_members check (member_count between 1 and 200),
      constraint groups_revision_positive check (revision > 0)
    );

    comment on table groups is
    'People who keep an eye on each other and chat (ID-40). Whoever changes who is in it locks the row first, after the '
    'accounts of those who are concerned.';
    comment on column groups.id is 'UUIDv7, made by the service.';
    comment on column groups.name is 'What its members call it.';
    comment on column groups.member_count is
    'How many rows of group_members it has: never none, for the last one to leave deletes the group (ID-42).';
    comment on column groups.revision is 'Goes up by one with every new name; the group''s etag.';
    comment on column groups.created_at is 'When it was made.';

    create table group_members (
      group_id uuid not null,
      account_id uuid not null,
      id uuid not null,
      joined_at timestamptz not null,
      constraint group_members_pkey primary key (group_id, account_id),
      constraint group_members_id_key unique (id),
      constraint group_members_group_fkey foreign key (group_id) references groups (id) on delete cascade,
      constraint group_members_account_fkey foreign key (account_id) references accounts (id)
    );

    create index group_members_account_idx on group_members (account_id, group_id);

    comment on table group_members is
    'Who is in which group. An account cannot go before its memberships have been ended, each with its event.';
    comment on column group_members.group_id is 'The group.';
    comment on column group_members.account_id is 'Who is in it.';
    comment on column group_members.id is
    'UUIDv7 of the membership: another one when the person is added again after they left.';
    comment on column group_members.joined_at is 'Since when.';

    alter table profiles add column contact_visibility text not null default 'EVERYONE';
    alter table profiles add constraint profiles_contact_visibility_known
    check (contact_visibility in ('EVERYONE', 'GROUPS_IN_COMMON', 'NOBODY')) not valid;

    comment on column profiles.contact_visibility is
    'Who sees e-mail address and phone: EVERYONE, GROUPS_IN_COMMON or NOBODY (ID-23).';

    """

  private static let securityEventsSQL = """
    -- What happened to accounts that somebody may have to explain one day.

    create table security_events (
      id uuid not null,
      account_id uuid,
      kind text not null,
      session_id uuid,
      address text not null,
      occurred_at timestamptz not null,
      constraint security_events_pkey primary key (id),
      constraint security_events_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint security_events_kind_format check (kind ~ '^[A-Z_]{1,40}$'),
      constraint security_events_address_length check (char_length(address) <= 100)
    );

    create index security_events_account_idx on security_events (account_id, occurred_at);
    create index security_events_occurred_at_idx on security_events (occurred_at);

    comment on table security_events is
    'Logins, failures, locks, new passwords, ended sessions and new keys, written with what they tell of, kept for 180 '
    'days and shown to operators. It goes with the account.';
    comment on column security_events.id is 'UUIDv7, made by the service.';
    comment on column security_events.account_id is
    'Whose account it happened to; null for what concerns none, and for a login by a name that nobody has.';
    comment on column security_events.kind is 'What happened; the program knows the kinds.';
    comment on column security_events.session_id is 'The session that began or ended; null where it is about none.';
    comment on column security_events.address is
    'The peer''s address, without its port; empty where no call caused it.';
    comment on column security_events.occurred_at is 'When.';

    """

  private static let accountLocksSQL = """
    -- Accounts that operators have locked.

    alter table accounts add column locked_at timestamptz;

    comment on column accounts.locked_at is
    'When an operator locked the account: nobody logs in to it. Null while it is not locked.';

    """

  private static let profilePicturesSQL = """
    -- A profile has one picture at most, which goes with it; what is counted of a person's uploads goes with the account.
    --
    -- The tables were made by the step before this one and are empty, so nothing is scanned and nobody waits.
    -- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, disallowed-unique-constraint
    -- squawk-ignore-file require-concurrent-index-deletion

    drop index pictures_holder_idx;

    alter table pictures
    add constraint pictures_holder_key unique (holder_id),
    add constraint pictures_holder_fkey foreign key (holder_id) references profiles (account_id) on delete cascade;

    alter table picture_quotas
    add constraint picture_quotas_person_fkey foreign key (person_id) references accounts (id) on delete cascade;

    """

  private static let passkeysSQL = """
    -- Logging in by WebAuthn (ID-11).

    create table passkeys (
      id uuid not null,
      account_id uuid not null,
      credential_id bytea not null,
      algorithm integer not null,
      public_key bytea not null,
      sign_count bigint not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      constraint passkeys_pkey primary key (id),
      constraint passkeys_credential_id_key unique (credential_id),
      constraint passkeys_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint passkeys_credential_id_length check (octet_length(credential_id) between 1 and 1023),
      constraint passkeys_key_of_algorithm check (
        (algorithm = -8 and octet_length(public_key) = 32) or (algorithm = -7 and octet_length(public_key) = 64)
      ),
      constraint passkeys_sign_count_range check (sign_count between 0 and 4294967295),
      constraint passkeys_name_length check (char_length(name) <= 100)
    );

    create index passkeys_account_idx on passkeys (account_id, id);

    comment on table passkeys is
    'Keys by which somebody can log in instead of by a password; at most twenty of an account.';
    comment on column passkeys.id is 'UUIDv7, made by the service.';
    comment on column passkeys.account_id is 'Whose it is.';
    comment on column passkeys.credential_id is 'What the authenticator calls it; nobody else may have the same.';
    comment on column passkeys.algorithm is
    'As COSE numbers them: -8 EdDSA over Ed25519, -7 ECDSA over P-256 with SHA-256.';
    comment on column passkeys.public_key is 'The 32 bytes of an Ed25519 key, or x and y of a point of P-256.';
    comment on column passkeys.sign_count is
    'The counter of the last login. One that does not go up is refused; 0 stays 0 where the authenticator does not count.';
    comment on column passkeys.name is 'What its owner calls it; may be empty.';
    comment on column passkeys.created_at is 'When it was added.';
    comment on column passkeys.last_used_at is 'When somebody last logged in by it; null until then.';

    create table passkey_challenges (
      challenge_hash bytea not null,
      account_id uuid,
      created_at timestamptz not null,
      constraint passkey_challenges_pkey primary key (challenge_hash),
      constraint passkey_challenges_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint passkey_challenges_hash_length check (octet_length(challenge_hash) = 32)
    );

    create index passkey_challenges_created_at_idx on passkey_challenges (created_at);
    create index passkey_challenges_account_idx on passkey_challenges (account_id) where account_id is not null;

    comment on table passkey_challenges is
    'Challenges that were given out and not used; each works once, for five minutes. Using one deletes its row.';
    comment on column passkey_challenges.challenge_hash is 'SHA-256 of the challenge.';
    comment on column passkey_challenges.account_id is 'Who may add a passkey with it; null for a login, of whomever.';
    comment on column passkey_challenges.created_at is 'When it was given out.';

    """

  private static let departuresSQL = """
    -- Who has left is noted, so that the other services need not conclude it from there being no account.

    create table departures (
      account_id uuid not null,
      deleted_at timestamptz not null,
      constraint departures_pkey primary key (account_id)
    );

    comment on table departures is
    'Accounts that their owners deleted (ID-13), noted in the transaction that deletes them. A service that missed the '
    'news asks whose data it has to remove (C-9) and is answered from here alone: a database that was emptied, restored or '
    'mistaken for this one has no rows, and nobody''s data are removed because of it. Rows are kept for ever: a service '
    'may come back, or be restored from a copy, after any time, and the id of no account says nothing about '
    'anybody. Accounts that lapse unverified are not noted: nobody could log in to them, so no other service knows them.';
    comment on column departures.account_id is 'The id that the account had; it is never given again.';
    comment on column departures.deleted_at is 'When the account was deleted, by the service''s clock.';

    -- Those of whom the news is still kept.
    insert into departures (account_id, deleted_at)
    select key::uuid as account_id, min(occurred_at) as deleted_at
    from events
    where topic = 'identity.accounts' and type = 'tandem.events.v1.AccountDeleted'
    group by key;

    """

  private static let badgesSQL = """
    -- Badges, and what they are counted from (ID-64).

    create table badges (
      account_id uuid not null,
      kind text not null,
      awarded_at timestamptz not null,
      constraint badges_pkey primary key (account_id, kind),
      constraint badges_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint badges_kind_format check (kind ~ '^[A-Z_]{1,40}$')
    );

    comment on table badges is
    'What people were awarded. A row is made once and stays until the account goes: the key is what makes it once, however '
    'often an event is told and whoever applies it (ID-64).';
    comment on column badges.account_id is 'Who was awarded it.';
    comment on column badges.kind is 'What for; the program knows the kinds.';
    comment on column badges.awarded_at is 'When, by the service''s clock.';

    create table badge_sessions (
      account_id uuid not null,
      session_id uuid not null,
      day date not null,
      constraint badge_sessions_pkey primary key (account_id, session_id),
      constraint badge_sessions_account_fkey foreign key (account_id) references accounts (id) on delete cascade
    );

    create index badge_sessions_day_idx on badge_sessions (account_id, day);

    comment on table badge_sessions is
    'The successful training sessions that matching told of: one that is told again is there already.';
    comment on column badge_sessions.account_id is 'One of the two who trained.';
    comment on column badge_sessions.session_id is 'Matching''s id of the session.';
    comment on column badge_sessions.day is 'The day on which it started where its gym is: streaks are counted by it.';

    create table badge_books (
      account_id uuid not null,
      book_id uuid not null,
      constraint badge_books_pkey primary key (account_id, book_id),
      constraint badge_books_account_fkey foreign key (account_id) references accounts (id) on delete cascade
    );

    comment on table badge_books is
    'The books that lending told were handed over to a borrower, each once: ten loans of one book are one book lent.';
    comment on column badge_books.account_id is 'Whose book it was.';
    comment on column badge_books.book_id is 'The catalog''s id of the book.';

    create table badge_activities (
      account_id uuid not null,
      activity_id uuid not null,
      month date,
      distance_mm bigint not null,
      transaction_id xid8 not null,
      event_id bigint not null,
      constraint badge_activities_pkey primary key (account_id, activity_id),
      constraint badge_activities_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint badge_activities_month_first check (extract(day from month) = 1),
      constraint badge_activities_distance_possible check (distance_mm between 0 and 1000000000000),
      constraint badge_activities_removed_is_empty check (month is not null or distance_mm = 0)
    );

    create index badge_activities_month_idx on badge_activities (account_id, month) include (distance_mm);

    comment on table badge_activities is
    'What the importer said last of each activity. An older word that is told again changes nothing: what was removed '
    'since does not come back, not even for the moment until its removal is told again.';
    comment on column badge_activities.account_id is 'Who did it.';
    comment on column badge_activities.activity_id is 'The importer''s id of the activity.';
    comment on column badge_activities.month is
    'The first day of the month in which it started where it started; null when it was removed.';
    comment on column badge_activities.distance_mm is
    'How far it went, in millimetres; 0 where nobody knows, and when it was removed. Whole numbers, so that a sum does not '
    'depend on the order in which they came.';
    comment on column badge_activities.transaction_id is
    'Where the importer''s last word is in its log: the transaction; 0 when its log began anew since.';
    comment on column badge_activities.event_id is 'Where the importer''s last word is in its log: the event.';

    create function day_of_badge(moment timestamptz, zone text) returns date
    language plpgsql stable
    as $$
    begin
      return (moment at time zone zone)::date;
    exception when invalid_parameter_value then
      return (moment at time zone 'UTC')::date;
    end
    $$;

    comment on function day_of_badge(timestamptz, text) is
    'The day it is at a moment in a zone; in UTC where the database does not know the zone, for an event must not be held '
    'up by the name of one.';

    """

  private static let usernameReservationsSQL = """
    -- Names that people gave up are kept for them for a while (ID-22).

    create table username_reservations (
      username_key text not null,
      account_id uuid not null,
      expires_at timestamptz not null,
      constraint username_reservations_pkey primary key (username_key),
      constraint username_reservations_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
      constraint username_reservations_key_characters check (username_key ~ '^[a-z0-9_.]{3,30}$')
    );

    create index username_reservations_account_idx on username_reservations (account_id);
    create index username_reservations_expires_at_idx on username_reservations (expires_at);

    comment on table username_reservations is
    'Usernames that their owners replaced by others: for 30 days nobody else can take them (ID-22). They go with the '
    'account.';
    comment on column username_reservations.username_key is 'The name in lower case, as names are compared.';
    comment on column username_reservations.account_id is 'Who had it, and may take it again.';
    comment on column username_reservations.expires_at is
    'From when on anybody may take it. Whoever takes a name removes its lapsed row first.';

    -- A name is given up and reserved in one transaction, and the unique index on accounts keeps whoever takes it waiting
    -- for that; so a look that comes after the row has been written, as here, misses nothing.
    --
    -- Whoever writes accounts may have another search path.
    create function refuse_reserved_username() returns trigger
    language plpgsql
    set search_path from current
    as $$
    begin
      if exists (
        select from username_reservations
        where username_key = lower(new.username) collate "C" and account_id <> new.id
      ) then
        raise exception 'the username is reserved for somebody else'
          using errcode = 'unique_violation', constraint = 'accounts_username_not_reserved', table = 'accounts';
      end if;
      return null;
    end
    $$;

    comment on function refuse_reserved_username() is 'Keeps accounts from names that are reserved for others.';

    create trigger accounts_username_not_reserved
    after insert or update of username on accounts
    for each row execute function refuse_reserved_username();

    """

  private static let federatedIdentitiesSQL = """
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

    """

  private static let sessionProofsSQL = """
    -- When who has a session last proved who they are: what changes how an account is logged in to asks for that (ID-13).

    alter table sessions add column proved_at timestamptz;

    comment on column sessions.proved_at is
    'When its owner last proved who they are, by a password typed since or, of a session that a provider began, to the '
    'provider; null where that was when the session began.';

    """

  private static let refillingThrottlesSQL = """
    -- Limits of thousands: what refills evenly is one moment, however many were counted (ID-17).

    alter table throttles add column empty_at timestamptz;

    comment on column throttles.empty_at is
    'Of a kind that refills: when all that was counted has run out, each attempt for its share of the time; null for the '
    'other kinds.';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] = Array(
    [
      own,
      EventsSchema.statements,
      JobsSchema.statements,
      IdempotencySchema.statements,
      PicturesSchema.statements,
      OAuth2Schema.statements,
    ].joined())

  private static let own: [any Statement.Type] = [
    LockedAccount.self,
    DeleteAccountRow.self,
    DeletedAccounts.self,
    FreeLapsedNames.self,
    InsertAccount.self,
    InsertFederatedAccount.self,
    TakenNames.self,
    CredentialsByID.self,
    CredentialsByEmail.self,
    CredentialsByUsername.self,
    ReplacePasswordHash.self,
    UnverifiedAccount.self,
    AwardBadges.self,
    BadgesOf.self,
    NoteSession.self,
    SessionTally.self,
    NoteLentBook.self,
    LentBooks.self,
    NoteActivity.self,
    NoteActivityRemoved.self,
    DistanceInMonth.self,
    ForgetActivityPositions.self,
    LockUsers.self,
    LockedUser.self,
    InsertBlock.self,
    BlockTime.self,
    CountBlocks.self,
    DeleteBlock.self,
    BlocksBefore.self,
    BlocksAfter.self,
    InsertLinkMail.self,
    InsertNotificationMail.self,
    InsertPushes.self,
    TakeDueDeliveries.self,
    GiveUpDeliveries.self,
    SettleDelivery.self,
    PostponeDelivery.self,
    DeleteSettledDeliveries.self,
    RegisterDevice.self,
    DropSurplusDevices.self,
    ReleaseToken.self,
    DropDevice.self,
    DropGoneDevice.self,
    DevicesBefore.self,
    DevicesToSeal.self,
    SealDevice.self,
    IdentityBySubject.self,
    HoldIdentityOwner.self,
    NoteIdentityUse.self,
    InsertIdentity.self,
    IdentitiesOf.self,
    DeleteIdentity.self,
    DeleteIdentitiesOf.self,
    FreeLapsedIdentity.self,
    InsertGroup.self,
    LockGroup.self,
    MembershipOf.self,
    CountGroups.self,
    VisibleUserByEmail.self,
    InsertMember.self,
    DeleteMember.self,
    DeleteGroup.self,
    RenameGroup.self,
    GroupForMember.self,
    GroupsOf.self,
    MembersAfter.self,
    LockInbox.self,
    InsertNotification.self,
    NotificationsBefore.self,
    NotificationsAfter.self,
    InboxPositions.self,
    CountUnread.self,
    MarkNotificationsRead.self,
    DeleteOldNotifications.self,
    NoticeFacts.self,
    InsertChallenge.self,
    UseChallenge.self,
    InsertPasskey.self,
    PasskeysOf.self,
    PasskeyByCredential.self,
    CountPasskeyLogin.self,
    DeletePasskeyRow.self,
    DeleteExpiredChallenges.self,
    HoldPassword.self,
    HoldAccount.self,
    LockPassword.self,
    ReplacePassword.self,
    NamesByID.self,
    AccountByEmail.self,
    InsertReset.self,
    ResetByHash.self,
    UseReset.self,
    DeleteExpiredResets.self,
    EstimatedAccounts.self,
    PasswordParameterCounts.self,
    PreferencesOf.self,
    SetPreference.self,
    WantedChannels.self,
    InsertProfile.self,
    ProfileByUsername.self,
    ProfilesByPrefix.self,
    LockedProfile.self,
    ReplaceProfile.self,
    TimeZoneOfProfile.self,
    TimeZoneNames.self,
    DayInZone.self,
    ReminderOf.self,
    SetReminder.self,
    ReminderToGive.self,
    NoteReminder.self,
    InsertReport.self,
    ReportsBefore.self,
    InsertSecurityEvent.self,
    SecurityEventsBefore.self,
    DeleteOldSecurityEvents.self,
    InsertSession.self,
    SessionByFamily.self,
    RotateSession.self,
    HoldSessionOwner.self,
    LivingSession.self,
    RevokeSession.self,
    RevokeSessions.self,
    RevokedSessions.self,
    SessionsBefore.self,
    SessionProof.self,
    NoteSessionProof.self,
    DeleteEndedSessions.self,
    SigningKeys.self,
    LockSigningKeys.self,
    InsertSigningKey.self,
    DeleteSigningKeys.self,
    ThrottlesOf.self,
    LockedThrottles.self,
    LockThrottles.self,
    StoreThrottle.self,
    ForgetThrottle.self,
    DeleteExpiredThrottles.self,
    UserByID.self,
    UserByEmail.self,
    UsersByPrefix.self,
    SetAccountLock.self,
    UsernameIsTaken.self,
    FreeLapsedUsername.self,
    ReplaceUsername.self,
    ReserveUsername.self,
    DeleteLapsedReservations.self,
    UsersAfter.self,
    LockedVerificationRequest.self,
    NoteVerificationRequest.self,
    InsertVerification.self,
    LockedVerification.self,
    UseVerification.self,
    VerifyAccount.self,
    DeleteLapsedAccounts.self,
    DeleteExpiredVerifications.self,
    DeleteOldVerificationRequests.self,
  ]
}
