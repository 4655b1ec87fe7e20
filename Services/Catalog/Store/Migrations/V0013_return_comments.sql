-- Comments that borrowers give while returning a book (LE-10).

create table return_comments (
  loan_id uuid not null,
  book_id uuid not null,
  constraint return_comments_pkey primary key (loan_id),
  constraint return_comments_book_fkey foreign key (book_id) references books (id) on delete cascade
);

create index return_comments_book_idx on return_comments (book_id);

comment on table return_comments is 'Loans that were ended with a comment, which is kept once for each of them.';
comment on column return_comments.loan_id is 'As lending calls the loan.';
comment on column return_comments.book_id is 'The book that was lent.';
