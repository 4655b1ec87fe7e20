import Geography
import Identifiers
import Postgres
import TrackingDomain

/// The values of arrays for what is absent, as arrays of PostgreSQL's clients hold no nulls; the statements make nulls of them.
package enum Absent {
  package static let number = Double.nan
  package static let time = Instant(microseconds: 0)
  package static let journey = JourneyID(UUID7(high: 0, low: 0))
}

extension StoreChanges {
  package init(_ changes: [GroupChange], now: Instant) {
    let position = changes.map(\.position)
    self.init(
      groupIDs: changes.map(\.groupID), userIDs: changes.map(\.userID), kinds: changes.map(\.kind.rawValue),
      states: changes.map(\.state), warnings: changes.map(\.warnings),
      latitudes: position.map { $0?.point.latitude ?? Absent.number },
      longitudes: position.map { $0?.point.longitude ?? Absent.number },
      accuracies: position.map { $0?.accuracy ?? Absent.number },
      altitudes: position.map { $0?.altitude ?? Absent.number },
      speeds: position.map { $0?.speed ?? Absent.number }, courses: position.map { $0?.course ?? Absent.number },
      recordedAts: changes.map { $0.position?.time ?? $0.visit?.at ?? Absent.time },
      journeyIDs: changes.map { $0.journeyID ?? Absent.journey },
      promisedAts: changes.map { $0.arrival?.promisedAt ?? Absent.time },
      estimatedAts: changes.map { $0.arrival?.estimatedAt ?? Absent.time },
      placeNames: changes.map { $0.visit?.name ?? "" }, now: now)
  }
}

extension Fix {
  /// A position from its columns; `nil` where it is null.
  package init?(
    _ latitude: Double?, _ longitude: Double?, _ time: Instant?, accuracy: Double?, altitude: Double?, speed: Double?,
    course: Double?
  ) {
    guard let latitude, let longitude, let time, let point = GeoPoint(latitude: latitude, longitude: longitude) else {
      return nil
    }
    self.init(point, at: time, accuracy: accuracy, altitude: altitude, speed: speed, course: course)
  }
}

extension ChangesAfter.Row {
  /// The change of a group.
  package func numbered(in group: GroupID) -> NumberedChange {
    NumberedChange(
      sequence,
      GroupChange(
        kind, of: userID, in: group, state: state, warnings: warnings,
        position: Fix(
          latitude, longitude, recordedAt, accuracy: accuracyM, altitude: altitudeM, speed: speedMps, course: course),
        journeyID: journeyID, arrival: ExpectedArrival(promisedAt, estimatedAt),
        visit: PlaceVisit(placeName, recordedAt)))
  }
}

extension ExpectedArrival {
  /// From its columns; `nil` where nothing was promised.
  package init?(_ promisedAt: Instant?, _ estimatedAt: Instant?) {
    guard let promisedAt else { return nil }
    self.init(promisedAt: promisedAt, estimatedAt: estimatedAt)
  }
}

extension PlaceVisit {
  /// From its columns; `nil` where they are null.
  package init?(_ name: String?, _ time: Instant?) {
    guard let name, let time else { return nil }
    self.init(name: name, at: time)
  }
}
