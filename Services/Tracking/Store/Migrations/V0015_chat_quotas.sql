-- How many direct conversations each user has begun lately.

create table chat_quotas (
  user_id uuid not null,
  began_at timestamptz not null,
  begun integer not null,
  constraint chat_quotas_pkey primary key (user_id),
  constraint chat_quotas_counted check (begun > 0)
);

create index chat_quotas_began_idx on chat_quotas (began_at);

comment on table chat_quotas is
'Direct conversations that users have begun within a day, so that one cannot flood many others (TR-30).';
comment on column chat_quotas.user_id is 'The user.';
comment on column chat_quotas.began_at is 'When the first of them began.';
comment on column chat_quotas.begun is 'How many.';
