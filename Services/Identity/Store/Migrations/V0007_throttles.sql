-- How often somebody failed or asked, so that no restart and no second replica forgets it.

create table throttles (
  kind text not null,
  subject bytea not null,
  attempts timestamptz[] not null default '{}',
  locked_until timestamptz,
  locks smallint not null default 0,
  expires_at timestamptz not null,
  constraint throttles_pkey primary key (kind, subject),
  constraint throttles_kind_format check (kind ~ '^[A-Z0-9_]{1,40}$'),
  constraint throttles_subject_length check (octet_length(subject) = 32),
  constraint throttles_attempts_bounded check (cardinality(attempts) <= 50),
  constraint throttles_locks_counted check (locks >= 0 and (locks = 0 or locked_until is not null))
);

create index throttles_expires_at_idx on throttles (expires_at);

comment on table throttles is
'Attempts that are limited: wrong passwords (ID-10), reset mails (ID-8) and the like. Whoever counts one locks the '
'row first.';
comment on column throttles.kind is 'What is counted; the program knows the kinds and their limits.';
comment on column throttles.subject is
'SHA-256 of whom it is counted for: an account, a name that nobody has, a client''s address. So no stranger''s '
'address is kept.';
comment on column throttles.attempts is 'When they were, the oldest first; those that count still.';
comment on column throttles.locked_until is 'The end of the last lock; null when there was none.';
comment on column throttles.locks is 'Locks that came one after the other: each is twice as long as the one before.';
comment on column throttles.expires_at is 'From when on the row means nothing and is removed.';
