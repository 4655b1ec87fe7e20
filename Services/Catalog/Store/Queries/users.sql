-- name: EnterUser :one
-- Locks the row of a user who is about to store something; no row for a user who has deleted the account.
insert into users (id) values (:user_id)
on conflict on constraint users_pkey do update set changes = users.changes
where not users.deleted
returning id;

-- name: StorageOfUser :one
-- What is stored of a user, as it is counted when it is stored; comments are counted now. No row for a user who never stored anything.
select
  books, workouts, workout_logs, ratings,
  (select count(*) from comments where author_id = :user_id) as "comments!"
from users where id = :user_id;

-- name: NextBookChange :one
-- Locks the row of a user who is about to change a book of their own, and returns the number of the change; no row for a user who has
-- deleted the account.
--
-- It comes before every other lock of the transaction.
-- @effect CountEffect
insert into users (id, books, changes) values (:user_id, :effect, 1)
on conflict on constraint users_pkey do update
set books = users.books + :effect, changes = users.changes + 1
where not users.deleted
returning changes;

-- name: NextWorkoutChange :one
-- Locks the row of a user who is about to change a workout of their own, and returns the number of the change; no row for a user who has
-- deleted the account.
--
-- It comes before every other lock of the transaction.
-- @effect CountEffect
insert into users (id, workouts, workout_changes) values (:user_id, :effect, 1)
on conflict on constraint users_pkey do update
set workouts = users.workouts + :effect, workout_changes = users.workout_changes + 1
where not users.deleted
returning workout_changes;

-- name: ChangeEpoch :one
-- A number that another database has, and this one once it was restored: numbers of changes from before may not be in it ([C-11]).
select transaction_offset from event_log;

-- name: BookChangesOfUser :one
-- The number of the last change of a user's books; no row for a user who never stored anything.
select changes from users where id = :user_id;

-- name: WorkoutChangesOfUser :one
-- The number of the last change of a user's workouts; no row for a user who never stored anything.
select workout_changes from users where id = :user_id;

-- name: MarkAccountDeleted :exec
-- Marks a user's account as deleted, so that no concurrent call stores data of the user afterwards ([C-9]). Only the id stays.
insert into users (id, deleted) values (:user_id, true)
on conflict on constraint users_pkey do update
set username = '', books = 0, workouts = 0, workout_logs = 0, ratings = 0, log_changes = 0, deleted = true;

-- fragment: present(user)
-- True unless the account of a user was deleted, and what is stored of the user is about to be removed: for all users of a statement they are
-- looked up once.
{{user}} <> all(array(select user_id from erasures));

-- name: BeginErasure :exec
-- Has what is stored of a user be removed in parts ([C-9]); no user sees it from then on.
insert into erasures (user_id) values (:user_id) on conflict on constraint erasures_pkey do nothing;

-- name: DueErasure :one
-- Locks a user of whom something may be left, by chance, so that none waits for ever behind one whose removal fails.
select user_id from erasures order by random() limit 1 for update skip locked;

-- name: EraseComments :many
-- Removes some of a user's comments.
delete from comments where id in (select id from comments where author_id = :user_id limit :limit)
returning true as "erased!";

-- name: EraseCommentsOnBooks :many
-- Removes some of the comments on a user's books, before the books.
delete from comments where id in (
  select comment.id from books as book join comments as comment on comment.book_id = book.id
  where book.owner_id = :user_id limit :limit
) returning true as "erased!";

-- name: EraseBooks :many
-- Removes some of a user's books, with their photographs and links.
delete from books where id in (select id from books where owner_id = :user_id limit :limit) returning true as "erased!";

-- name: EraseWorkoutLogs :many
-- Removes some of a user's logs, with their sets.
delete from workout_logs where id in (select id from workout_logs where owner_id = :user_id limit :limit)
returning true as "erased!";

-- name: EraseDeletedWorkoutLogs :many
-- Forgets some of the logs that a user has deleted.
delete from deleted_workout_logs where (owner_id, change) in (
  select owner_id, change from deleted_workout_logs where owner_id = :user_id limit :limit
) returning true as "erased!";

-- name: EraseWorkouts :many
-- Removes some of a user's workouts, with their entries and links.
delete from workouts where id in (select id from workouts where owner_id = :user_id limit :limit)
returning true as "erased!";

-- name: ErasePastLoans :many
-- Removes some of a user's past loans.
delete from past_loans where ctid in (select ctid from past_loans where borrower_id = :user_id limit :limit)
returning true as "erased!";

-- name: EraseRatings :many
-- Removes some of a user's ratings.
delete from book_ratings where (user_id, isbn) in (
  select user_id, isbn from book_ratings where user_id = :user_id limit :limit
) returning true as "erased!";

-- name: EndErasure :exec
-- Nothing is left of a user.
delete from erasures where user_id = :user_id;
