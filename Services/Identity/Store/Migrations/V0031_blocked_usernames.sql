-- Whom a user has blocked is shown by the name of that time: a block hides what the other is called later (C-10).

alter table blocks add column blocked_username text not null default '';
-- squawk-ignore constraint-missing-not-valid
alter table blocks add constraint blocks_username_characters check (blocked_username ~ '^([A-Za-z0-9_.]{3,30})?$');

comment on column blocks.blocked_username is
'What the blocked user was called when they were blocked; empty if the blocking user could not see it.';

with seen as (
  select
    blocks.blocker_id,
    blocks.blocked_id,
    accounts.username
  from blocks
  inner join accounts on accounts.id = blocks.blocked_id
  inner join profiles on profiles.account_id = blocks.blocked_id
  left join blocks as mutual
    on mutual.blocker_id = blocks.blocked_id and mutual.blocked_id = blocks.blocker_id
  where mutual.blocker_id is null
)

update blocks set blocked_username = seen.username
from seen
where blocks.blocker_id = seen.blocker_id and blocks.blocked_id = seen.blocked_id;
