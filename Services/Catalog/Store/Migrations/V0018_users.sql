-- A user is a user in every schema.
-- Programs from before read the old names: all of them are stopped first (see operating.md).
--
-- squawk-ignore-file renaming-column, renaming-object, renaming-table

alter table people rename to users;
alter table users rename column departed to deleted;
alter table users rename constraint people_pkey to users_pkey;
alter table users rename constraint people_departed_nameless to users_deleted_nameless;
alter table users rename constraint people_books_limit to users_books_limit;
alter table users rename constraint people_workouts_limit to users_workouts_limit;
alter table users rename constraint people_workout_logs_limit to users_workout_logs_limit;
alter table users rename constraint people_ratings_limit to users_ratings_limit;
alter table gym_presences rename column person_id to user_id;
alter table gym_presences rename constraint gym_presences_person_fkey to gym_presences_user_fkey;
alter table book_ratings rename column person_id to user_id;
alter table book_ratings rename constraint book_ratings_person_fkey to book_ratings_user_fkey;
alter index book_ratings_person_idx rename to book_ratings_user_idx;

comment on table users is
'Users whom identity has reported, or who stored something. Whoever changes something of their own locks the own row '
'first, so that nothing is stored after the account deletion.';
comment on column users.username is 'As identity reported it; empty until then, and after the account deletion.';
comment on column users.books is 'How many books the user has that are not deleted.';
comment on column users.workouts is 'How many workouts the user has that are not deleted.';
comment on column users.workout_changes is 'As changes, for the user''s workouts (C-11).';
comment on column users.workout_logs is 'How many logs of workouts the user has.';
comment on column users.ratings is 'How many books the user has rated.';
comment on column users.deleted is 'Whether the account was deleted: nothing of the user is kept or stored (C-9).';
comment on column books.change is 'The owner''s users.changes at the last change.';
comment on column workouts.change is 'The owner''s users.workout_changes at the last change.';
