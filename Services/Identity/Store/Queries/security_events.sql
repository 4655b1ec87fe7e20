-- name: InsertSecurityEvent :exec
-- Records a security event, with or without an account.
-- @kind SecurityEventKind
insert into security_events (id, account_id, kind, session_id, address, occurred_at)
select :security_event_id, :user_id?, :kind, :session_id?, left(:address, 100), :now
-- The account may have been deleted since it was looked up; then nothing is recorded.
where :user_id?::uuid is null or exists (select from accounts where id = :user_id? for key share);

-- name: DropSurplusSecurityEvents :exec
-- Removes the security events of an account beyond the latest, some at a time.
delete from security_events where id in (
  select id from security_events where account_id = :user_id order by occurred_at desc offset :kept limit 100
);

-- name: SecurityEventsBefore :many slow
-- A page of the security events of an account, or of all, within a time, the latest first ([C-5]).
-- @start: Inclusive; `nil` for the beginning.
-- @end: Exclusive; `nil` for now.
-- @before_id SecurityEventID
-- @kind: The name of a kind; may be unknown to this version after a downgrade.
select id, account_id as user_id, kind, session_id, address, occurred_at from security_events
where (:user_id?::uuid is null or account_id = :user_id?)
  and (:start?::timestamptz is null or occurred_at >= :start?) and (:end?::timestamptz is null or occurred_at < :end?)
  and (:before?::timestamptz is null or (occurred_at, id) < (:before?, :before_id?::uuid))
order by occurred_at desc, id desc limit :limit;

-- name: DeleteOldSecurityEvents :many
-- Removes events that are 180 days old.
delete from security_events where id in (
  select id from security_events where occurred_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";
