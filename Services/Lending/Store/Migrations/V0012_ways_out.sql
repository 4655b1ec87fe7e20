-- A party whose other does not answer ends a loan alone (LE-10, LE-12); books on hold (CA-29); changes of loans (C-11).
--
-- Books and loans are few enough to be looked at while writers wait, and what is there fits the new constraints.
-- squawk-ignore-file constraint-missing-not-valid, ban-drop-constraint

alter table books add column held_at timestamptz;
alter table books add constraint books_held_available check (held_at is null or status = 'AVAILABLE') not valid;
alter table books validate constraint books_held_available;

comment on column books.held_at is
'Since when its owner withholds it: others do not find or request it (CA-29); null for one that is not on hold.';

-- squawk-ignore require-concurrent-index-creation
create index books_requested_once_idx on books (owner_id, id) where steps > 0;
-- squawk-ignore require-concurrent-index-creation
create index books_lent_isbn_idx on books (owner_id, isbn) where loan_id is not null;

alter table loans drop constraint loans_state_known;
alter table loans add constraint loans_state_known check (
  state in ('PENDING', 'WITHDRAWN', 'DECLINED', 'ACCEPTED', 'CANCELLED', 'BORROWED', 'RETURNED', 'LOST')
) not valid;
alter table loans validate constraint loans_state_known;
comment on column loans.state is
'PENDING, WITHDRAWN, DECLINED, ACCEPTED, CANCELLED, BORROWED, RETURNED, or LOST, as its owner declared.';

alter table history drop constraint history_step_known;
alter table history add constraint history_step_known check (
  step in (
    'REQUEST', 'WITHDRAW', 'DECLINE', 'ACCEPT', 'CHANGE_PICKUP', 'CANCEL', 'CONFIRM_HANDOVER', 'HAND_OVER', 'RECALL',
    'CONFIRM_RETURN', 'RETURN', 'DECLARE_LOST', 'DECLARE_RETURNED'
  )
) not valid;
alter table history validate constraint history_step_known;

alter table loans add column changed_in xid8 not null default '0';
comment on column loans.changed_in is
'The transaction of its last change, numbered as those of events: numbers rise although the database is '
'restored (C-11).';

-- squawk-ignore require-concurrent-index-creation
create index loans_owner_changes_idx on loans (owner_id, changed_in, id);
-- squawk-ignore require-concurrent-index-creation
create index loans_borrower_changes_idx on loans (borrower_id, changed_in, id);
-- squawk-ignore require-concurrent-index-creation
create index loans_over_idx on loans (book_id, id) where state <> 'PENDING';

-- The path is that of the migration: an operator's session may have another.
create function note_loan_change() returns trigger
language plpgsql
set search_path from current
as $$
begin
  select (event_log.transaction_offset + pg_current_xact_id()::text::bigint)::text::xid8 into strict new.changed_in
  from event_log;
  return new;
end
$$;

comment on function note_loan_change() is 'Numbers a change of a loan, as the log of events numbers transactions.';

create trigger loans_change before insert or update on loans
for each row execute function note_loan_change();
