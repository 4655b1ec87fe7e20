-- A user is a user in every table.
-- Programs from before read the old name: all of them are stopped first (see operating.md).
--
-- squawk-ignore-file renaming-column, renaming-object

alter table authorization_attempts rename column person_id to user_id;
alter index authorization_attempts_person_idx rename to authorization_attempts_user_idx;

comment on column authorization_attempts.user_id is 'The user who adds an identity; null for a login.';
