-- columns: LoanColumns as StoredLoan
-- The columns of a row `loan` and its `book`, joined by {{loan_usernames}}.
loan.id, loan.book_id, loan.owner_id,
coalesce(nullif(loan.owner_username, ''), owner.username, '') as "owner_username!",
loan.borrower_id, coalesce(borrower.username, '') as "borrower_username!",
book.isbn as "isbn!", loan.title as "title!", loan.description as "description!", loan.state as "state!", book.status as "book_status!",
loan.pickup_latitude, loan.pickup_longitude, loan.pickup_country, loan.pickup_city, loan.pickup_address, loan.pickup_at,
loan.found_latitude, loan.found_longitude, loan.found_precision_m, loan.found_exactness,
loan.nearby_name, loan.nearby_city, loan.nearby_country, loan.nearby_m,
loan.due_on, loan.time_zone, loan.reminder_at, loan.due_ends_at,
loan.handed_by_owner_at, loan.handed_by_borrower_at, loan.returned_by_owner_at, loan.returned_by_borrower_at,
loan.recalled_at, loan.comment, loan.requested_at, loan.updated_at;

-- fragment: loan_usernames
left join users as owner on owner.id = loan.owner_id
left join users as borrower on borrower.id = loan.borrower_id;

-- fragment: selected_loans
-- All loans; a condition on `loan` may follow.
select {{LoanColumns}} from loans as loan join books as book on book.id = loan.book_id {{loan_usernames}};

-- fragment: before(id)
-- An id, or a value greater than every id where it is null: the same index finds a page with and without one before it.
coalesce({{id}}, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid);

-- fragment: after(id)
-- An id, or a value less than every id where it is null.
coalesce({{id}}, '00000000-0000-0000-0000-000000000000'::uuid);

-- name: LoanByID :one
-- A loan. If the transaction has locked its book, the loan does not change until the end of the transaction.
{{selected_loans}} where loan.id = :loan_id;

-- name: MoveLoan :one
-- Stores a decision about a loan of a book that the transaction has locked ([LE-13]); no row if the loan's state has changed meanwhile.
-- @actor_id UserID: `nil` for a user who deleted the account.
-- @changes_pickup Bool: Whether the pickup location is replaced.
with book as (
  update books
  set status = :status, waiting = :waiting, steps = steps + 1,
    loan_id = case when :status in ('ACCEPTED', 'BORROWED') then :loan_id::uuid end
  from loans as current
  -- `is not distinct from` is no index condition, so only the ids are: a partial index of requested books, for example, would be scanned
  -- entirely.
  where current.id = :loan_id and current.state is not distinct from :previous_state?
    and books.id = current.book_id and books.status is not distinct from :previous_status
  returning books.*
), loan as (
  update loans
  set state = :state, updated_at = :now,
    pickup_latitude = case when :changes_pickup then :pickup_latitude? else pickup_latitude end,
    pickup_longitude = case when :changes_pickup then :pickup_longitude? else pickup_longitude end,
    pickup_country = case when :changes_pickup then :pickup_country? else pickup_country end,
    pickup_city = case when :changes_pickup then :pickup_city? else pickup_city end,
    pickup_address = case when :changes_pickup then :pickup_address? else pickup_address end,
    pickup_at = case when :changes_pickup then :pickup_at? else pickup_at end,
    found_latitude = case when :changes_pickup then :found_latitude? else found_latitude end,
    found_longitude = case when :changes_pickup then :found_longitude? else found_longitude end,
    found_precision_m = case when :changes_pickup then :found_precision_m? else found_precision_m end,
    found_exactness = case when :changes_pickup then :found_exactness? else found_exactness end,
    nearby_name = case when :changes_pickup then :nearby_name? else nearby_name end,
    nearby_city = case when :changes_pickup then :nearby_city? else nearby_city end,
    nearby_country = case when :changes_pickup then :nearby_country? else nearby_country end,
    nearby_m = case when :changes_pickup then :nearby_m? else nearby_m end,
    due_on = coalesce(:due_on?, due_on), time_zone = coalesce(:time_zone?, time_zone),
    reminder_at = coalesce(:reminder_at?, reminder_at), due_ends_at = coalesce(:due_ends_at?, due_ends_at),
    handed_by_owner_at = coalesce(handed_by_owner_at, :handed_by_owner_at?),
    handed_by_borrower_at = coalesce(handed_by_borrower_at, :handed_by_borrower_at?),
    returned_by_owner_at = coalesce(returned_by_owner_at, :returned_by_owner_at?),
    returned_by_borrower_at = coalesce(returned_by_borrower_at, :returned_by_borrower_at?),
    recalled_at = coalesce(recalled_at, :recalled_at?)
  from book where loans.id = :loan_id
  returning loans.*
), entry as (
  insert into history (
    book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
  )
  select
    book.id, book.steps, :loan_id, :actor_id?, :party, :step, :previous_state?, :state, :previous_status, :status, :now
  from book
)
select {{LoanColumns}} from loan cross join book {{loan_usernames}};

-- name: AddComment :one
-- Stores the comment of a borrower on a loan of a book that the transaction has locked; no row if there is a comment already ([LE-10]).
update loans set comment = :comment, commented_at = :now, updated_at = :now where id = :loan_id and comment is null
returning id;

-- name: ReturnCommentsAfter :many slow
-- A page of the comments on returns whose authors have an account, by the ids of the loans ([LE-10]).
-- @after LoanID: The last loan of the previous page.
select
  -- The join leaves out loans whose borrower was removed, and the condition those without a comment; one is stored after the borrower's part
  -- of the return only, so that it has a time.
  loan.id as loan_id, loan.book_id, loan.borrower_id as "author_id!", loan.comment as "text!",
  coalesce(loan.commented_at, loan.returned_by_borrower_at) as "created_at!"
from loans as loan join users as borrower on borrower.id = loan.borrower_id and not borrower.deleted
where loan.comment is not null and loan.id > {{after(:after?)}}
order by loan.id
limit :limit;

-- name: DeclineOthers :many
-- Declines every request but one for a book that the transaction has locked, before that one is accepted ([LE-7]); a row for each of them,
-- with the borrower to notify.
-- @accepted_id LoanID
-- @previous_state: That of pending requests, which the statement selects by name, as their index does.
with declined as (
  update loans set state = :state, updated_at = :now
  where book_id = :book_id and state = 'PENDING' and id <> :accepted_id
  returning id, borrower_id
), numbered as (
  select id, borrower_id, row_number() over (order by id) as place from declined
), book as (
  update books
  set waiting = waiting - (select count(*)::integer from numbered), steps = steps + (select count(*) from numbered)
  where id = :book_id
  returning steps
), entry as (
  insert into history (
    book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
  )
  select
    :book_id, book.steps - (select count(*) from numbered) + numbered.place, numbered.id, :actor_id, :party, :step, :previous_state?,
    :state, :previous_status, :status, :now
  from numbered cross join book
)
select id as loan_id, borrower_id from numbered order by place;

-- name: DeclineAll :many
-- Declines every request for a book that the transaction has locked, and withholds it ([CA-29]); a row for each of them, with the borrower to
-- notify.
-- @last_status BookStatus: The book's status after the last of them.
-- @waiting: The pending requests after it.
-- @previous_state: That of pending requests, which the statement selects by name, as their index does.
with declined as (
  update loans set state = :state, updated_at = :now
  where book_id = :book_id and state = 'PENDING'
  returning id, borrower_id
), numbered as (
  select id, borrower_id, row_number() over (order by id) as place, count(*) over () as number from declined
), book as (
  update books
  set status = :last_status, waiting = :waiting, held_at = :now, steps = steps + (select count(*) from numbered)
  where id = :book_id
  returning steps
), entry as (
  insert into history (
    book_id, number, loan_id, actor_id, party, step, previous_state, state, previous_status, status, happened_at
  )
  select
    :book_id, book.steps - numbered.number + numbered.place, numbered.id, :actor_id, :party, :step, :previous_state?, :state,
    :previous_status, case when numbered.place = numbered.number then :last_status else :status end, :now
  from numbered cross join book
)
select id as loan_id, borrower_id from numbered order by place;

-- fragment: loan_page(loans)
-- A page of loans, the newest first. The page is limited before the joins, so that it uses the index whatever the planner estimates for the
-- joins.
select {{LoanColumns}}
from ({{loans}}) as loan
join books as book on book.id = loan.book_id {{loan_usernames}}
order by loan.id desc;

-- name: LoansOfBorrower :many
-- A page of a borrower's requests, the newest first ([LE-2]).
-- @before LoanID: The last loan of the previous page.
{{loan_page(
  select * from loans where borrower_id = :borrower_id and id < {{before(:before?)}} order by id desc limit :limit
)}};

-- name: LoansOfBorrowerInState :many
-- A page of a borrower's requests in one state, the newest first ([LE-2], [LE-11]).
-- @before LoanID: The last loan of the previous page.
{{loan_page(
  select * from loans where borrower_id = :borrower_id and state = :state and id < {{before(:before?)}} order by id desc limit :limit
)}};

-- name: RequestsForBook :many
-- A page of the pending requests for a book, the oldest first ([LE-3]).
-- @after LoanID: The last loan of the previous page.
{{selected_loans}}
where loan.book_id = :book_id and loan.state = 'PENDING' and loan.id > {{after(:after?)}}
order by loan.id
limit :limit;

-- name: AnsweredRequestsForBook :many
-- A page of the requests for a book that are not pending any more, and the loans that some became, the newest first ([LE-3]).
-- @before LoanID: The last loan of the previous page.
{{loan_page(
  select * from loans where book_id = :book_id and state <> 'PENDING' and id < {{before(:before?)}} order by id desc limit :limit
)}};

-- name: ScannedLoans :many
-- The accepted and borrowed loans of a user, as owner or borrower, of books with an ISBN, the oldest first ([LE-16]).
{{selected_loans}}
where loan.id in (
  select books.loan_id from books where books.owner_id = :user_id and books.isbn = :isbn and books.loan_id is not null
  union all
  select borrowed.id from loans as borrowed join books on books.id = borrowed.book_id and books.isbn = :isbn
  where borrowed.borrower_id = :user_id and borrowed.state in ('ACCEPTED', 'BORROWED')
)
order by loan.id
limit :limit;

-- name: ChangedLoans :many
-- What changed in a user's requests and loans, as owner or borrower, since a place in the order of transactions ([C-11]). Nothing is read
-- from the oldest transaction on that is still open: what it changes comes later.
-- @transaction: The transaction of the change.
select changed.loan_id as "loan_id!", changed.changed_in::text::bigint as "transaction!"
from (
  (
    select id as loan_id, changed_in from loans
    where owner_id = :user_id and (changed_in, id) > ((:after_transaction::bigint)::text::xid8, :after_loan_id)
      and changed_in < (select {{numbered_transaction(pg_snapshot_xmin(pg_current_snapshot()))}} from event_log)
    order by changed_in, id
    limit :limit
  )
  union all
  (
    select id as loan_id, changed_in from loans
    where borrower_id = :user_id and (changed_in, id) > ((:after_transaction::bigint)::text::xid8, :after_loan_id)
      and changed_in < (select {{numbered_transaction(pg_snapshot_xmin(pg_current_snapshot()))}} from event_log)
    order by changed_in, id
    limit :limit
  )
) as changed
order by changed.changed_in, changed.loan_id
limit :limit;

-- name: ChangeNumbering :one
-- What the numbers of changes are of, which another database has, and this one once it was restored: what was being changed when it was
-- dumped is unknown to it, below numbers that it knows.
-- @is_lost: Whether a place in the order of transactions belongs to a database that was restored to an earlier moment since.
select transaction_offset as "epoch!", {{lost_transaction((:transaction::bigint)::text::xid8)}} as "is_lost!" from event_log;

-- name: LoansByIDs :many
-- Some loans, in no particular order.
{{selected_loans}} where loan.id = any(:loan_ids::uuid[]);

-- name: LentBooks :many
-- A page of the accepted and borrowed loans of an owner's books, the newest first ([LE-11]).
-- @before LoanID: The last loan of the previous page.
{{selected_loans}}
where loan.owner_id = :owner_id and loan.state in ('ACCEPTED', 'BORROWED') and loan.id < {{before(:before?)}}
order by loan.id desc
limit :limit;

-- name: AskerOfBook :one
-- What a decision needs to know about a user who requests a book that the transaction has locked.
-- @waiting: The user's pending requests, counted up to `counted`.
-- @asked: The user's requests for this book since `since`, without loans that were returned.
-- @withdrawn: The user's requests since `since`, for any book, that were withdrawn, counted up to `counted_withdrawn`.
-- @since LoanID
select
  exists (
    select from loans where book_id = :book_id and borrower_id = :user_id and state = 'PENDING'
  ) as "waits_for_book!",
  (
    select count(*) from (
      select from loans where borrower_id = :user_id and state = 'PENDING' limit :counted
    ) as waiting
  ) as "waiting!",
  (
    select count(*) from loans
    where borrower_id = :user_id and id > :since and book_id = :book_id and state <> 'RETURNED'
  ) as "asked!",
  (
    select count(*) from (
      select from loans where borrower_id = :user_id and state = 'WITHDRAWN' and id > :since limit :counted_withdrawn
    ) as withdrawn
  ) as "withdrawn!",
  {{blocked(:user_id, :owner_id?)}} as "is_blocked!";

-- name: InsertLoan :one
-- Stores the decision that begins a request, with a copy of the book's details ([LE-1], [LE-13]).
--
-- The transaction has locked the book.
with book as (
  update books set status = :status, waiting = :waiting, steps = steps + 1 where id = :book_id returning *
), loan as (
  insert into loans (
    id, book_id, owner_id, borrower_id, state, title, description, owner_username, requested_at, updated_at
  )
  select
    :loan_id, book.id, book.owner_id, :borrower_id, :state, book.title, book.description,
    coalesce(owner.username, ''), :now, :now
  from book left join users as owner on owner.id = book.owner_id
  returning *
), entry as (
  insert into history (
    book_id, number, loan_id, actor_id, party, step, state, previous_status, status, happened_at
  )
  select book.id, book.steps, :loan_id, :borrower_id, :party, :step, :state, :previous_status, book.status, :now from book
)
select {{LoanColumns}} from loan cross join book {{loan_usernames}};

-- name: DueCalendar :one
-- The moments of a due date in a time zone ([LE-12]), by the same function as those of repeating jobs: a local time that occurs twice is the
-- first of both, and for one that is skipped it is the moment after the gap.
-- @today: The present day in the zone.
select
  (:now::timestamptz at time zone :zone)::date as "today!",
  coalesce(
    job_occurrence(:day::date - 1, :reminder_hour * 60, :zone),
    -- A zone skips a day at most.
    job_occurrence(:day::date - 2, :reminder_hour * 60, :zone)
  ) as "reminder_at!",
  coalesce(job_occurrence(:day::date + 1, 0, :zone), job_occurrence(:day::date + 2, 0, :zone)) as "ends_at!";

-- name: DueDayStart :one
-- When the last day of a loan begins, by the same function as ``DueCalendar``.
select coalesce(job_occurrence(:day::date, 0, :zone), job_occurrence(:day::date + 1, 0, :zone)) as "starts_at!";
