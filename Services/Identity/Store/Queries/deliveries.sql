-- name: InsertLinkMail :exec
-- Queues a mail to the owner of an account, sent after the commit, with a link to verify the address or to choose a
-- new password.
-- @content LinkMailContent
insert into deliveries (id, account_id, channel, content, urgency, created_at, due_at)
values (:delivery_id, :user_id, 'MAIL', :content, 0, :now, :now);

-- fragment: share_of(cause_id)
-- What stands for the user who caused a delivery.
hashtextextended({{cause_id}}::text, 0);

-- fragment: next_turn(channel, share)
-- The place of a further delivery among those of its share that are due.
(
  select coalesce(max(waiting.turn) + 1, 0) from deliveries as waiting
  where waiting.channel = {{channel}} and waiting.share = {{share}} and waiting.state = 'DUE'
);

-- name: QueueNotificationMail :exec
-- Has a notification mailed after the commit; the transaction has locked the recipient's inbox.
--
-- A mail that waits gathers it, if there is one for notices of the kind that the same user causes. Otherwise it gets a
-- mail of its own, which waits if there was such a mail a moment ago. A recipient of many mails gets one for all
-- further notices of whatever kind.
-- @cause_id UserID: Who caused the notification; the recipient where that is not another user.
-- @kind NotificationKind
-- @recent_after: Mails of this moment and before are not counted.
-- @max_recent: From so many recent mails on the notices of all kinds are gathered.
-- @pause_seconds: Between two mails for the same notices.
-- @pause_of_all_seconds: Between two mails for notices of all kinds.
with chosen as (
  select
    case when count(*) >= :max_recent and :urgency > 1 then 0
      else hashtextextended(:kind || ' ' || :cause_id::uuid::text, 0) end as gathering
  from deliveries
  where account_id = :user_id and gathering is not null and urgency > 1 and created_at > :recent_after
), waiting as (
  select deliveries.id from deliveries join chosen on chosen.gathering = deliveries.gathering
  where deliveries.account_id = :user_id and deliveries.state = 'DUE' and deliveries.attempts = 0
    and deliveries.created_at > :recent_after
  limit 1 for update of deliveries
), gathered as (
  insert into gathered_notices (delivery_id, notification_id)
  select id, :notification_id::uuid from waiting
), earlier as (
  select max(coalesce(deliveries.settled_at, :now)) as sent_at
  from deliveries join chosen on chosen.gathering = deliveries.gathering
  where deliveries.account_id = :user_id and deliveries.created_at > :recent_after
)
insert into deliveries
  (id, account_id, channel, content, notification_id, urgency, share, turn, gathering, created_at, due_at)
select
  :delivery_id, :user_id, 'MAIL', 'NOTIFICATION', :notification_id, :urgency, {{share_of(:cause_id)}},
  {{next_turn('MAIL', {{share_of(:cause_id)}})}}, chosen.gathering, :now,
  greatest(
    :now,
    earlier.sent_at + make_interval(
      secs => case chosen.gathering
        when 0 then :pause_of_all_seconds::double precision else :pause_seconds::double precision end
    )
  )
from chosen cross join earlier
where not exists (select from waiting);

-- name: InsertPushes :exec
-- Queues pushes of a notification to some devices, sent after the commit.
-- @cause_id UserID: Who caused the notification; the recipient where that is not another user.
-- @delivery_ids: One for each device.
insert into deliveries
  (id, account_id, channel, content, notification_id, device_id, urgency, share, turn, created_at, due_at)
select
  push.id, :user_id, 'PUSH', 'NOTIFICATION', :notification_id, push.device_id, :urgency,
  {{share_of(:cause_id::uuid)}}, {{next_turn('PUSH', {{share_of(:cause_id::uuid)}})}}, :now, :now
from unnest(:delivery_ids::uuid [], :device_ids::uuid []) as push (id, device_id);

-- name: GatheredNotices :many
-- The first of the notifications that a mail tells of beside its own, the oldest first, and how many there are.
select {{NotificationColumns}}, count(*) over ()::integer as "total!"
from gathered_notices join notifications on notifications.id = gathered_notices.notification_id
{{join_named_user}}
where gathered_notices.delivery_id = :delivery_id
order by notifications.sequence limit :limit;

-- columns: DueDeliveryColumns as DueDelivery
-- The columns of a row `taken` of deliveries, with the account and, where there are any, device and notification.
taken.id, taken.account_id as user_id, taken.attempts as attempt, taken.content, taken.email_change_id,
coalesce(taken.recipient, accounts.email) as "email!", accounts.username as "username!",
accounts.verified_at is not null as "is_verified!",
device.id as device_id, coalesce(device.platform, '') as "platform!", device.token_hash, device.token as plain_token,
device.sealed_token,
notifications.id as notification_id, coalesce(notifications.sequence, 0) as "sequence!",
notifications.created_at as notified_at, coalesce(notifications.kind, '') as "kind!",
coalesce(notifications.title, '') as "title!", coalesce(notifications.body, '') as "body!",
coalesce(notifications.subject, '') as "subject!", named.username as named_username,
exists (select from gathered_notices where gathered_notices.delivery_id = taken.id) as "is_gathered!",
notice.kind as notice_kind, coalesce(notice.address, '') as "address!",
coalesce(notice.device_label, '') as "device_label!", coalesce(notice.detail, '') as "detail!", notice.occurred_at,
profiles.time_zone, seconds_from_utc(notice.occurred_at, profiles.time_zone) as seconds_from_utc;

-- fragment: take_due()
-- Takes the deliveries `due`, and selects what is needed to send them.
update deliveries set
  attempts = attempts + 1, possible_sends = possible_sends + 1,
  due_at = :now + make_interval(secs => least(60 * 2 ^ least(attempts, 10), 3600))
from due where deliveries.id = due.id
returning
  deliveries.id, account_id, attempts, content, notification_id, device_id, recipient, email_change_id;

-- fragment: join_taken()
-- What the deliveries `taken` are sent with.
join accounts on accounts.id = taken.account_id
left join devices as device on device.id = taken.device_id
left join notifications on notifications.id = taken.notification_id
left join security_notices as notice on notice.delivery_id = taken.id
left join profiles on notice.delivery_id is not null and profiles.account_id = taken.account_id
{{join_named_user}};

-- name: TakeDueDeliveries :many
-- Takes deliveries that are due on a channel, so that no other replica takes them before their next attempt: the most
-- urgent first, and of these each user's first before the second of any.
--
-- The wait until then doubles from a minute to an hour; a delivery whose sender died waits for as long. The minute is
-- longer than sending all deliveries that are taken together, so that no other replica takes one before its sender has
-- given up. An outage of a mail server is rarely over sooner than in an hour, and a user does not wait for a mail much
-- longer.
--
-- Deliveries that may have been sent twice already, or are a day old, are not taken: see ``GiveUpDeliveries``. Of the
-- mails with links to one address the oldest is taken, with which TakeEmailChangesWith takes the others in the same
-- transaction.
-- @least_urgent DeliveryUrgency: Less urgent ones are left to other senders.
with due as (
  select id from deliveries
  where channel = :channel and state = 'DUE' and due_at <= :now and possible_sends < 2 and created_at > :created_after
    and urgency <= :least_urgent
    and (
      email_change_id is null
      or not exists (
        select from email_changes as own
        join email_changes as change on change.new_email_key = own.new_email_key
        join deliveries as older on older.email_change_id = change.id
        where own.id = deliveries.email_change_id and older.state = 'DUE' and older.due_at <= :now
          and older.possible_sends < 2 and older.created_at > :created_after
          and (older.created_at, older.id) < (deliveries.created_at, deliveries.id)
      )
    )
  order by urgency, turn, due_at limit :limit for update skip locked
), taken as (
  {{take_due}}
)
select {{DueDeliveryColumns}}
from taken
{{join_taken}};

-- name: TakeEmailChangesWith :many
-- Takes the mails with links that are due to the same address as one that was taken: they go as one ([ID-15]).
with due as (
  select deliveries.id
  from deliveries join email_changes as change on change.id = deliveries.email_change_id
  where deliveries.content = 'EMAIL_CHANGE' and deliveries.state = 'DUE' and deliveries.due_at <= :now
    and deliveries.possible_sends < 2 and deliveries.created_at > :created_after
    and change.confirmed_at is null and change.new_email_key = (
      select one.new_email_key from email_changes as one where one.id = :email_change_id
    )
  order by deliveries.created_at limit :limit for update of deliveries skip locked
), taken as (
  {{take_due}}
)
select {{DueDeliveryColumns}}
from taken
{{join_taken}};

-- name: GiveUpDeliveries :many
-- Gives up deliveries that are due on a channel and are not retried; returns one row for each, with its id and last
-- failure ([ID-61]).
update deliveries set state = case when possible_sends = 2 then 'UNSURE' else 'EXPIRED' end, settled_at = :now
where id in (
  select id from deliveries
  where channel = :channel and state = 'DUE' and due_at <= :now
    and (possible_sends = 2 or created_at <= :created_before)
  limit :limit for update skip locked
)
returning id, state, last_failure;

-- name: SettleDelivery :exec
-- Records the outcome of a delivery, even if another replica has taken it since.
-- @state SettledState
-- @reason: Why it was not sent; `nil` where that needs none.
update deliveries set state = :state, settled_at = :now, last_failure = left(:reason?, 500)
where id = :delivery_id and state = 'DUE';

-- name: PostponeDelivery :exec
-- Records why an attempt failed; the delivery stays due for its next attempt. Has no effect when another replica has
-- taken it since.
-- @unsent: 1 if nothing was sent, 0 if it may have been sent.
-- @not_before: The earliest time of the next attempt, which otherwise is at its ordinary time.
update deliveries set
  last_failure = left(:reason, 500), possible_sends = possible_sends - :unsent, due_at = greatest(due_at, :not_before)
where id = :delivery_id and attempts = :attempt and state = 'DUE';

-- name: DeleteSettledDeliveries :many
-- Removes deliveries that were settled a month ago.
delete from deliveries where id in (
  select id from deliveries where settled_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteSettledPushesOf :many
-- Removes some pushes to an account that were settled: an account that is deleted may have had more of them than one
-- statement has time for ([C-9]).
delete from deliveries where id in (
  select id from deliveries
  where account_id = :user_id and channel = 'PUSH' and settled_at is not null
  limit :limit for update skip locked
) returning 1 as "removed!";
