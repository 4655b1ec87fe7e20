-- [LE-1] A book counts its pending requests.
select 'book ' || books.id
from books
left join loans on loans.book_id = books.id and loans.state = 'PENDING'
group by books.id
having books.waiting <> count(loans.id);

-- [LE-7] A book has at most one loan that is accepted or lent, and that is the one it names.
select 'book ' || books.id
from books
left join loans on loans.book_id = books.id and loans.state in ('ACCEPTED', 'BORROWED')
group by books.id
having count(loans.id) > 1 or books.loan_id is distinct from max(loans.id::text)::uuid;

-- [LE-1] A borrower has at most one request for a book at a time.
select 'book ' || book_id || ', user ' || borrower_id
from loans
where state in ('PENDING', 'ACCEPTED', 'BORROWED') and borrower_id is not null
group by book_id, borrower_id
having count(*) > 1;

-- [LE-13] The steps of a book are kept without a gap, but for loans whose parties have both deleted their accounts.
select 'book ' || books.id
from books
left join history on history.book_id = books.id
group by books.id
having
  coalesce(max(history.number), 0) > books.steps or count(history.number) > books.steps
  or (books.owner_id is not null and coalesce(max(history.number), 0) <> books.steps);

-- [LE-13] Each step of a book begins with the status in which the step before left it.
select 'book ' || step.book_id || ', step ' || step.number
from history as step
join history as earlier on earlier.book_id = step.book_id and earlier.number = step.number - 1
where earlier.status <> step.previous_status;

-- [LE-13] Each step of a loan begins with the state in which the step before left it.
select 'loan ' || loan_id || ', step ' || number
from (
  select loan_id, number, previous_state, lag(state) over (partition by loan_id order by number) as former
  from history
) as steps
where former is not null and former is distinct from previous_state;

-- [LE-13] The last step of a loan says the state that it is in.
select 'loan ' || loans.id
from loans
join lateral (
  select history.state from history where history.loan_id = loans.id order by history.number desc limit 1
) as last_step on true
where last_step.state <> loans.state;

-- [LE-9] [LE-10] What was returned was handed over before.
select 'loan ' || id
from loans
where least(returned_by_owner_at, returned_by_borrower_at) < greatest(handed_by_owner_at, handed_by_borrower_at);

-- [C-9] A user who was deleted asks for nothing and holds no request of others.
select 'loan ' || loans.id
from loans
join users on users.id in (loans.owner_id, loans.borrower_id)
where users.deleted and users.cleaned_up and loans.state in ('PENDING', 'ACCEPTED');

-- [LE-13] The last step of a book says the status that it has.
select 'book ' || books.id
from books
join history on history.book_id = books.id and history.number = books.steps
where books.owner_id is not null and history.status <> books.status;
