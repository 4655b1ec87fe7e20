-- Postcodes, by which an address is placed whose street is not known (LE-8).
--
set local lock_timeout = '5s';

create table postcodes (
  country text not null,
  key text not null,
  name text not null,
  latitude double precision not null,
  longitude double precision not null,
  precision_m integer not null,
  constraint postcodes_pkey primary key (country, key, name),
  constraint postcodes_country_code check (country ~ '^[A-Z]{2}$'),
  constraint postcodes_latitude_range check (latitude between -90 and 90),
  constraint postcodes_longitude_range check (longitude between -180 and 180),
  constraint postcodes_precision_range check (precision_m between 1 and 100000)
);

comment on table postcodes is 'Postcodes with the places that they stand for, loaded from files (LE-8).';
comment on column postcodes.country is 'ISO 3166-1 alpha-2.';
comment on column postcodes.key is 'The postcode in small letters, without spaces and hyphens.';
comment on column postcodes.name is 'The place that it stands for; one postcode may stand for several.';
comment on column postcodes.latitude is 'Degrees.';
comment on column postcodes.longitude is 'Degrees.';
comment on column postcodes.precision_m is 'An address with it is probably within this many metres of its position.';

-- One with one more value takes its place, in the same transaction.
-- squawk-ignore ban-drop-constraint
alter table loans drop constraint loans_found_exactness_known;
alter table loans add constraint loans_found_exactness_known check (
  found_exactness in ('BUILDING', 'STREET', 'POSTCODE', 'QUARTER', 'CITY')
) not valid;
-- squawk-ignore constraint-missing-not-valid
alter table loans validate constraint loans_found_exactness_known;
