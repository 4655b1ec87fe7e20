-- Accounts that operators have locked.

alter table accounts add column locked_at timestamptz;

comment on column accounts.locked_at is
'When an operator locked the account: nobody logs in to it. Null while it is not locked.';
