/// The SQL of a load of places, in order; within one transaction, on one connection ([LE-8]). The tables are temporary, so nothing can be
/// prepared against the schema.
package enum PlaceStaging {
  /// Creates the temporary tables for the rows of the file.
  package static let create = """
    create temporary table staged_places (
      line bigint, id bigint, country text, name text, is_city boolean, latitude double precision,
      longitude double precision, population bigint, province text, precision_m integer,
      exactness text, keys text[]
    ) on commit drop
    """

  /// Creates the temporary table for the provinces of the file.
  package static let createProvinces = """
    create temporary table staged_provinces (line bigint, country text, code text, name text) on commit drop
    """

  /// Creates the temporary table for the postcodes of the file.
  package static let createPostcodes = """
    create temporary table staged_postcodes (
      line bigint, country text, key text, name text, latitude double precision, longitude double precision,
      precision_m integer
    ) on commit drop
    """

  /// Receives places.
  package static let copy = """
    copy staged_places (
      line, id, country, name, is_city, latitude, longitude, population, province, precision_m, exactness, keys
    ) from stdin
    """

  /// Receives provinces.
  package static let copyProvinces = "copy staged_provinces (line, country, code, name) from stdin"

  /// Receives postcodes.
  package static let copyPostcodes = """
    copy staged_postcodes (line, country, key, name, latitude, longitude, precision_m) from stdin
    """

  /// Merges the postcodes; of those repeated for a place the first counts. Returns how many were added, changed and unchanged.
  package static let mergePostcodes = """
    with staged as (
      select distinct on (country, key, name) country, key, name, latitude, longitude, precision_m
      from staged_postcodes order by country, key, name, line
    ), merged as (
      insert into postcodes (country, key, name, latitude, longitude, precision_m)
      select country, key, name, latitude, longitude, precision_m from staged
      on conflict on constraint postcodes_pkey do update
      set latitude = excluded.latitude, longitude = excluded.longitude, precision_m = excluded.precision_m
      where (postcodes.latitude, postcodes.longitude, postcodes.precision_m)
        is distinct from (excluded.latitude, excluded.longitude, excluded.precision_m)
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new), count(*) filter (where not is_new),
      (select count(*) from staged_postcodes) - count(*)
    from merged
    """

  /// Merges the provinces; of repeated ones the first counts.
  package static let mergeProvinces = """
    insert into provinces (country, code, name)
    select distinct on (country, code) country, code, name from staged_provinces order by country, code, line
    on conflict on constraint provinces_pkey do update set name = excluded.name
    where provinces.name <> excluded.name
    """

  /// Updates the planner's statistics of the loaded rows.
  package static let analyze = "analyze staged_places"

  /// Repeated places: line, id, the line of the first.
  package static let repeated = """
    select line, id, first_line
    from (select line, id, min(line) over (partition by id) as first_line from staged_places) as marked
    where line > first_line
    order by line
    """

  /// Keeps only the first line of each id, so that the result does not depend on the order of rows.
  package static let removeRepeated = """
    delete from staged_places
    using (select id, min(line) as line from staged_places group by id) as first
    where staged_places.id = first.id and staged_places.line > first.line
    """

  /// Merges the places; returns how many were added, changed and unchanged.
  package static let merge = """
    with merged as (
      insert into places (
        id, country, name, is_city, latitude, longitude, population, province, precision_m, exactness
      )
      select id, country, name, is_city, latitude, longitude, population, province, precision_m, exactness
      from staged_places
      on conflict on constraint places_pkey do update
      set country = excluded.country, name = excluded.name, is_city = excluded.is_city, latitude = excluded.latitude,
        longitude = excluded.longitude, population = excluded.population, province = excluded.province,
        precision_m = excluded.precision_m, exactness = excluded.exactness
      where (
        places.country, places.name, places.is_city, places.latitude, places.longitude, places.population,
        places.province, places.precision_m, places.exactness
      ) is distinct from (
        excluded.country, excluded.name, excluded.is_city, excluded.latitude, excluded.longitude, excluded.population,
        excluded.province, excluded.precision_m, excluded.exactness
      )
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new), count(*) filter (where not is_new),
      (select count(*) from staged_places) - count(*)
    from merged
    """

  /// Removes names that places of the file no longer have.
  package static let removeNames = """
    delete from place_names
    using staged_places
    where place_names.place_id = staged_places.id
      and (place_names.country <> staged_places.country or place_names.key <> all(staged_places.keys))
    """

  /// Adds missing names.
  package static let addNames = """
    insert into place_names (country, key, place_id)
    select distinct staged_places.country, names.key, staged_places.id
    from staged_places cross join lateral unnest(staged_places.keys) as names (key)
    on conflict on constraint place_names_pkey do nothing
    """
}
