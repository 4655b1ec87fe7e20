-- name: PreferencesOf :many
-- A user's preferences, for the kinds of notification that they have set.
-- @kind: The name of a kind; may be unknown to this version after a downgrade.
select kind, by_mail, by_push from notification_preferences where account_id = :user_id;

-- name: SetPreference :exec
-- Sets one or both channels of a kind; a channel that was never set gets the kind's default.
-- @kind NotificationKind
-- @by_mail: `nil` leaves it unchanged.
-- @by_push: `nil` leaves it unchanged.
insert into notification_preferences as chosen (account_id, kind, by_mail, by_push)
values (
  :user_id, :kind, coalesce(:by_mail?::boolean, :default_by_mail::boolean),
  coalesce(:by_push?::boolean, :default_by_push::boolean)
)
on conflict on constraint notification_preferences_pkey do update
set by_mail = coalesce(:by_mail?, chosen.by_mail), by_push = coalesce(:by_push?, chosen.by_push);

-- name: WantedChannels :one
-- The channels beside the inbox that are wanted and possible for a kind of notification to an account, and the devices
-- to push to; no row if there is no such account.
-- @kind NotificationKind
-- @always_by_mail: Whether no preference switches the mail off ([MA-9]).
-- @devices [DeviceID]
select
  (coalesce(chosen.by_mail, :default_by_mail) or :always_by_mail::boolean)
  and accounts.verified_at is not null as "by_mail!",
  coalesce(chosen.by_push, :default_by_push) as "by_push!",
  array(select devices.id from devices where devices.account_id = accounts.id order by devices.id) as "devices!"
from accounts
left join notification_preferences as chosen on chosen.account_id = accounts.id and chosen.kind = :kind
where accounts.id = :user_id;
