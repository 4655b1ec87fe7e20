import Geography
import LendingDomain
import Postgres

/// The cities of a name, the largest first.
package struct CitiesNamed: Statement {
  package static let sql = """
    select places.latitude, places.longitude, places.population
    from place_names join places on places.id = place_names.place_id
    where place_names.country = $1 and place_names.key = $2 and places.is_city
    order by places.population desc, places.id
    limit $3
    """
  let key: String
  let country: String
  let limit: Int64

  /// - Parameter key: as ``LendingDomain/Gazetteer/key(_:)`` spells the name.
  package init(_ key: String, in country: String, limit: Int64) {
    self.key = key
    self.country = country
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(country)
    p.append(key)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> GazetteerCity {
    GazetteerCity(point: try GeoPoint(row), population: try row.next())
  }
}

/// The positions of places that have one of some names and lie within a city's latitudes; the caller checks whether they lie in the city.
package struct PlacesNamed: Statement {
  package static let pace = Pace.slow
  /// The most places of one city's latitudes: every village of a country may have a Main Street.
  private static let most: Int64 = 2_000

  package static let sql = """
    select found.latitude, found.longitude
    from unnest($3::double precision[], $4::double precision[]) as band (south, north)
    cross join lateral (
      select places.latitude, places.longitude
      from place_names join places on places.id = place_names.place_id
      where place_names.country = $1 and place_names.key = any($2) and not places.is_city
        and places.latitude between band.south and band.north
      limit $5
    ) as found
    """
  let keys: [String]
  let country: String
  let bands: [ClosedRange<Double>]

  package init(_ keys: [String], in country: String, near cities: [GazetteerCity]) {
    self.keys = keys
    self.country = country
    bands = cities.map { Gazetteer.latitudes(of: $0) }
  }

  package func bind(_ p: inout Parameters) {
    p.append(country)
    p.append(keys)
    p.append(bands.map(\.lowerBound))
    p.append(bands.map(\.upperBound))
    p.append(Self.most)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> GeoPoint { try GeoPoint(row) }
}

extension GeoPoint {
  /// Decodes two columns: latitude and longitude.
  fileprivate init(_ row: borrowing RowReader) throws(ColumnError) {
    let (latitude, longitude): (Double, Double) = (try row.next(), try row.next())
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
      throw ColumnError("\(latitude), \(longitude) is no point")
    }
    self = point
  }
}

/// The SQL of a load of places, in order; within one transaction, on one connection ([LE-8]).
package enum PlaceStaging {
  /// Creates the temporary tables for the rows of the file.
  package static let create = """
    create temporary table staged_places (
      line bigint, id bigint, country text, name text, is_city boolean, latitude double precision,
      longitude double precision, population bigint, keys text[]
    ) on commit drop
    """

  /// Receives places.
  package static let copy = """
    copy staged_places (line, id, country, name, is_city, latitude, longitude, population, keys) from stdin
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
      insert into places (id, country, name, is_city, latitude, longitude, population)
      select id, country, name, is_city, latitude, longitude, population from staged_places
      on conflict on constraint places_pkey do update
      set country = excluded.country, name = excluded.name, is_city = excluded.is_city, latitude = excluded.latitude,
        longitude = excluded.longitude, population = excluded.population
      where (places.country, places.name, places.is_city, places.latitude, places.longitude, places.population)
        is distinct from (
          excluded.country, excluded.name, excluded.is_city, excluded.latitude, excluded.longitude, excluded.population
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
