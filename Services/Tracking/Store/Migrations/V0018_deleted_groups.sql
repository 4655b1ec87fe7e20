-- Groups that identity has deleted.

set local lock_timeout = '5s';

alter table groups add column deleted_at timestamptz;

comment on column groups.deleted_at is
'When the group was deleted, or found to be; the row goes two days later, with what changed in it. Null else.';

-- Those that were deleted before this was known have no members. One that is about to have its first keeps its name.
update groups set deleted_at = now()
where not exists (select from memberships where memberships.group_id = groups.id);

-- Groups are few, and the lock is short.
-- squawk-ignore require-concurrent-index-creation
create index groups_deleted_idx on groups (deleted_at) where deleted_at is not null;
