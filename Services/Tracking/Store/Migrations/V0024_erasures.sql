-- What is left of deleted accounts, to be removed in parts; and an index of who may see what, by which a view resumes
-- without reading the whole log of its group.
--
-- What changed in groups is kept for two days: building the index keeps writers waiting for seconds at most.
-- squawk-ignore-file require-concurrent-index-creation

set local lock_timeout = '5s';

create table erasures (
  user_id uuid not null,
  constraint erasures_pkey primary key (user_id)
);

comment on table erasures is
'Users who deleted their accounts and of whom paths, or positions in the logs of groups, may be left: no user sees '
'them, and they are removed in parts (C-9).';
comment on column erasures.user_id is 'The user.';

create index group_changes_visibility_idx on group_changes (group_id, sequence)
where kind in ('JOINED', 'LEFT', 'VISIBILITY');
