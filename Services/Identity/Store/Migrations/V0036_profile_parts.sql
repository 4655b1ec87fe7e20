-- A profile in two parts: the general one from verification on, the gym part once matching asks for it (ID-20).

-- squawk-ignore ban-drop-not-null
alter table profiles alter column gender drop not null;
-- squawk-ignore ban-drop-not-null
alter table profiles alter column date_of_birth drop not null;
-- squawk-ignore ban-drop-not-null
alter table profiles alter column level drop not null;

-- Every profile of before has all of the gym part, so there is nothing to validate.
alter table profiles add constraint profiles_gym_part_whole check (
  (gender is null) = (date_of_birth is null) and (gender is null) = (level is null)
  and (gender is not null or (interests = '{}' and strengths = '{}'))
) not valid;

comment on table profiles is
'What a person tells others: the general part from verification on, the gym part once it is asked for (ID-20).';
comment on column profiles.gender is 'MALE, FEMALE or OTHER; null without a gym part.';
comment on column profiles.date_of_birth is
'Checked against today in the person''s zone when it is written (ID-21); null without a gym part. Others see an age.';
comment on column profiles.level is
'NOVICE, BEGINNER, INTERMEDIATE, ADVANCED or EXPERT; null without a gym part.';
comment on column profiles.time_zone is 'An IANA name that the database knows (C-8); UTC until one is chosen.';
comment on column profiles.created_at is 'When the account was verified, or earlier versions made the profile.';

create function create_profile() returns trigger
language plpgsql
set search_path from current
as $$
begin
  insert into profiles (account_id, interests, strengths, time_zone, phone, created_at, updated_at)
  values (new.id, '{}', '{}', 'UTC', '', new.verified_at, new.verified_at)
  on conflict on constraint profiles_pkey do nothing;
  return null;
end
$$;

comment on function create_profile() is
'Gives an account its profile, in the transaction that verifies it: whatever verifies one, none is without (ID-20).';

create trigger accounts_profile
after insert or update of verified_at on accounts
for each row when (new.verified_at is not null) execute function create_profile();

insert into profiles (account_id, interests, strengths, time_zone, phone, created_at, updated_at)
select
  id as account_id, '{}' as interests, '{}' as strengths, 'UTC' as time_zone, '' as phone,
  verified_at as created_at, verified_at as updated_at
from accounts
where verified_at is not null
on conflict on constraint profiles_pkey do nothing;
