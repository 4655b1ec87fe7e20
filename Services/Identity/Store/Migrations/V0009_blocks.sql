-- Who keeps whom away, and what people told the operators about others.

create table blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  blocked_at timestamptz not null,
  constraint blocks_pkey primary key (blocker_id, blocked_id),
  constraint blocks_blocker_fkey foreign key (blocker_id) references accounts (id) on delete cascade,
  constraint blocks_blocked_fkey foreign key (blocked_id) references accounts (id) on delete cascade,
  constraint blocks_of_others check (blocker_id <> blocked_id)
);

create index blocks_blocked_idx on blocks (blocked_id);

comment on table blocks is 'People who keep others away: neither sees the other (ID-26, C-10).';
comment on column blocks.blocker_id is 'Who blocks.';
comment on column blocks.blocked_id is 'Who is blocked.';
comment on column blocks.blocked_at is 'Since when.';

create table user_reports (
  id uuid not null,
  reporter_id uuid,
  reported_id uuid not null,
  reason text not null,
  remarks text not null,
  evidence_ids uuid[] not null,
  created_at timestamptz not null,
  constraint user_reports_pkey primary key (id),
  constraint user_reports_reporter_fkey foreign key (reporter_id) references accounts (id) on delete set null,
  constraint user_reports_reported_fkey foreign key (reported_id) references accounts (id) on delete cascade,
  constraint user_reports_reason_format check (reason ~ '^[A-Z_]{1,40}$'),
  constraint user_reports_remarks_length check (char_length(remarks) <= 1000),
  constraint user_reports_evidence_bounded check (cardinality(evidence_ids) <= 20),
  constraint user_reports_of_others check (reporter_id <> reported_id)
);

create index user_reports_reported_idx on user_reports (reported_id, id);
create index user_reports_reporter_idx on user_reports (reporter_id);

comment on table user_reports is
'What people told the operators about others (ID-26); it goes with the account that it is about.';
comment on column user_reports.id is 'UUIDv7, made by the service.';
comment on column user_reports.reporter_id is 'Who reported; null once they have deleted their account.';
comment on column user_reports.reported_id is 'Whom it is about.';
comment on column user_reports.reason is 'Why; the program knows the reasons.';
comment on column user_reports.remarks is 'What happened, in the reporter''s words; may be empty.';
comment on column user_reports.evidence_ids is 'Messages, books, sessions and the like that show it.';
comment on column user_reports.created_at is 'When it was received.';
