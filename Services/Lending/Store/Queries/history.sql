-- columns: HistoryEntry
-- An entry of the history: a step that was taken ([LE-13]).
-- @actor_id: `nil` if the user deleted the account.
-- @previous_state: `nil` for the step that began the loan.
book_id, number, loan_id, actor_id, step, previous_state, state, previous_status, status, happened_at;

-- fragment: newest_entries(subject, before, limit)
select {{HistoryEntry}} from history
where {{subject}} and number < coalesce({{before}}, 9223372036854775807)
order by number desc
limit {{limit}};

-- name: HistoryOfBook :many
-- A page of the history of a book, the newest first.
-- @before: The number of the last entry of the previous page.
{{newest_entries(book_id = :book_id, :before?, :limit)}};

-- name: HistoryOfLoan :many
-- A page of the history of a loan, the newest first.
-- @before: The number of the last entry of the previous page.
{{newest_entries(loan_id = :loan_id, :before?, :limit)}};

-- name: CountPickupChanges :one
-- How often the pickup location of a loan was changed after a moment ([LE-8]).
select count(*) as "count!" from history
where loan_id = :loan_id and step = 'CHANGE_PICKUP' and happened_at > :since;
