-- Pickups have a time, and a position; places have provinces, and a precision (LE-8).
--
-- Places and loans are few enough to be looked at while writers wait.
-- squawk-ignore-file constraint-missing-not-valid

alter table places add column province text not null default '';
alter table places add column precision_m integer not null default 500;
alter table places add constraint places_province_length check (length(province) <= 20) not valid;
alter table places validate constraint places_province_length;
alter table places add constraint places_precision_range check (precision_m between 1 and 100000) not valid;
alter table places validate constraint places_precision_range;

comment on column places.province is 'The code of its first division of the country; empty if it is not known.';
comment on column places.precision_m is 'An address that names it is probably within this many metres of its position.';

-- squawk-ignore require-concurrent-index-creation
create index places_city_idx on places (country, population desc, id) where is_city;
-- squawk-ignore require-concurrent-index-creation
create index places_province_idx on places (country, province, population desc, id) where is_city;
-- squawk-ignore require-concurrent-index-creation
create index places_point_idx on places using gist (point(longitude, latitude));

create table provinces (
  country text not null,
  code text not null,
  name text not null,
  constraint provinces_pkey primary key (country, code),
  constraint provinces_country_code check (country ~ '^[A-Z]{2}$'),
  constraint provinces_code_length check (length(code) between 1 and 20),
  constraint provinces_name_length check (length(name) between 1 and 200)
);

comment on table provinces is 'The names of the first divisions of countries, loaded from files (LE-8).';
comment on column provinces.country is 'ISO 3166-1 alpha-2.';
comment on column provinces.code is 'As GeoNames calls it.';
comment on column provinces.name is 'In the country''s own language.';

alter table loans add column pickup_at timestamptz;
alter table loans add column found_latitude double precision;
alter table loans add column found_longitude double precision;
alter table loans add column found_precision_m integer;
alter table loans add column nearby_name text;
alter table loans add column nearby_city text;
alter table loans add column nearby_country text;
alter table loans add column nearby_m integer;
alter table loans add constraint loans_found_whole check (
  (found_latitude is null) = (found_longitude is null)
  and (found_latitude is null) = (found_precision_m is null)
) not valid;
alter table loans validate constraint loans_found_whole;
alter table loans add constraint loans_nearby_whole check (
  (nearby_name is null) = (nearby_city is null)
  and (nearby_name is null) = (nearby_country is null)
  and (nearby_name is null) = (nearby_m is null)
) not valid;
alter table loans validate constraint loans_nearby_whole;

comment on column loans.pickup_at is 'When the borrower can get it; null if that was not agreed.';
comment on column loans.found_latitude is
'Where the address is by the loaded places: degrees; null without an address.';
comment on column loans.found_longitude is
'Where the address is by the loaded places: degrees; null without an address.';
comment on column loans.found_precision_m is 'The address is probably within this many metres of it.';
comment on column loans.nearby_name is
'The known place nearest to the chosen point; null without a point or such a place.';
comment on column loans.nearby_city is 'The city that this place lies in; empty if it is not known.';
comment on column loans.nearby_country is 'ISO 3166-1 alpha-2 code of its country.';
comment on column loans.nearby_m is 'Its distance from the point in metres.';
