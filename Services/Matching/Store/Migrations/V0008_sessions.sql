-- Training sessions, who takes part in them, feedback, bars, and when the service was down.
--
-- squawk-ignore-file constraint-missing-not-valid

alter table users
add column gender text,
add column level text,
add column profile_at timestamptz,
add column cleaned_up boolean not null default true,
add column rating_count bigint not null default 0,
add column rating_sum bigint not null default 0,
add column attended bigint not null default 0,
add column missed bigint not null default 0;

-- The table is as good as empty: matching had no methods before.
alter table users
add constraint users_gender_known check (gender in ('MALE', 'FEMALE', 'OTHER')),
add constraint users_level_known check (level in ('NOVICE', 'BEGINNER', 'INTERMEDIATE', 'ADVANCED', 'EXPERT')),
add constraint users_profile_whole check (
  (gender is null) = (level is null) and (gender is null) = (profile_at is null)
),
add constraint users_ratings_range check (rating_sum between rating_count and 5 * rating_count),
add constraint users_attendance_positive check (attended >= 0 and missed >= 0);

-- squawk-ignore require-concurrent-index-creation
create index users_to_clean_up_idx on users (id) where not cleaned_up;

comment on column users.gender is 'MALE, FEMALE or OTHER, by identity; null while no profile is known.';
comment on column users.level is 'The level of the profile, by identity; null while no profile is known.';
comment on column users.profile_at is 'When the profile was that: an older one does not replace it.';
comment on column users.cleaned_up is
'Whether sessions and feedback of a user who deleted the account were closed and removed; a job does it (C-9).';
comment on column users.rating_count is 'How many ratings the user received (MA-11).';
comment on column users.rating_sum is 'Their sum.';
comment on column users.attended is 'Matched sessions to which the user turned up.';
comment on column users.missed is 'Matched sessions that the user missed.';

create table sessions (
  id uuid not null,
  owner_id uuid,
  partner_id uuid,
  state text not null default 'OPEN',
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  gym_id uuid not null,
  gym_name text not null,
  gym_latitude double precision not null,
  gym_longitude double precision not null,
  time_zone text not null,
  focus text not null,
  level text not null,
  admitted smallint not null,
  owner_gender text not null,
  kind smallint not null generated always as (
    15 * array_position(
      array[
        'STRENGTH', 'HYPERTROPHY', 'WEIGHTLIFTING', 'POWERLIFTING', 'CALISTHENICS', 'CARDIO', 'INTERVALS', 'FUNCTIONAL',
        'MOBILITY', 'YOGA', 'COMBAT', 'CLIMBING'
      ],
      focus
    )
    + 3 * array_position(array['NOVICE', 'BEGINNER', 'INTERMEDIATE', 'ADVANCED', 'EXPERT'], level)
    + array_position(array['MALE', 'FEMALE', 'OTHER'], owner_gender)
  ) stored,
  place extensions.cube not null,
  revision integer not null default 1,
  finished_at timestamptz,
  posted_at timestamptz not null,
  updated_at timestamptz not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_state_known check (
    state in ('OPEN', 'MATCHED', 'SUCCESSFUL', 'FAILED', 'LAPSED', 'CANCELLED')
  ),
  constraint sessions_participants check (
    case state
      when 'OPEN' then owner_id is not null and partner_id is null
      when 'MATCHED' then owner_id is not null and partner_id is not null and owner_id <> partner_id
      else true
    end
  ),
  constraint sessions_length check (
    ends_at >= starts_at + interval '15 minutes' and ends_at <= starts_at + interval '8 hours'
  ),
  constraint sessions_finished_successful check (finished_at is null or state = 'SUCCESSFUL'),
  constraint sessions_latitude_range check (gym_latitude between -90 and 90),
  constraint sessions_longitude_range check (gym_longitude between -180 and 180),
  constraint sessions_admitted_range check (admitted between 1 and 7),
  constraint sessions_level_known check (level in ('NOVICE', 'BEGINNER', 'INTERMEDIATE', 'ADVANCED', 'EXPERT')),
  constraint sessions_gender_known check (owner_gender in ('MALE', 'FEMALE', 'OTHER'))
);

create index sessions_start_idx on sessions (starts_at, id) where state = 'OPEN';
create index sessions_kind_idx on sessions (kind, starts_at, id) where state = 'OPEN';
create index sessions_gym_idx on sessions (gym_id, starts_at, id) where state = 'OPEN';
create index sessions_gym_kind_idx on sessions (gym_id, kind, starts_at, id) where state = 'OPEN';
create index sessions_place_idx on sessions using gist (place extensions.gist_cube_ops) where state = 'OPEN';
create index sessions_kind_place_idx on sessions using gist (
  kind extensions.gist_int2_ops, place extensions.gist_cube_ops
) where state = 'OPEN';
create index sessions_due_idx on sessions (starts_at, id) where state in ('OPEN', 'MATCHED');
create index sessions_owner_idx on sessions (owner_id, id);
create index sessions_partner_idx on sessions (partner_id, id) where partner_id is not null;

comment on table sessions is
'Training sessions (MA-1). A transaction that decides something about a session locks its row, after those of users.';
comment on column sessions.id is 'UUIDv7, made by the service: later posts have greater ids.';
comment on column sessions.owner_id is 'The user whose it is; null after the account deletion.';
comment on column sessions.partner_id is 'The user who joined it; null if none has, or after the account deletion.';
comment on column sessions.state is 'OPEN, MATCHED, SUCCESSFUL, FAILED, LAPSED or CANCELLED.';
comment on column sessions.starts_at is 'When it starts.';
comment on column sessions.ends_at is 'When it ends.';
comment on column sessions.gym_id is 'The gym''s id in the catalog.';
comment on column sessions.gym_name is 'The gym''s name when the session was posted.';
comment on column sessions.gym_latitude is 'Degrees north, when the session was posted.';
comment on column sessions.gym_longitude is 'Degrees east, when the session was posted.';
comment on column sessions.time_zone is 'IANA name of the gym''s zone when the session was posted; UTC if unknown.';
comment on column sessions.focus is 'What it is about.';
comment on column sessions.level is 'The owner''s level in this focus.';
comment on column sessions.admitted is 'Genders that the owner prefers: the sum of 1 male, 2 female and 4 other.';
comment on column sessions.owner_gender is 'The owner''s gender when the session became theirs.';
comment on column sessions.kind is 'Focus, level and gender of the owner as one number, for indexes.';
comment on column sessions.place is
'The gym''s place on the unit sphere, and the slot as a fourth dimension: an hour is as long as 5 km.';
comment on column sessions.revision is 'Grows with every change (C-11).';
comment on column sessions.finished_at is 'When a participant finished it; null if none has (MA-11).';
comment on column sessions.posted_at is 'When it was posted.';
comment on column sessions.updated_at is 'When it was last changed.';

create table participations (
  session_id uuid not null,
  user_id uuid not null,
  slot tstzrange not null,
  active boolean not null default true,
  present boolean not null default true,
  checked_in_at timestamptz,
  changed_in xid8 not null default pg_current_xact_id(),
  constraint participations_pkey primary key (session_id, user_id),
  constraint participations_session_fkey foreign key (session_id) references sessions (id),
  constraint participations_active_present check (present or not active),
  constraint participations_slot_half_open check (lower_inc(slot) and not upper_inc(slot)),
  constraint participations_no_overlap exclude using gist (
    user_id extensions.gist_uuid_ops with =, slot with &&
  ) where (active)
);

create index participations_changed_idx on participations (user_id, changed_in, session_id);
create index participations_upcoming_idx on participations (user_id, lower(slot), session_id) where present;

comment on table participations is 'Who takes part, or took part, in which session: owner and partner alike.';
comment on column participations.session_id is 'The session.';
comment on column participations.user_id is 'The user; rows of deleted accounts are removed.';
comment on column participations.slot is 'From the start of the session to its end, half open.';
comment on column participations.active is 'Whether the slot is taken: no two active ones of a user overlap (MA-2).';
comment on column participations.present is 'Whether the user still takes part; false after a cancellation.';
comment on column participations.checked_in_at is 'When the user checked in; null if not (MA-8).';
comment on column participations.changed_in is 'The transaction that last changed the session for this user (C-11).';

create table feedback (
  id uuid not null,
  session_id uuid not null,
  author_id uuid,
  recipient_id uuid not null,
  rating smallint not null,
  adjectives text[] not null,
  remarks text not null,
  given_at timestamptz not null,
  constraint feedback_pkey primary key (id),
  constraint feedback_once unique (session_id, recipient_id),
  constraint feedback_session_fkey foreign key (session_id) references sessions (id),
  constraint feedback_rating_range check (rating between 1 and 5),
  constraint feedback_not_own check (author_id <> recipient_id)
);

create index feedback_recipient_idx on feedback (recipient_id, id);
create index feedback_author_idx on feedback (author_id) where author_id is not null;

comment on table feedback is 'What participants say about each other after a session (MA-11).';
comment on column feedback.id is 'UUIDv7, made by the service.';
comment on column feedback.session_id is 'The session.';
comment on column feedback.author_id is 'The user who gave it; null after the account deletion.';
comment on column feedback.recipient_id is 'The user whom it is about; it is removed with that account.';
comment on column feedback.rating is '1 to 5.';
comment on column feedback.adjectives is 'From the contract''s list.';
comment on column feedback.remarks is
'For the recipient alone; empty without any, or after the author''s account deletion.';
comment on column feedback.given_at is 'When it was given.';

create table bars (
  id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  cause text not null,
  began_at timestamptz not null,
  ends_at timestamptz not null,
  lifted_at timestamptz,
  constraint bars_pkey primary key (id),
  constraint bars_once unique (user_id, session_id, cause, began_at),
  constraint bars_cause_known check (cause in ('LATE_CANCELLATION', 'NO_SHOW')),
  constraint bars_length check (ends_at > began_at)
);

create index bars_user_idx on bars (user_id, id);
create index bars_in_force_idx on bars (user_id, ends_at) where lifted_at is null;
create index bars_end_idx on bars (ends_at);

comment on table bars is 'Bars from posting and joining sessions (MA-7, MA-10).';
comment on column bars.id is 'UUIDv7, made by the service.';
comment on column bars.user_id is 'The user who is barred; rows of deleted accounts are removed.';
comment on column bars.session_id is 'The session that it is about.';
comment on column bars.cause is 'LATE_CANCELLATION or NO_SHOW.';
comment on column bars.began_at is 'When it began.';
comment on column bars.ends_at is 'When it ends; of several bars the latest end counts.';
comment on column bars.lifted_at is 'When an operator lifted it; null if none did (MA-14).';

create table bar_changes (
  bar_id uuid not null,
  number integer not null,
  change text not null,
  actor text not null,
  reason text not null,
  happened_at timestamptz not null,
  constraint bar_changes_pkey primary key (bar_id, number),
  constraint bar_changes_bar_fkey foreign key (bar_id) references bars (id) on delete cascade,
  constraint bar_changes_change_known check (change in ('IMPOSED', 'LIFTED'))
);

create function refuse_bar_change_update() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail of bars is only added to' using errcode = 'restrict_violation';
end
$$;

create trigger bar_changes_append_only before update on bar_changes
for each row execute function refuse_bar_change_update();

comment on function refuse_bar_change_update() is 'Keeps the audit trail as it was written (MA-14).';
comment on table bar_changes is 'The audit trail of bars: only added to, removed with the user''s data (MA-14).';
comment on column bar_changes.bar_id is 'The bar.';
comment on column bar_changes.number is 'From 1, in order.';
comment on column bar_changes.change is 'IMPOSED or LIFTED.';
comment on column bar_changes.actor is 'The operator; matching for what the service did itself.';
comment on column bar_changes.reason is 'Why; empty if the bar''s cause says it.';
comment on column bar_changes.happened_at is 'When.';

create table heartbeat (
  only_row boolean not null default true,
  last_beat_at timestamptz not null,
  constraint heartbeat_pkey primary key (only_row),
  constraint heartbeat_only_row check (only_row)
);

comment on table heartbeat is 'When a replica of the service last worked, with its database (MA-10).';
comment on column heartbeat.only_row is 'True: there is one row.';
comment on column heartbeat.last_beat_at is 'The latest beat of any replica.';

create table outages (
  began_at timestamptz not null,
  ended_at timestamptz not null,
  constraint outages_pkey primary key (began_at),
  constraint outages_length check (ended_at > began_at)
);

create index outages_end_idx on outages (ended_at);

comment on table outages is
'When no replica worked: nobody is barred for a session whose check-in window overlaps one (MA-10).';
comment on column outages.began_at is 'The last beat before it.';
comment on column outages.ended_at is 'The first beat after it.';
