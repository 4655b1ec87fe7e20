-- A user is a user in every schema.
-- Programs from before read the old names: all of them are stopped first (see operating.md).
--
-- squawk-ignore-file renaming-column, renaming-object, renaming-table

alter table people rename to users;
alter table users rename column departed to deleted;
alter table users rename column settled to cleaned_up;
alter table users rename constraint people_pkey to users_pkey;
alter table users rename constraint people_departed_nameless to users_deleted_nameless;
alter table users rename constraint people_settled_departed to users_cleaned_up_deleted;
alter index people_unsettled_idx rename to users_to_clean_up_idx;

comment on table users is
'Users whom identity has reported, or who asked for a book. Who asks for a book shares a lock on the own row, so that '
'nothing is stored after the account deletion.';
comment on column users.username is 'As identity reported it; empty until then, and after the account deletion.';
comment on column users.deleted is 'Whether the account was deleted: nothing of the user is kept or stored (C-9).';
comment on column users.cleaned_up is
'Whether what was open, and what is kept, of a user who deleted the account was closed and removed; a job does it.';
