-- How many positions of each of the last days are on a user's paths, so that a quota is judged by the row that a report
-- has locked. A version from before counts nothing.

set local lock_timeout = '5s';

alter table trackers add column path_days bytea not null default '';

comment on column trackers.path_days is
'How many positions of the last days were kept on the path: of each day the days since 1970 and the number, 4 bytes '
'each, big-endian.';
