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

  init(_ columns: GymColumns) throws(ColumnError) {
    guard let point = GeoPoint(latitude: columns.latitude, longitude: columns.longitude) else {
      throw ColumnError("\(columns.latitude), \(columns.longitude) is no point of the Earth")
    }
    (id, name, self.point) = (columns.id, columns.name, point)
    address = GymAddress(
      street: columns.street, houseNumber: columns.houseNumber, postcode: columns.postcode, city: columns.city,
      country: columns.country)
    (phone, website) = (columns.phone, columns.website)
    (timeZone, openingHours) = (columns.timeZone, columns.openingHours)
    capacity = columns.capacity.map { Int($0) }
    report = columns.reportedPeople.flatMap { people in
      columns.reportedAt.map { GymUsage.Report(people: Int(people), observedAt: $0) }
    }
    checkIns = columns.checkedInAt.map { GymUsage.CheckIns(people: Int(columns.checkedIn), latest: $0) }
  }
}

extension GymByID {
  package init(gymID: GymID, now: Instant) {
    self.init(since: now - GymUsage.lifetime, now: now, gymID: gymID)
  }
}

extension GymsWithWordsNear {
  /// - Parameter after: the chord and the id of the last gym of the previous page.
  package init(
    _ query: GymQuery, around point: GeoPoint, after: (chord: Double, id: GymID)?, limit: Int64, now: Instant
  ) {
    self.init(
      vector: point.vector, queries: query.queries, words: query.words, keys: query.keys, afterChord: after?.chord,
      afterID: after?.id, limit: limit, since: now - GymUsage.lifetime, now: now)
  }
}

extension GymsAtPlace {
  package init(_ place: GymPlace) {
    self.init(query: place.words.map { "'\($0)':B" }.joined(separator: " & "))
  }
}

extension GymsWithWords {
  /// - Parameter after: the score and the id of the last gym of the previous page.
  package init(_ query: GymQuery, after: (score: Double, id: GymID)?, limit: Int64, now: Instant) {
    self.init(
      queries: query.queries, words: query.words, keys: query.keys, afterScore: after?.score, afterID: after?.id,
      limit: limit,
      since: now - GymUsage.lifetime, now: now)
  }
}
