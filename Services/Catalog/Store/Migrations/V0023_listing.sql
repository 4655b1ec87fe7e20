-- What a book's status was before: a list of one's own books is in the order of the statuses that books had when its
-- first page was read, so that none is missed or repeated while statuses change (CA-22, C-5). And when a comment was
-- edited.

alter table books add column status_changes bigint[] not null default '{}';
alter table books add column former_orders smallint[] not null default '{}';
alter table books add constraint books_former_orders_complete
check (cardinality(status_changes) = cardinality(former_orders)) not valid;

comment on column books.status_changes is
'The numbers of the last changes of its status, ascending, at most 16: its owner''s change numbers.';
comment on column books.former_orders is 'What status_order was before each of them.';

create function note_status_change() returns trigger
language plpgsql
as $$
begin
  new.status_changes := (old.status_changes || new.change)[greatest(1, cardinality(old.status_changes) - 14):];
  new.former_orders := (old.former_orders || old.status_order)[greatest(1, cardinality(old.former_orders) - 14):];
  return new;
end
$$;

comment on function note_status_change() is 'Keeps what the status of a book was before.';

create trigger books_status_change before update of status on books
for each row when (old.status is distinct from new.status) execute function note_status_change();

-- Comments of a user on a book are counted; all comments of a user are found by it as before.
-- squawk-ignore require-concurrent-index-creation
create index comments_author_book_idx on comments (author_id, book_id);
-- squawk-ignore require-concurrent-index-deletion
drop index comments_author_idx;

alter table comments add column edited_at timestamptz;

comment on column comments.edited_at is 'When its author changed it last; null for one that was not changed.';
