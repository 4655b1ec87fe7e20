-- Whom a user has blocked is shown by the name of that time: a block hides what the other is called later (C-10).

alter table blocks add column blocked_username text not null default '';
-- squawk-ignore constraint-missing-not-valid
alter table blocks add constraint blocks_username_characters check (blocked_username ~ '^([A-Za-z0-9_.]{3,30})?$');

comment on column blocks.blocked_username is
'What the blocked user was called when they were blocked; empty if the blocking user could not see it.';

update blocks set blocked_username = accounts.username
from accounts
where accounts.id = blocks.blocked_id
  and exists (select from profiles where profiles.account_id = accounts.id)
  and not exists (
    select from blocks as mutual
    where mutual.blocker_id = blocks.blocked_id and mutual.blocked_id = blocks.blocker_id
  );
