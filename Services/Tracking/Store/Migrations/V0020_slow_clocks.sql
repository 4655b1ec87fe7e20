-- How far the clocks of phones are behind.

set local lock_timeout = '5s';

alter table trackers add column phone_started_at timestamptz;

comment on column trackers.phone_started_at is
'When the journey or alert began by the clock of the phone, where that is behind; null while it is not known to be.';
