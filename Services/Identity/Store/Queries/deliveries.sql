-- name: InsertLinkMail :exec
-- Queues a mail to the owner of an account, sent after the commit, with a link to verify the address or to choose a
-- new password.
-- @content LinkMailContent
insert into deliveries (id, account_id, channel, content, created_at, due_at)
values (:delivery_id, :user_id, 'MAIL', :content, :now, :now);

-- name: InsertNotificationMail :exec
-- Queues a mail about a notification, sent after the commit.
insert into deliveries (id, account_id, channel, content, notification_id, created_at, due_at)
values (:delivery_id, :user_id, 'MAIL', 'NOTIFICATION', :notification_id, :now, :now);

-- name: InsertPushes :exec
-- Queues pushes of a notification to some devices, sent after the commit.
-- @delivery_ids: One for each device.
insert into deliveries (id, account_id, channel, content, notification_id, device_id, created_at, due_at)
select push.id, :user_id, 'PUSH', 'NOTIFICATION', :notification_id, push.device_id, :now, :now
from unnest(:delivery_ids::uuid [], :device_ids::uuid []) as push (id, device_id);

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
notice.kind as notice_kind, coalesce(notice.address, '') as "address!",
coalesce(notice.device_label, '') as "device_label!", coalesce(notice.detail, '') as "detail!", notice.occurred_at,
profiles.time_zone, seconds_from_utc(notice.occurred_at, profiles.time_zone) as seconds_from_utc;

-- name: TakeDueDeliveries :many
-- Takes deliveries that are due on a channel, so that no other replica takes them before their next attempt.
--
-- The wait until then doubles from a minute to an hour; a delivery whose sender died waits for as long. The minute is
-- longer than sending all deliveries that are taken together, so that no other replica takes one before its sender has
-- given up. An outage of a mail server is rarely over sooner than in an hour, and a user does not wait for a mail much
-- longer.
--
-- Deliveries that may have been sent twice already, or are a day old, are not taken: see ``GiveUpDeliveries``.
with due as (
  select id from deliveries
  where channel = :channel and state = 'DUE' and due_at <= :now and possible_sends < 2 and created_at > :created_after
  order by due_at limit :limit for update skip locked
), taken as (
  update deliveries set
    attempts = attempts + 1, possible_sends = possible_sends + 1,
    due_at = :now + make_interval(secs => least(60 * 2 ^ least(attempts, 10), 3600))
  from due where deliveries.id = due.id
  returning
    deliveries.id, account_id, attempts, content, notification_id, device_id, recipient, email_change_id
)
select {{DueDeliveryColumns}}
from taken
join accounts on accounts.id = taken.account_id
left join devices as device on device.id = taken.device_id
left join notifications on notifications.id = taken.notification_id
left join security_notices as notice on notice.delivery_id = taken.id
left join profiles on notice.delivery_id is not null and profiles.account_id = taken.account_id
{{join_named_user}};

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
