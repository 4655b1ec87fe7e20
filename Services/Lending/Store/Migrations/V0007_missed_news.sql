-- What is needed where news was missed: by the catalog, to ask for what borrowers said, and here, to ask for blocks.
-- And an index to count how often somebody asks for a book (LE-1).

alter table loans add column commented_at timestamptz;

comment on column loans.commented_at is
'When the borrower said it; null without a comment, and for one from before this column: it came with the return.';

-- Who asks for a book waits while they are made: some seconds for a million loans.
-- squawk-ignore require-concurrent-index-creation
create index loans_commented_idx on loans (id) where comment is not null;
-- squawk-ignore require-concurrent-index-creation
create index loans_borrower_book_idx on loans (borrower_id, book_id, id);

-- The consumer begins with the first event that there ever was. Where that was removed meanwhile it is told so, and
-- asks identity for all blocks; without a position it would begin with the oldest that is left, and miss the others.
insert into event_cursors (producer, consumer, transaction_id, id, moved_at)
values ('identity', 'lending.blocks', '0', 0, now())
-- A follower may have begun while this is run; it begins there too.
on conflict on constraint event_cursors_pkey do nothing;
