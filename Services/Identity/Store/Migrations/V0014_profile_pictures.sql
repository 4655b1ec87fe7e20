-- A profile has one picture at most, which goes with it; what is counted of a person's uploads goes with the account.
--
-- The tables were made by the step before this one and are empty, so nothing is scanned and nobody waits.
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, disallowed-unique-constraint
-- squawk-ignore-file require-concurrent-index-deletion

drop index pictures_holder_idx;

alter table pictures
add constraint pictures_holder_key unique (holder_id),
add constraint pictures_holder_fkey foreign key (holder_id) references profiles (account_id) on delete cascade;

alter table picture_quotas
add constraint picture_quotas_person_fkey foreign key (person_id) references accounts (id) on delete cascade;
