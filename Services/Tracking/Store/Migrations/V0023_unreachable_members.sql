-- Up to which message members were reachable for certain, so that they are notified of what came later.
--
-- Members are few as yet: building the index keeps writers waiting for seconds at most.
-- squawk-ignore-file require-concurrent-index-creation

set local lock_timeout = '5s';

alter table chat_members add column reached_sequence bigint not null default 0;
alter table chat_members add column notice_due_at timestamptz;

comment on column chat_members.reached_sequence is
'The last message at which the member was online and reachable for certain (TR-35); 0 before.';
comment on column chat_members.notice_due_at is
'When the member, who was found to have been unreachable, is to be notified of what came meanwhile; null if not.';

create index chat_members_notice_due_idx on chat_members (notice_due_at) where notice_due_at is not null;

alter table chat_replicas add column renewed_at timestamptz not null default now();

comment on column chat_replicas.renewed_at is
'When the lease was renewed, by the clock of the process: until then its users were reachable.';
