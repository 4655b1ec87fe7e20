-- Changes of what a member sees of the others: blocks between members.
-- The table is new with this release: nothing is scanned.
--
-- squawk-ignore-file constraint-missing-not-valid, ban-drop-constraint

set local lock_timeout = '5s';

-- One more kind: what is there keeps its meaning, and the service has not been released with this table.
-- squawk-ignore ban-drop-constraint
alter table group_changes drop constraint group_changes_kind_known;
-- squawk-ignore constraint-missing-not-valid
alter table group_changes add constraint group_changes_kind_known check (
  kind in ('POSITION', 'STATE', 'JOINED', 'LEFT', 'VISIBILITY')
);

comment on column group_changes.kind is
'POSITION: only the position changed; STATE: the state, too, or something of a journey; JOINED or LEFT: the '
'membership; VISIBILITY: what the member sees of the others, because of a block, and with the id 0 what all members '
'see.';
