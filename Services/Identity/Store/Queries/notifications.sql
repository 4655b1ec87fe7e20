-- columns: NotificationColumns as StoredNotification
-- The columns of a row of notifications and of the user whom it names.
-- @kind: The name of a kind; may be unknown to this version after a downgrade.
-- @title: Has a placeholder for the name.
-- @body: Has a placeholder for the name.
-- @username: Of the user whom the notification names, for the reader.
notifications.id, notifications.sequence, notifications.kind, notifications.title, notifications.body,
notifications.subject, notifications.created_at, notifications.read_at, named.username;

-- fragment: join_named_user()
-- Joins notifications with the user `named` whom each names, if the account exists and the reader sees the name: as in
-- profiles, no block is between them ([C-10]), or as in lists of members, they share a group.
left join accounts as named on named.id = notifications.named_user_id and (
  {{visible_pair(named.id, notifications.account_id)}} or {{share_group(notifications.account_id, named.id)}}
);

-- name: LockInbox :one
-- Locks a user's inbox until the transaction ends, and creates it if it is missing; returns no row when there is no
-- such account.
--
-- A transaction that locks several does so in the order of the account ids.
insert into inboxes as inbox (account_id)
select id from accounts where id = :user_id for key share
on conflict on constraint inboxes_pkey do update set last_sequence = inbox.last_sequence
returning last_sequence;

-- name: InsertNotification :one
-- Stores a notification in an inbox that the transaction has locked, and removes the oldest beyond those that are kept;
-- returns no row when one with the same source is stored already ([ID-60]).
-- @kind NotificationKind
-- @kept: The number of notifications that an inbox keeps.
with added as (
  insert into notifications
    (id, account_id, sequence, source_key, kind, title, body, named_user_id, subject, created_at)
  select
    :notification_id, account_id, last_sequence + 1, :source_key, :kind, :title, :body, :named_user_id?, :subject, :now
  from inboxes where account_id = :user_id
  on conflict on constraint notifications_source_key do nothing
  returning account_id, sequence
), dropped as (
  delete from notifications using added
  where notifications.account_id = added.account_id and notifications.sequence <= added.sequence - :kept::bigint
)
update inboxes set last_sequence = added.sequence from added where inboxes.account_id = added.account_id
returning added.sequence;

-- name: NotificationsBefore :many
-- Selects a page of the notifications in an inbox, the newest first.
-- @before: The sequence number of the last notification of the previous page.
select {{NotificationColumns}} from notifications {{join_named_user}}
where notifications.account_id = :user_id and notifications.sequence < :before
  and (notifications.read_at is null or not :unread_only)
order by notifications.sequence desc limit :limit;

-- name: NotificationsAfter :many
-- Selects the next notifications in an inbox, the oldest first ([ID-60]).
-- @after: The sequence number before them.
select {{NotificationColumns}} from notifications {{join_named_user}}
where notifications.account_id = :user_id and notifications.sequence > :after
order by notifications.sequence limit :limit;

-- name: InboxPositions :many
-- Selects the newest sequence numbers of some inboxes; returns no row for one that has never had a notification.
select account_id as user_id, last_sequence as position from inboxes where account_id = any(:user_ids);

-- name: CountUnread :one
-- Counts the unread notifications in an inbox.
select count(*)::integer as "unread!" from notifications where account_id = :user_id and read_at is null;

-- name: HasUnreadNotification :one
-- Whether an inbox has an unread notification of a kind that was stored after a moment.
-- @kind NotificationKind
select exists (
  select from notifications
  where account_id = :user_id and kind = :kind and read_at is null and created_at > :created_after
) as "has_unread!";

-- name: MarkNotificationsRead :many
-- Marks notifications in an inbox as read; returns one row for each that was unread.
-- @up_to: Those with this sequence number and lesser ones are marked too.
update notifications set read_at = greatest(:now, created_at)
where id in (
  -- Locked in a fixed order, so that two devices that mark the same notifications do not deadlock.
  select id from notifications
  where account_id = :user_id and read_at is null and (id = any(:notification_ids) or sequence <= :up_to)
  order by sequence for update
)
returning 1 as "marked!";

-- name: DeleteOldNotifications :many
-- Removes notifications that are 180 days old.
delete from notifications where id in (
  select id from notifications where created_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: ReaderTimes :many
-- Formats a moment for each of a notification's readers; returns one row for each id of an existing account.
-- @user_id UserID: The reader.
-- @time: The moment in the reader's zone; empty without a moment.
select
  reader.id as "user_id!",
  coalesce(
    to_char(:moment?::timestamptz at time zone coalesce(profiles.time_zone, 'UTC'), 'FMDD Mon YYYY, HH24:MI'), ''
  ) as "time!"
from accounts as reader
left join profiles on profiles.account_id = reader.id
where reader.id = any(:reader_ids);
