-- Books as far as lending needs them, requests for them, and what happened to both.

create table people (
  id uuid not null,
  username text not null default '',
  departed boolean not null default false,
  settled boolean not null default true,
  constraint people_pkey primary key (id),
  constraint people_departed_nameless check (not departed or username = ''),
  constraint people_settled_departed check (settled or departed)
);

create index people_unsettled_idx on people (id) where not settled;

comment on table people is
'People whom identity told of, or who asked for a book. Who asks for a book shares a lock on the own row, so that '
'nothing is written behind a departure.';
comment on column people.id is 'The account''s id.';
comment on column people.username is 'As identity told it; empty until then.';
comment on column people.departed is 'Whether the account was deleted: nothing of the person is kept or written (C-9).';
comment on column people.settled is
'Whether what was open and what is kept of a person who departed was closed and removed; a job does it.';

create table blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  constraint blocks_pkey primary key (blocker_id, blocked_id)
);

create index blocks_blocked_idx on blocks (blocked_id);

comment on table blocks is 'Who keeps whom away, as identity told it (C-10).';
comment on column blocks.blocker_id is 'Who blocks.';
comment on column blocks.blocked_id is 'Who is blocked.';

create table books (
  id uuid not null,
  owner_id uuid,
  isbn bigint not null,
  title text not null,
  description text not null,
  status text not null default 'AVAILABLE',
  waiting integer not null default 0,
  loan_id uuid,
  loan_state text generated always as (
    case when status in ('ACCEPTED', 'BORROWED') then status end
  ) stored,
  steps bigint not null default 0,
  retired_at timestamptz,
  constraint books_pkey primary key (id),
  constraint books_isbn_range check (isbn between 9780000000000 and 9799999999999),
  constraint books_status_known check (status in ('AVAILABLE', 'REQUESTED', 'ACCEPTED', 'BORROWED')),
  constraint books_status_fits check (
    case status
      when 'AVAILABLE' then waiting = 0 and loan_id is null
      when 'REQUESTED' then waiting > 0 and loan_id is null
      else waiting = 0 and loan_id is not null
    end
  ),
  constraint books_waiting_limit check (waiting between 0 and 1000),
  constraint books_retired_available check (retired_at is null or status = 'AVAILABLE'),
  constraint books_ownerless_over check (owner_id is not null or status in ('AVAILABLE', 'BORROWED')),
  constraint books_steps_positive check (steps >= 0)
);

create index books_requested_idx on books (owner_id, id) where status = 'REQUESTED';
create index books_owner_idx on books (owner_id, id);

comment on table books is
'Books that lending knows. Whoever decides something about a book, or about a loan of it, locks its row first.';
comment on column books.id is 'As the catalog calls it.';
comment on column books.owner_id is 'Whose it is; null when they deleted their account.';
comment on column books.isbn is 'The 13 digits, by which it changes hands.';
comment on column books.title is 'As the catalog told it last.';
comment on column books.description is 'As the catalog told it last; empty until it has.';
comment on column books.status is 'AVAILABLE, REQUESTED, ACCEPTED or BORROWED; nobody else has a say in it.';
comment on column books.waiting is 'How many requests wait for it.';
comment on column books.loan_id is 'The loan that it is promised or lent by; null otherwise.';
comment on column books.loan_state is 'The state that this loan must have: the status, where there is a loan.';
comment on column books.steps is 'How much has happened to it: the number of its last step.';
comment on column books.retired_at is 'When it was deleted, or began to be: nobody asks for it any more (CA-24).';

create table loans (
  id uuid not null,
  book_id uuid not null,
  owner_id uuid,
  borrower_id uuid,
  state text not null default 'PENDING',
  title text not null,
  description text not null,
  owner_username text not null,
  pickup_latitude double precision,
  pickup_longitude double precision,
  pickup_country text,
  pickup_city text,
  pickup_address text,
  due_on date,
  time_zone text,
  reminder_at timestamptz,
  due_ends_at timestamptz,
  handed_by_owner_at timestamptz,
  handed_by_borrower_at timestamptz,
  returned_by_owner_at timestamptz,
  returned_by_borrower_at timestamptz,
  recalled_at timestamptz,
  comment text,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  constraint loans_pkey primary key (id),
  constraint loans_book_state_key unique (id, book_id, state),
  constraint loans_book_fkey foreign key (book_id) references books (id),
  constraint loans_state_known check (
    state in ('PENDING', 'WITHDRAWN', 'DECLINED', 'ACCEPTED', 'CANCELLED', 'BORROWED', 'RETURNED')
  ),
  constraint loans_not_own check (owner_id <> borrower_id),
  constraint loans_parties_open check (
    state not in ('PENDING', 'ACCEPTED') or (owner_id is not null and borrower_id is not null)
  ),
  constraint loans_pickup_whole check (
    (pickup_latitude is null) = (pickup_longitude is null)
    and (pickup_country is null) = (pickup_city is null)
    and (pickup_country is null) = (pickup_address is null)
  ),
  constraint loans_due_whole check (
    (due_on is null) = (time_zone is null)
    and (due_on is null) = (reminder_at is null)
    and (due_on is null) = (due_ends_at is null)
  ),
  constraint loans_handed_over check (
    state not in ('BORROWED', 'RETURNED') or (handed_by_owner_at is not null and handed_by_borrower_at is not null)
  ),
  constraint loans_returned check (
    state <> 'RETURNED' or returned_by_owner_at is not null or returned_by_borrower_at is not null
  ),
  constraint loans_comment_present check (comment <> '')
);

create unique index loans_one_promise_idx on loans (book_id) where state in ('ACCEPTED', 'BORROWED');
create unique index loans_one_request_idx on loans (book_id, borrower_id) where state = 'PENDING';
create index loans_waiting_idx on loans (book_id, id) where state = 'PENDING';
create index loans_borrower_idx on loans (borrower_id, id);
create index loans_borrower_state_idx on loans (borrower_id, state, id);
create index loans_owner_idx on loans (owner_id, id);
create index loans_lent_idx on loans (owner_id, id) where state in ('ACCEPTED', 'BORROWED');
create index loans_book_idx on loans (book_id);

alter table books add constraint books_loan_fkey
foreign key (loan_id, id, loan_state) references loans (id, book_id, state) deferrable initially deferred;

comment on table loans is 'Requests for books, and the loans that accepted ones are (LE-1).';
comment on column loans.id is 'UUIDv7, made by the service: later requests have greater ids.';
comment on column loans.book_id is 'The book.';
comment on column loans.owner_id is 'Whose it is; null when they deleted their account.';
comment on column loans.borrower_id is 'Who asks for it; null when they deleted their account.';
comment on column loans.state is 'PENDING, WITHDRAWN, DECLINED, ACCEPTED, CANCELLED, BORROWED or RETURNED.';
comment on column loans.title is 'The book''s title when it was asked for.';
comment on column loans.description is 'What its owner said about it then; empty when they deleted their account.';
comment on column loans.owner_username is 'The owner''s username then; empty when they deleted their account.';
comment on column loans.pickup_latitude is 'Where the borrower gets it: degrees; null unless the owner chose a point.';
comment on column loans.pickup_longitude is 'Where the borrower gets it: degrees; null unless the owner chose a point.';
comment on column loans.pickup_country is 'ISO 3166-1 alpha-2; null unless the owner gave an address.';
comment on column loans.pickup_city is 'A city of the loaded places; null unless the owner gave an address.';
comment on column loans.pickup_address is 'An address in the city; null unless the owner gave one.';
comment on column loans.due_on is 'The last day of the loan; null when nothing was agreed (LE-12).';
comment on column loans.time_zone is 'In whose days that is meant.';
comment on column loans.reminder_at is 'When the borrower is reminded of it.';
comment on column loans.due_ends_at is 'When the last day is over.';
comment on column loans.handed_by_owner_at is 'When the owner confirmed the handover (LE-9).';
comment on column loans.handed_by_borrower_at is 'When the borrower did.';
comment on column loans.returned_by_owner_at is 'When the owner confirmed the return (LE-10).';
comment on column loans.returned_by_borrower_at is 'When the borrower did.';
comment on column loans.recalled_at is 'When the owner asked for the book back; null when they did not.';
comment on column loans.comment is
'What the borrower said about the book while giving it back; null when nothing, and when they deleted their account.';
comment on column loans.requested_at is 'When the book was asked for.';
comment on column loans.updated_at is 'When something last happened to the loan.';

create table history (
  book_id uuid not null,
  number bigint not null,
  loan_id uuid not null,
  actor_id uuid,
  party text not null,
  step text not null,
  previous_state text,
  state text not null,
  previous_status text not null,
  status text not null,
  happened_at timestamptz not null,
  constraint history_pkey primary key (book_id, number),
  constraint history_book_fkey foreign key (book_id) references books (id),
  constraint history_loan_fkey foreign key (loan_id) references loans (id) on delete cascade,
  constraint history_party_known check (party in ('OWNER', 'BORROWER')),
  constraint history_step_known check (
    step in (
      'REQUEST', 'WITHDRAW', 'DECLINE', 'ACCEPT', 'CHANGE_PICKUP', 'CANCEL', 'CONFIRM_HANDOVER', 'HAND_OVER', 'RECALL',
      'CONFIRM_RETURN', 'RETURN'
    )
  ),
  constraint history_begins_with_request check ((previous_state is null) = (step = 'REQUEST'))
);

create index history_loan_idx on history (loan_id, number);
create index history_actor_idx on history (actor_id);

comment on table history is 'Every step that was taken with a book, in order (LE-13).';
comment on column history.book_id is 'The book.';
comment on column history.number is 'Counts its steps, from 1 and without gaps.';
comment on column history.loan_id is 'The request or loan.';
comment on column history.actor_id is
'Who took the step; null when they deleted their account, be it by that or later.';
comment on column history.party is 'On which side they are: OWNER or BORROWER.';
comment on column history.step is 'What was done.';
comment on column history.previous_state is 'What the loan was; null when it began.';
comment on column history.state is 'What it was then.';
comment on column history.previous_status is 'Where the book was.';
comment on column history.status is 'Where it was then.';
comment on column history.happened_at is 'When.';
