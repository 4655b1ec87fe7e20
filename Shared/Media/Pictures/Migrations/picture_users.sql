-- A user is a user in every table.
-- Programs from before read the old name: all of them are stopped first (see operating.md).
--
-- squawk-ignore-file renaming-column

alter table picture_quotas rename column person_id to user_id;

comment on column picture_quotas.user_id is 'The user who uploads.';
