alter table badge_sessions add column slot tstzrange;

comment on column badge_sessions.slot is
'The time for which it was arranged: of sessions of a user that overlap one counts (MA-11). Null for sessions from '
'before it was told.';
