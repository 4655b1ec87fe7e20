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
    let presence = Presence(row.presence, leavingSince: row.leavingSince)
    var others: [GroupID: Presence] = [:]
    for (group, (kind, leavingSince)) in zip(row.groupIDs, zip(row.presences, row.leavingSinces)) {
      let known = Presence(kind, leavingSince: leavingSince)
      if known != presence { others[group] = known }
    }
    self.init(
      row.placeID, named: row.name, around: centre, within: Metres(row.radiusM), since: row.since, told: row.groupIDs,
      presence: presence, otherPresences: others)
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

extension PutGroupPresences {
  /// What the groups know of the places of which one knows something else than before.
  package init(_ trackers: [Tracker]) {
    let known = trackers.flatMap { tracker in
      tracker.dividedPlaces.sorted().flatMap { number in
        let place = tracker.places[number]
        return place.groupIDs.map { (place.placeID, $0, place.otherPresences[$0]?.columns) }
      }
    }
    self.init(
      placeIDs: known.map(\.0), groupIDs: known.map(\.1), kinds: known.map { $0.2?.kind.rawValue ?? "" },
      leavingSinces: known.map { $0.2?.leavingSince ?? Absent.time })
  }
}
