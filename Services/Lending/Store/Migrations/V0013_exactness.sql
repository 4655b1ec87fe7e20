-- How exact the position of an address is, in a word beside its metres (LE-8).
--
-- No row has a value in the new columns yet.
-- squawk-ignore-file constraint-missing-not-valid

set local lock_timeout = '5s';

alter table places add column exactness text;
alter table places add constraint places_exactness_known check (exactness in ('BUILDING', 'STREET', 'QUARTER', 'CITY'));

comment on column places.exactness is
'What an address that names it is known by; null for a place that was loaded before this was kept.';

alter table loans add column found_exactness text;
alter table loans add constraint loans_found_exactness_known check (
  found_exactness in ('BUILDING', 'STREET', 'QUARTER', 'CITY')
);
alter table loans add constraint loans_found_exactness_placed check (
  found_exactness is null or found_latitude is not null
);

comment on column loans.found_exactness is
'What the address is known by; null without an address, and for one from before this was kept.';
