-- name: EnterUser :one
-- Locks the row of a user who is about to store something; no row for a user who has deleted the account.
insert into users (id) values (:user_id)
on conflict on constraint users_pkey do update set changes = users.changes
where not users.deleted
returning id;

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
