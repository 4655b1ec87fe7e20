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
