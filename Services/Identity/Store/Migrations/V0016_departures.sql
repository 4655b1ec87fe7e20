-- Who has left is noted, so that the other services need not conclude it from there being no account.

create table departures (
  account_id uuid not null,
  deleted_at timestamptz not null,
  constraint departures_pkey primary key (account_id)
);

comment on table departures is
'Accounts that their owners deleted (ID-13), noted in the transaction that deletes them. A service that missed the '
'news asks whose data it has to remove (C-9) and is answered from here alone: a database that was emptied, restored or '
'mistaken for this one has no rows, and nobody''s data are removed because of it. Rows are kept for ever: a service '
'may come back, or be restored from a copy, after any time, and the id of no account says nothing about '
'anybody. Accounts that lapse unverified are not noted: nobody could log in to them, so no other service knows them.';
comment on column departures.account_id is 'The id that the account had; it is never given again.';
comment on column departures.deleted_at is 'When the account was deleted, by the service''s clock.';

-- Those of whom the news is still kept.
insert into departures (account_id, deleted_at)
select key::uuid as account_id, min(occurred_at) as deleted_at
from events
where topic = 'identity.accounts' and type = 'tandem.events.v1.AccountDeleted'
group by key;
