-- Badges, and what they are counted from (ID-64).

create table badges (
  account_id uuid not null,
  kind text not null,
  awarded_at timestamptz not null,
  constraint badges_pkey primary key (account_id, kind),
  constraint badges_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint badges_kind_format check (kind ~ '^[A-Z_]{1,40}$')
);

comment on table badges is
'What people were awarded. A row is made once and stays until the account goes: the key is what makes it once, however '
'often an event is told and whoever applies it (ID-64).';
comment on column badges.account_id is 'Who was awarded it.';
comment on column badges.kind is 'What for; the program knows the kinds.';
comment on column badges.awarded_at is 'When, by the service''s clock.';

create table badge_sessions (
  account_id uuid not null,
  session_id uuid not null,
  day date not null,
  constraint badge_sessions_pkey primary key (account_id, session_id),
  constraint badge_sessions_account_fkey foreign key (account_id) references accounts (id) on delete cascade
);

create index badge_sessions_day_idx on badge_sessions (account_id, day);

comment on table badge_sessions is
'The successful training sessions that matching told of: one that is told again is there already.';
comment on column badge_sessions.account_id is 'One of the two who trained.';
comment on column badge_sessions.session_id is 'Matching''s id of the session.';
comment on column badge_sessions.day is 'The day on which it started where its gym is: streaks are counted by it.';

create table badge_books (
  account_id uuid not null,
  book_id uuid not null,
  constraint badge_books_pkey primary key (account_id, book_id),
  constraint badge_books_account_fkey foreign key (account_id) references accounts (id) on delete cascade
);

comment on table badge_books is
'The books that lending told were handed over to a borrower, each once: ten loans of one book are one book lent.';
comment on column badge_books.account_id is 'Whose book it was.';
comment on column badge_books.book_id is 'The catalog''s id of the book.';

create table badge_activities (
  account_id uuid not null,
  activity_id uuid not null,
  month date,
  distance_mm bigint not null,
  transaction_id xid8 not null,
  event_id bigint not null,
  constraint badge_activities_pkey primary key (account_id, activity_id),
  constraint badge_activities_account_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint badge_activities_month_first check (extract(day from month) = 1),
  constraint badge_activities_distance_possible check (distance_mm between 0 and 1000000000000),
  constraint badge_activities_removed_is_empty check (month is not null or distance_mm = 0)
);

create index badge_activities_month_idx on badge_activities (account_id, month) include (distance_mm);

comment on table badge_activities is
'What the importer said last of each activity. An older word that is told again changes nothing: what was removed '
'since does not come back, not even for the moment until its removal is told again.';
comment on column badge_activities.account_id is 'Who did it.';
comment on column badge_activities.activity_id is 'The importer''s id of the activity.';
comment on column badge_activities.month is
'The first day of the month in which it started where it started; null when it was removed.';
comment on column badge_activities.distance_mm is
'How far it went, in millimetres; 0 where nobody knows, and when it was removed. Whole numbers, so that a sum does not '
'depend on the order in which they came.';
comment on column badge_activities.transaction_id is
'Where the importer''s last word is in its log: the transaction; 0 when its log began anew since.';
comment on column badge_activities.event_id is 'Where the importer''s last word is in its log: the event.';

create function day_of_badge(moment timestamptz, zone text) returns date
language plpgsql stable
as $$
begin
  return (moment at time zone zone)::date;
exception when invalid_parameter_value then
  return (moment at time zone 'UTC')::date;
end
$$;

comment on function day_of_badge(timestamptz, text) is
'The day it is at a moment in a zone; in UTC where the database does not know the zone, for an event must not be held '
'up by the name of one.';
