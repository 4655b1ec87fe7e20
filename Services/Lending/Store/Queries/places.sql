-- name: CitiesNamed :many
-- The cities of a name, the largest first.
-- @key: As ``LendingDomain/Gazetteer/key(_:)`` spells the name.
select places.latitude, places.longitude, places.population
from place_names join places on places.id = place_names.place_id
where place_names.country = :country and place_names.key = :key and places.is_city
order by places.population desc, places.id
limit :limit;

-- name: LargestCityNamed :one
-- The largest city of a name in any country: one look into the index for each country with cities.
-- @key: As ``LendingDomain/Gazetteer/key(_:)`` spells the name.
with recursive country as (
  (select places.country as code from places where places.is_city order by places.country limit 1)
  union all
  select (
    select places.country from places where places.is_city and places.country > country.code order by places.country limit 1
  )
  from country where country.code is not null
)
select places.latitude, places.longitude
from country
join place_names on place_names.country = country.code and place_names.key = :key
join places on places.id = place_names.place_id
where places.is_city
order by places.population desc, places.id
limit 1;

-- name: PlacesNamed :many slow
-- The positions of places that have one of some names and lie between some latitudes, up to `limit` between each pair; the caller checks
-- whether they lie in the city.
select found.latitude, found.longitude, found.key, found.precision_m, found.exactness
from unnest(:souths::double precision[], :norths::double precision[]) as band (south, north)
cross join lateral (
  select places.latitude, places.longitude, place_names.key, places.precision_m, places.exactness
  from place_names join places on places.id = place_names.place_id
  where place_names.country = :country and place_names.key = any(:keys) and not places.is_city
    and places.latitude between band.south and band.north
  limit :limit
) as found;

-- name: PostcodesNamed :many slow
-- The positions of some postcodes that lie between some latitudes, up to `limit` between each pair; the caller checks whether they lie in
-- the city.
-- @keys: As ``LendingDomain/Postcode/keys(in:)`` spells them.
select found.key, found.latitude, found.longitude, found.precision_m
from unnest(:souths::double precision[], :norths::double precision[]) as band (south, north)
cross join lateral (
  select postcodes.key, postcodes.latitude, postcodes.longitude, postcodes.precision_m from postcodes
  where postcodes.country = :country and postcodes.key = any(:keys) and postcodes.latitude between band.south and band.north
  limit :limit
) as found;

-- fragment: boxes(east, west, south, north)
-- One or two boxes as rows `area`: one that reaches over the antimeridian, whose east is less than its west, is two. Each is looked up by
-- the index for itself, also in a plan for any parameters.
(
  values
  (
    box(
      point({{west}}::double precision, {{south}}::double precision),
      point(
        case when {{east}}::double precision < {{west}}::double precision then 180 else {{east}}::double precision end,
        {{north}}::double precision
      )
    )
  ),
  (
    case
      when {{east}}::double precision < {{west}}::double precision
        then box(point(-180, {{south}}::double precision), point({{east}}::double precision, {{north}}::double precision))
    end
  )
) as area (box);

-- name: HasStreetsNear :one slow
-- Whether anything but cities is known in one of some boxes.
select exists (
  select 1
  from unnest(
    :easts::double precision[], :wests::double precision[], :souths::double precision[], :norths::double precision[]
  ) as city (east, west, south, north)
  cross join lateral {{boxes(city.east, city.west, city.south, city.north)}}
  where exists (
    select 1 from places where point(places.longitude, places.latitude) <@ area.box and not places.is_city
  )
) as "value!";

-- name: PlacesAround :many slow
-- Some of the places in a box, roughly the nearest to a point first; the caller computes distances.
select found.name, found.country, found.is_city, found.latitude, found.longitude, found.population
from {{boxes(:east, :west, :south, :north)}}
cross join lateral (
  select places.name, places.country, places.is_city, places.latitude, places.longitude, places.population from places
  where point(places.longitude, places.latitude) <@ area.box
  order by point(places.longitude, places.latitude) <-> point(:longitude::double precision, :latitude::double precision)
  limit :limit
) as found;

-- name: LargestCitiesAround :many slow
-- Some of the cities of a country in a box, the largest first; the caller computes distances.
select found.name, found.country, found.is_city, found.latitude, found.longitude, found.population
from {{boxes(:east, :west, :south, :north)}}
cross join lateral (
  select places.name, places.country, places.is_city, places.latitude, places.longitude, places.population from places
  where point(places.longitude, places.latitude) <@ area.box and places.is_city and places.country = :country
  order by places.population desc, places.id
  limit :limit
) as found;

-- name: CountriesWithCities :many
-- The countries in which cities are known, in alphabetical order: one look into the index for each.
with recursive found as (
  (select country from places where is_city order by country limit 1)
  union all
  select (select places.country from places where is_city and places.country > found.country order by places.country limit 1)
  from found where found.country is not null
)
-- The last row has no country: after it none follows.
select country as "country!" from found where country is not null;

-- name: ProvincesOfCountry :many
-- The provinces of a country in which cities are known, by name.
with recursive found as (
  (select province from places where is_city and country = :country and province <> '' order by province limit 1)
  union all
  select (
    select places.province from places
    where is_city and country = :country and places.province > found.province order by places.province limit 1
  )
  from found where found.province is not null
)
-- The last row has no province: after it none follows.
select found.province as "code!", coalesce(provinces.name, found.province) as "name!"
from found left join provinces on provinces.country = :country and provinces.code = found.province
where found.province is not null
order by 2, 1;

-- name: CitiesOfCountry :many
-- A page of the cities of a country, or of one of its provinces, the largest first.
-- @province: `nil` for all.
-- @after_population: Of the last city of the previous page.
select id, name, latitude, longitude, population, province from places
where is_city and country = :country and (:province?::text is null or province = :province?)
  and (:after_id?::bigint is null or (-population, id) > (-(:after_population?::bigint), :after_id?))
order by population desc, id
limit :limit;

-- name: LoadedCities :one
-- Whether cities are loaded, and whether others than the samples' are.
-- @first_sample: The least id of the samples' places, which is beyond those of all others.
select
  exists (select 1 from places where is_city) as "has_any!",
  exists (select 1 from places where is_city and id < :first_sample) as "has_others!";
