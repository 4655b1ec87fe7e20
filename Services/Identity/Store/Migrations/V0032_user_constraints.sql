-- The keys to users of two tables of libraries have the column's present name; no program matches on them.
-- squawk-ignore-file renaming-object

alter table picture_quotas rename constraint picture_quotas_person_fkey to picture_quotas_user_fkey;
alter table authorization_attempts
rename constraint authorization_attempts_person_fkey to authorization_attempts_user_fkey;
