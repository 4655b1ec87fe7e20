import CatalogDomain
import Geography
import Identifiers
import Postgres

/// The gym that an id identifies.
package enum KnownGym {}
package typealias GymID = Identifier<KnownGym>

/// A stored gym, with the data of its usage.
package struct StoredGym: Sendable {
  package let id: GymID
  package let name: String
  package let point: GeoPoint
  package let address: GymAddress
  /// May be empty.
  package let phone: String
  /// May be empty.
  package let website: String
  /// An IANA name; `nil` if unknown.
  package let timeZone: String?
  /// In the format of OpenStreetMap; may be empty.
  package let openingHours: String
  /// How many people fit; `nil` if unknown.
  package let capacity: Int?
  /// The operator's last report, however old.
  package let report: GymUsage.Report?
  /// `nil` without recent check-ins.
  package let checkIns: GymUsage.CheckIns?

  /// The columns of a row `gym`, joined by ``usage(since:now:)``, that ``decode(_:)`` reads.
  static let columns = """
    gym.id, gym.name, gym.latitude, gym.longitude, gym.street, gym.house_number, gym.postcode, gym.city, gym.country,
    gym.phone, gym.website, gym.time_zone, gym.opening_hours, coalesce(reported.capacity, gym.capacity),
    reported.people, reported.observed_at, present.people, present.latest
    """

  /// Joins the usage to a row `gym`.
  ///
  /// - Parameters:
  ///   - since: the SQL parameter with the time after which check-ins count, as in `$2`.
  ///   - now: the SQL parameter with the present time.
  static func usage(since: String, now: String) -> String {
    """
    left join gym_usage as reported on reported.gym_id = gym.id
    cross join lateral (
      select count(*) as people, max(presence.checked_in_at) as latest from gym_presences as presence
      where presence.gym_id = gym.id and presence.checked_in_at > \(since)::timestamptz
        and presence.checked_in_at <= \(now)::timestamptz and presence.leaves_at > \(now)::timestamptz
    ) as present
    """
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredGym {
    StoredGym(
      id: try row.next(), name: try row.next(), point: try point(row), address: try address(row),
      phone: try row.next(), website: try row.next(), timeZone: try row.next(), openingHours: try row.next(),
      capacity: try (row.next() as Int32?).map { Int($0) }, report: try report(row), checkIns: try checkIns(row))
  }

  private static func point(_ row: borrowing RowReader) throws(ColumnError) -> GeoPoint {
    let (latitude, longitude): (Double, Double) = (try row.next(), try row.next())
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
      throw ColumnError("\(latitude), \(longitude) is no point of the Earth")
    }
    return point
  }

  private static func address(_ row: borrowing RowReader) throws(ColumnError) -> GymAddress {
    GymAddress(
      street: try row.next(), houseNumber: try row.next(), postcode: try row.next(), city: try row.next(),
      country: try row.next())
  }

  private static func report(_ row: borrowing RowReader) throws(ColumnError) -> GymUsage.Report? {
    let (people, observedAt): (Int32?, Instant?) = (try row.next(), try row.next())
    guard let people, let observedAt else { return nil }
    return GymUsage.Report(people: Int(people), observedAt: observedAt)
  }

  private static func checkIns(_ row: borrowing RowReader) throws(ColumnError) -> GymUsage.CheckIns? {
    let (people, latest): (Int64, Instant?) = (try row.next(), try row.next())
    return latest.map { GymUsage.CheckIns(people: Int(people), latest: $0) }
  }
}

extension Parameters {
  /// Appends the two parameters of ``StoredGym/usage(since:now:)``, in its order.
  mutating func appendUsage(at now: Instant) {
    append(now - GymUsage.lifetime)
    append(now)
  }
}

package struct GymByID: Statement {
  package static let sql = """
    select \(StoredGym.columns) from gyms as gym \(StoredGym.usage(since: "$2", now: "$3")) where gym.id = $1
    """
  let id: GymID
  let now: Instant

  package init(_ id: GymID, now: Instant) {
    self.id = id
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.appendUsage(at: now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredGym { try .decode(row) }
}
