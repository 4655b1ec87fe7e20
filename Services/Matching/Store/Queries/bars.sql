-- columns: StoredBar
id, user_id, session_id, cause, began_at, ends_at, lifted_at;

-- name: ImposeBar :exec
-- Bars a user, with the first entry of its audit trail ([MA-7], [MA-14]).
with bar as (
  insert into bars (id, user_id, session_id, cause, began_at, ends_at)
  values (:bar_id, :user_id, :session_id, :cause, :now, :ends_at)
  on conflict on constraint bars_once do nothing
  returning id
)
insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
select id, 1, 'IMPOSED', 'matching', '', :now from bar;

-- name: BarsOfUser :many
-- A page of a user's bars, the newest first ([MA-14]).
select {{StoredBar}} from bars where user_id = :user_id and id < {{before(:before_bar_id?::uuid)}}
order by id desc limit :limit;

-- name: BarsForOperators :many slow
-- A page of bars, of one user or of all, the newest first.
select {{StoredBar as bar}}, coalesce((select username from users where users.id = bars.user_id), '') as "username!"
from bars
where (:user_id?::uuid is null or user_id = :user_id?)
  and (:includes_ended::boolean or (lifted_at is null and ends_at > :now))
  and id < {{before(:before_bar_id?::uuid)}}
order by id desc limit :limit;

-- name: BarByID :one
-- A bar.
select {{StoredBar as bar}}, coalesce((select username from users where users.id = bars.user_id), '') as "username!"
from bars where id = :bar_id;

-- name: ChangesOfBars :many
-- The audit trails of some bars, in order.
select bar_id, change, actor, reason, happened_at from bar_changes where bar_id = any(:bar_ids::uuid[])
order by bar_id, number;

-- name: LiftStoredBar :one
-- Lifts a bar, with an entry in its audit trail; no row if there is none, or it was lifted before.
with bar as (
  update bars set lifted_at = :now where id = :bar_id and lifted_at is null returning id
)
insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
select bar.id, (select max(number) + 1 from bar_changes where bar_id = bar.id), 'LIFTED', :actor, :reason, :now from bar
returning bar_id;

-- name: LiftBarsOfBlock :exec
-- Lifts the bars of a user who left sessions of another by blocking them, with an entry in the audit trails: the user has reported the other. The
-- sessions do not count as missed any more. The transaction has locked the user's row.
with lifted as (
  update bars set lifted_at = :now
  where user_id = :blocker_id and cause = 'LATE_CANCELLATION' and began_at = :blocked_at and lifted_at is null
    and exists (
      select from sessions where sessions.id = bars.session_id and :blocked_id::uuid in (sessions.owner_id, sessions.partner_id)
    )
  returning id
), noted as (
  insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
  select lifted.id, (select max(number) + 1 from bar_changes where bar_id = lifted.id), 'LIFTED', 'matching',
    'reported the user whom they left', :now
  from lifted
)
update users set missed = greatest(missed - (select count(*) from lifted), 0)
where id = :blocker_id and exists (select from lifted);

-- name: DeleteOldBars :many
-- Removes bars that ended long ago, with their audit trails.
delete from bars where id in (
  select id from bars where ends_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- name: DeleteBarsOfUser :exec
-- Removes the bars of a user, with their audit trails ([C-9]).
delete from bars where user_id = :user_id;
