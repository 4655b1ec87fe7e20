alter table sleeps add column counted boolean not null default true;

comment on column sleeps.counted is
'False for another report of a sleep by the same provider, as of its archive: summaries leave it out (IM-8).';
comment on column tracker_webhook_calls.digest is
'SHA-256 of provider and body, and of the hour for calls that tell no time.';
