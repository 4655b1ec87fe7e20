-- Notifications name users by id: the name is inserted when one is read, and none is left when the account goes (C-9).
--
-- In titles and bodies U+FFFC stands for the name.

alter table notifications add column named_user_id uuid;

comment on column notifications.named_user_id is
'The user whom title and body name where they have U+FFFC; null if they name none, or the account was gone already. It '
'refers to accounts without a foreign key: who was notified keeps the notification when the account is deleted, and '
'then reads of a deleted user.';
comment on column notifications.title is 'A few words to show first, with U+FFFC for the name of a user.';
comment on column notifications.body is 'A sentence to show below them, with U+FFFC for the name of a user.';

-- Of a user who was added to a group both are notified, each of the other, for the same membership. One without the
-- other is of a user who has deleted the account.
update notifications as told set
  named_user_id = pairs.other_id,
  body = case told.kind
    when 'GROUP_JOINED' then regexp_replace(told.body, '^[A-Za-z0-9_.]{3,30} added you ', chr(65532) || ' added you ')
    else regexp_replace(told.body, '^You added [A-Za-z0-9_.]{3,30} to ', 'You added ' || chr(65532) || ' to ')
  end
from (
  select
    one.id,
    other.account_id as other_id
  from notifications as one
  left join notifications as other
    on
      other.source_key = one.source_key and other.kind <> one.kind
      and other.kind in ('GROUP_JOINED', 'GROUP_MEMBER_ADDED')
  where one.kind in ('GROUP_JOINED', 'GROUP_MEMBER_ADDED')
) as pairs
where told.id = pairs.id;

-- The other kinds hold a name alone. It is that of a user who had it by then and has it since, or has reserved it since
-- giving it up; else it is not known whose it was.
with texts as (
  select
    id,
    kind,
    body,
    created_at,
    case kind when 'SESSION_STARTED' then 'You and ' when 'SESSION_REMINDER' then 'You meet ' else '' end as start
  from notifications
  where kind in (
    'SESSION_CANCELLED', 'PARTNER_CHECKED_IN', 'SESSION_STARTED', 'SESSION_REMINDER', 'BOOK_REQUESTED',
    'REQUEST_ACCEPTED', 'LOAN_RECALLED', 'LOAN_CANCELLED', 'SOS_STARTED', 'SOS_STOPPED', 'JOURNEY_STARTED',
    'JOURNEY_ENDED', 'ARRIVED_ON_TIME', 'ARRIVED_LATE', 'STANDING_STILL', 'NOT_ARRIVED', 'WENT_OFFLINE', 'CHAT_MESSAGE'
  )
),

named as (
  select
    *,
    substring(substr(body, length(start) + 1) from '^[A-Za-z0-9_.]{3,30}') as username
  from texts
),

holders as (
  select
    named.id,
    accounts.id as user_id
  from named
  inner join accounts on lower(accounts.username) = lower(named.username)
  left join security_events as renamed
    on renamed.account_id = accounts.id and renamed.kind = 'USERNAME_CHANGED' and renamed.occurred_at > named.created_at
  where accounts.registered_at <= named.created_at and renamed.id is null
  union
  select
    named.id,
    accounts.id as user_id
  from named
  inner join username_reservations as reserved on reserved.username_key = lower(named.username)
  inner join accounts on accounts.id = reserved.account_id
  where accounts.registered_at <= named.created_at and named.created_at <= reserved.expires_at - interval '30 days'
),

shown as (
  select
    named.id,
    holders.user_id,
    named.start,
    substr(named.body, length(named.start) + length(named.username) + 1) as rest,
    case when holders.user_id is not null then chr(65532) else 'another user' end as name
  from named
  -- "Somebody" was written for a user whose account was gone.
  left join holders on holders.id = named.id and named.username <> 'Somebody'
  where named.username is not null
)

update notifications set
  named_user_id = shown.user_id,
  title = case notifications.kind
    when 'PARTNER_CHECKED_IN' then upper(left(shown.name, 1)) || substr(shown.name, 2) || ' has checked in'
    when 'CHAT_MESSAGE' then 'New message from ' || shown.name
    else notifications.title
  end,
  body = case
    when shown.start = '' then upper(left(shown.name, 1)) || substr(shown.name, 2) else shown.start || shown.name
  end || shown.rest
from shown
where notifications.id = shown.id;
