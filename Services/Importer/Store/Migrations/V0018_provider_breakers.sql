-- The table has a row for each provider: the rows of its constraints are checked in no time.
-- squawk-ignore-file constraint-missing-not-valid
alter table tracker_providers
add column failures integer not null default 0,
add column open_until timestamptz,
add constraint tracker_providers_failures_sign check (failures >= 0),
add constraint tracker_providers_open_after_failures check (open_until is null or failures > 0);

comment on column tracker_providers.failures is 'Requests in a row that the provider did not answer.';
comment on column tracker_providers.open_until is
'Until when no import asks the provider, which did not answer for long; null while imports may ask.';
