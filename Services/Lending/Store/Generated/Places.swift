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

/// The positions of places that have one of some names and lie between some latitudes, up to `limit` between each pair; the caller checks
/// whether they lie in the city.
package struct PlacesNamed: Statement {
  package struct Row: Sendable {
    package let latitude: Double
    package let longitude: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select found.latitude, found.longitude
    from unnest($1::double precision[], $2::double precision[]) as band (south, north)
    cross join lateral (
      select places.latitude, places.longitude
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
    Row(latitude: try row.next(), longitude: try row.next())
  }
}
