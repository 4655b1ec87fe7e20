import Geography
import Identifiers
import Postgres
import TrackingDomain

/// The column of a presence, beside its time.
package enum PresenceKind: String, Sendable {
  case unknown = "UNKNOWN"
  case outside = "OUTSIDE"
  case inside = "INSIDE"
  case leaving = "LEAVING"
}

extension Presence {
  fileprivate init(_ kind: PresenceKind, leavingSince: Instant?) {
    self =
      switch kind {
      case .unknown: .unknown
      case .outside: .outside
      case .inside: .inside
      case .leaving: leavingSince.map { .leaving(since: $0) } ?? .inside
      }
  }

  fileprivate var columns: (kind: PresenceKind, leavingSince: Instant) {
    switch self {
    case .unknown: (.unknown, Absent.time)
    case .outside: (.outside, Absent.time)
    case .inside: (.inside, Absent.time)
    case .leaving(let since): (.leaving, since)
    }
  }
}

extension Geofence {
  init?(_ row: GeofencesOf.Row) {
    guard let centre = GeoPoint(latitude: row.latitude, longitude: row.longitude) else { return nil }
    self.init(
      row.placeID, named: row.name, around: centre, within: Metres(row.radiusM), since: row.since, told: row.groupIDs,
      presence: Presence(row.presence, leavingSince: row.leavingSince))
  }
}

extension PutPresences {
  /// The presences that differ from the stored ones.
  package init(_ trackers: [Tracker]) {
    let changed = trackers.flatMap { tracker in tracker.changedPlaces.sorted().map { tracker.places[$0] } }
    self.init(
      placeIDs: changed.map(\.placeID), presences: changed.map(\.presence.columns.kind),
      leavingSinces: changed.map(\.presence.columns.leavingSince))
  }
}
