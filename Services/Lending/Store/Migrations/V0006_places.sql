-- A gazetteer, by which addresses are checked (LE-8).

create table places (
  id bigint not null,
  country text not null,
  name text not null,
  is_city boolean not null,
  latitude double precision not null,
  longitude double precision not null,
  population bigint not null,
  constraint places_pkey primary key (id),
  constraint places_country_code check (country ~ '^[A-Z]{2}$'),
  constraint places_latitude_range check (latitude between -90 and 90),
  constraint places_longitude_range check (longitude between -180 and 180),
  constraint places_population_counted check (population >= 0)
);

comment on table places is 'Cities, and streets, squares, buildings and quarters in them, loaded from files (LE-8).';
comment on column places.id is 'As GeoNames calls it.';
comment on column places.country is 'ISO 3166-1 alpha-2.';
comment on column places.name is 'In the country''s own language.';
comment on column places.is_city is 'Whether it is a city, town or village: what an address can be in.';
comment on column places.latitude is 'Degrees.';
comment on column places.longitude is 'Degrees.';
comment on column places.population is 'People who live there; 0 when nobody knows.';

create table place_names (
  country text not null,
  key text not null,
  place_id bigint not null,
  constraint place_names_pkey primary key (country, key, place_id),
  constraint place_names_place_fkey foreign key (place_id) references places (id) on delete cascade
);

create index place_names_place_idx on place_names (place_id);

comment on table place_names is 'What places are called, in all languages that the gazetteer has.';
comment on column place_names.country is 'Of the place.';
comment on column place_names.key is 'The name''s words without case and accents.';
comment on column place_names.place_id is 'The place.';
