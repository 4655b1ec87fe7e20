// Made from places.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import LendingDomain
import Postgres

/// The cities of a name, the largest first.
package struct CitiesNamed: Statement {
  package struct Row: Sendable {
    package let latitude: Double
    package let longitude: Double
    package let population: Int64
  }

  package static let sql = """
    select places.latitude, places.longitude, places.population
    from place_names join places on places.id = place_names.place_id
    where place_names.country = $1 and place_names.key = $2 and places.is_city
    order by places.population desc, places.id
    limit $3
    """
  package let country: String
  /// As ``LendingDomain/Gazetteer/key(_:)`` spells the name.
  package let key: String
  package let limit: Int64

  package init(country: String, key: String, limit: Int64) {
    self.country = country
    self.key = key
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(country)
    p.append(key)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(latitude: try row.next(), longitude: try row.next(), population: try row.next())
  }
}

/// The largest city of a name in any country: one look into the index for each country with cities.
package struct LargestCityNamed: SingleRowStatement {
  package struct Row: Sendable {
    package let latitude: Double
    package let longitude: Double
  }

  package static let sql = """
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
    join place_names on place_names.country = country.code and place_names.key = $1
    join places on places.id = place_names.place_id
    where places.is_city
    order by places.population desc, places.id
    limit 1
    """
  /// As ``LendingDomain/Gazetteer/key(_:)`` spells the name.
  package let key: String

  package init(key: String) {
    self.key = key
  }

  package func bind(_ p: inout Parameters) {
    p.append(key)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(latitude: try row.next(), longitude: try row.next())
  }
}

/// The positions of places that have one of some names and lie between some latitudes, up to `limit` between each pair; the caller checks
/// whether they lie in the city.
package struct PlacesNamed: Statement {
  package struct Row: Sendable {
    package let latitude: Double
    package let longitude: Double
    package let key: String
    package let precisionM: Int32
    package let exactness: Exactness?
  }

  package static let pace = Pace.slow
  package static let sql = """
    select found.latitude, found.longitude, found.key, found.precision_m, found.exactness
    from unnest($1::double precision[], $2::double precision[]) as band (south, north)
    cross join lateral (
      select places.latitude, places.longitude, place_names.key, places.precision_m, places.exactness
      from place_names join places on places.id = place_names.place_id
      where place_names.country = $3 and place_names.key = any($4) and not places.is_city
        and places.latitude between band.south and band.north
      limit $5
    ) as found
    """
  package let souths: [Double]
  package let norths: [Double]
  package let country: String
  package let keys: [String]
  package let limit: Int64

  package init(souths: [Double], norths: [Double], country: String, keys: [String], limit: Int64) {
    self.souths = souths
    self.norths = norths
    self.country = country
    self.keys = keys
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(souths)
    p.append(norths)
    p.append(country)
    p.append(keys)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      latitude: try row.next(), longitude: try row.next(), key: try row.next(), precisionM: try row.next(),
      exactness: try row.next())
  }
}

/// The positions of some postcodes that lie between some latitudes, up to `limit` between each pair; the caller checks whether they lie in
/// the city.
package struct PostcodesNamed: Statement {
  package struct Row: Sendable {
    package let key: String
    package let latitude: Double
    package let longitude: Double
    package let precisionM: Int32
  }

  package static let pace = Pace.slow
  package static let sql = """
    select found.key, found.latitude, found.longitude, found.precision_m
    from unnest($1::double precision[], $2::double precision[]) as band (south, north)
    cross join lateral (
      select postcodes.key, postcodes.latitude, postcodes.longitude, postcodes.precision_m from postcodes
      where postcodes.country = $3 and postcodes.key = any($4) and postcodes.latitude between band.south and band.north
      limit $5
    ) as found
    """
  package let souths: [Double]
  package let norths: [Double]
  package let country: String
  /// As ``LendingDomain/Postcode/keys(in:)`` spells them.
  package let keys: [String]
  package let limit: Int64

  package init(souths: [Double], norths: [Double], country: String, keys: [String], limit: Int64) {
    self.souths = souths
    self.norths = norths
    self.country = country
    self.keys = keys
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(souths)
    p.append(norths)
    p.append(country)
    p.append(keys)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(key: try row.next(), latitude: try row.next(), longitude: try row.next(), precisionM: try row.next())
  }
}

/// Whether anything but cities is known in one of some boxes.
package struct HasStreetsNear: SingleRowStatement {
  package typealias Row = Bool
  package static let pace = Pace.slow
  package static let sql = """
    select exists (
      select 1
      from unnest(
        $1::double precision[], $2::double precision[], $3::double precision[], $4::double precision[]
      ) as city (east, west, south, north)
      cross join lateral (
      values
      (
        box(
          point(city.west::double precision, city.south::double precision),
          point(
            case when city.east::double precision < city.west::double precision then 180 else city.east::double precision end,
            city.north::double precision
          )
        )
      ),
      (
        case
          when city.east::double precision < city.west::double precision
            then box(point(-180, city.south::double precision), point(city.east::double precision, city.north::double precision))
        end
      )
    ) as area (box)
      where exists (
        select 1 from places where point(places.longitude, places.latitude) <@ area.box and not places.is_city
      )
    ) as value
    """
  package let easts: [Double]
  package let wests: [Double]
  package let souths: [Double]
  package let norths: [Double]

  package init(easts: [Double], wests: [Double], souths: [Double], norths: [Double]) {
    self.easts = easts
    self.wests = wests
    self.souths = souths
    self.norths = norths
  }

  package func bind(_ p: inout Parameters) {
    p.append(easts)
    p.append(wests)
    p.append(souths)
    p.append(norths)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some of the places in a box, roughly the nearest to a point first; the caller computes distances.
package struct PlacesAround: Statement {
  package struct Row: Sendable {
    package let name: String
    package let country: String
    package let isCity: Bool
    package let latitude: Double
    package let longitude: Double
    package let population: Int64
  }

  package static let pace = Pace.slow
  package static let sql = """
    select found.name, found.country, found.is_city, found.latitude, found.longitude, found.population
    from (
      values
      (
        box(
          point($1::double precision, $2::double precision),
          point(
            case when $3::double precision < $1::double precision then 180 else $3::double precision end,
            $4::double precision
          )
        )
      ),
      (
        case
          when $3::double precision < $1::double precision
            then box(point(-180, $2::double precision), point($3::double precision, $4::double precision))
        end
      )
    ) as area (box)
    cross join lateral (
      select places.name, places.country, places.is_city, places.latitude, places.longitude, places.population from places
      where point(places.longitude, places.latitude) <@ area.box
      order by point(places.longitude, places.latitude) <-> point($5::double precision, $6::double precision)
      limit $7
    ) as found
    """
  package let west: Double
  package let south: Double
  package let east: Double
  package let north: Double
  package let longitude: Double
  package let latitude: Double
  package let limit: Int64

  package init(
    west: Double, south: Double, east: Double, north: Double, longitude: Double, latitude: Double, limit: Int64) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
    self.longitude = longitude
    self.latitude = latitude
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(west)
    p.append(south)
    p.append(east)
    p.append(north)
    p.append(longitude)
    p.append(latitude)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      name: try row.next(), country: try row.next(), isCity: try row.next(), latitude: try row.next(),
      longitude: try row.next(), population: try row.next())
  }
}

/// Some of the cities of a country in a box, the largest first; the caller computes distances.
package struct LargestCitiesAround: Statement {
  package struct Row: Sendable {
    package let name: String
    package let country: String
    package let isCity: Bool
    package let latitude: Double
    package let longitude: Double
    package let population: Int64
  }

  package static let pace = Pace.slow
  package static let sql = """
    select found.name, found.country, found.is_city, found.latitude, found.longitude, found.population
    from (
      values
      (
        box(
          point($1::double precision, $2::double precision),
          point(
            case when $3::double precision < $1::double precision then 180 else $3::double precision end,
            $4::double precision
          )
        )
      ),
      (
        case
          when $3::double precision < $1::double precision
            then box(point(-180, $2::double precision), point($3::double precision, $4::double precision))
        end
      )
    ) as area (box)
    cross join lateral (
      select places.name, places.country, places.is_city, places.latitude, places.longitude, places.population from places
      where point(places.longitude, places.latitude) <@ area.box and places.is_city and places.country = $5
      order by places.population desc, places.id
      limit $6
    ) as found
    """
  package let west: Double
  package let south: Double
  package let east: Double
  package let north: Double
  package let country: String
  package let limit: Int64

  package init(west: Double, south: Double, east: Double, north: Double, country: String, limit: Int64) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
    self.country = country
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(west)
    p.append(south)
    p.append(east)
    p.append(north)
    p.append(country)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      name: try row.next(), country: try row.next(), isCity: try row.next(), latitude: try row.next(),
      longitude: try row.next(), population: try row.next())
  }
}

/// The countries in which cities are known, in alphabetical order: one look into the index for each.
package struct CountriesWithCities: Statement {
  package typealias Row = String
  package static let sql = """
    with recursive found as (
      (select country from places where is_city order by country limit 1)
      union all
      select (select places.country from places where is_city and places.country > found.country order by places.country limit 1)
      from found where found.country is not null
    )
    select country as country from found where country is not null
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The provinces of a country in which cities are known, by name.
package struct ProvincesOfCountry: Statement {
  package struct Row: Sendable {
    package let code: String
    package let name: String
  }

  package static let sql = """
    with recursive found as (
      (select province from places where is_city and country = $1 and province <> '' order by province limit 1)
      union all
      select (
        select places.province from places
        where is_city and country = $1 and places.province > found.province order by places.province limit 1
      )
      from found where found.province is not null
    )
    select found.province as code, coalesce(provinces.name, found.province) as name
    from found left join provinces on provinces.country = $1 and provinces.code = found.province
    where found.province is not null
    order by 2, 1
    """
  package let country: String

  package init(country: String) {
    self.country = country
  }

  package func bind(_ p: inout Parameters) {
    p.append(country)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(code: try row.next(), name: try row.next())
  }
}

/// A page of the cities of a country, or of one of its provinces, the largest first.
package struct CitiesOfCountry: Statement {
  package struct Row: Sendable {
    package let id: Int64
    package let name: String
    package let latitude: Double
    package let longitude: Double
    package let population: Int64
    /// `nil` for all.
    package let province: String
  }

  package static let sql = """
    select id, name, latitude, longitude, population, province from places
    where is_city and country = $1 and ($2::text is null or province = $2)
      and ($3::bigint is null or (-population, id) > (-($4::bigint), $3))
    order by population desc, id
    limit $5
    """
  package let country: String
  /// `nil` for all.
  package let province: String?
  package let afterID: Int64?
  /// Of the last city of the previous page.
  package let afterPopulation: Int64?
  package let limit: Int64

  package init(country: String, province: String?, afterID: Int64?, afterPopulation: Int64?, limit: Int64) {
    self.country = country
    self.province = province
    self.afterID = afterID
    self.afterPopulation = afterPopulation
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(country)
    p.append(province)
    p.append(afterID)
    p.append(afterPopulation)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), name: try row.next(), latitude: try row.next(), longitude: try row.next(),
      population: try row.next(), province: try row.next())
  }
}

/// Whether cities are loaded, and whether others than the samples' are.
package struct LoadedCities: SingleRowStatement {
  package struct Row: Sendable {
    package let hasAny: Bool
    package let hasOthers: Bool
  }

  package static let sql = """
    select
      exists (select 1 from places where is_city) as has_any,
      exists (select 1 from places where is_city and id < $1) as has_others
    """
  /// The least id of the samples' places, which is beyond those of all others.
  package let firstSample: Int64

  package init(firstSample: Int64) {
    self.firstSample = firstSample
  }

  package func bind(_ p: inout Parameters) {
    p.append(firstSample)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(hasAny: try row.next(), hasOthers: try row.next())
  }
}
