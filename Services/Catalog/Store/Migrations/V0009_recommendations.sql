-- What people borrowed, and what is recommended because of it (CA-28).
--
-- squawk-ignore-file require-concurrent-index-creation

create table past_loans (
  loan_id uuid not null,
  borrower_id uuid not null,
  isbn bigint not null,
  title text not null,
  borrowed_at timestamptz not null,
  constraint past_loans_pkey primary key (loan_id),
  constraint past_loans_borrower_fkey foreign key (borrower_id) references people (id),
  constraint past_loans_isbn_range check (isbn between 9780000000000 and 9799999999999)
);

create index past_loans_borrower_idx on past_loans (borrower_id, isbn);

comment on table past_loans is
'What people borrowed, as lending told it (CA-28); a loan once, however often it is told.';
comment on column past_loans.loan_id is 'The loan, as lending names it.';
comment on column past_loans.borrower_id is 'Who borrowed.';
comment on column past_loans.isbn is 'What: the 13 digits. The copy itself may be gone.';
comment on column past_loans.title is 'What its owner called it then.';
comment on column past_loans.borrowed_at is 'When it was handed over.';

create table book_neighbours (
  isbn bigint not null,
  readers integer not null,
  neighbours bigint[] not null,
  weights real[] not null,
  constraint book_neighbours_pkey primary key (isbn),
  constraint book_neighbours_readers_counted check (readers > 0),
  constraint book_neighbours_weighed check (cardinality(neighbours) = cardinality(weights))
);

create index book_neighbours_readers_idx on book_neighbours (readers desc, isbn);

comment on table book_neighbours is
'Which books readers of a book read too: made anew from all past loans, in the background and as a whole (CA-28).';
comment on column book_neighbours.isbn is 'The book.';
comment on column book_neighbours.readers is 'How many people borrowed it.';
comment on column book_neighbours.neighbours is 'ISBNs of other books, the closest first.';
comment on column book_neighbours.weights is
'How likely each of them is for who read the book; below 0, unlikely.';

-- The copies of a book that can be requested.
create index books_isbn_idx on books (isbn, status_order, id) where deleted_at is null;
