-- name: CitiesNamed :many
-- The cities of a name, the largest first.
-- @key: As ``LendingDomain/Gazetteer/key(_:)`` spells the name.
select places.latitude, places.longitude, places.population
from place_names join places on places.id = place_names.place_id
where place_names.country = :country and place_names.key = :key and places.is_city
order by places.population desc, places.id
limit :limit;

-- name: PlacesNamed :many slow
-- The positions of places that have one of some names and lie between some latitudes, up to `limit` between each pair; the caller checks
-- whether they lie in the city.
select found.latitude, found.longitude
from unnest(:souths::double precision[], :norths::double precision[]) as band (south, north)
cross join lateral (
  select places.latitude, places.longitude
  from place_names join places on places.id = place_names.place_id
  where place_names.country = :country and place_names.key = any(:keys) and not places.is_city
    and places.latitude between band.south and band.north
  limit :limit
) as found;
