import FieldMasks
import FieldViolations
import Geography
import Identifiers
import TandemTracking
import TrackingDomain
import VisibleText

/// What a user says of a place: those of its fields that are stored, each `nil` where it is wrong, or is not to be changed.
package struct PlaceDraft {
  /// The fields that the user chooses.
  package enum Field: String, MaskedField {
    case name
    case point
    case radius = "radius_m"
    case groups = "group_ids"
  }

  package static let immutablePaths: Set<String> = ["place_id", "create_time", "etag"]

  package let name: PlaceName?
  package let centre: GeoPoint?
  package let radius: Metres?
  package let groups: [GroupID]?

  /// Parses some fields; what is wrong with them is added to `bad`.
  package init(_ wire: NamedPlace, _ fields: Set<Field>, _ bad: inout Violations) {
    name =
      fields.contains(.name)
      ? bad.require("place.name", PlaceName.read(wire.name), TrackingReason.placeNameInvalid) : nil
    centre =
      fields.contains(.point)
      ? bad.require(
        "place.point", wire.point.flatMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) },
        "A point on Earth is required", TrackingReason.placePointInvalid) : nil
    radius =
      fields.contains(.radius)
      ? bad.require(
        "place.radius_m", Geofence.radius(wire.radiusM),
        "The radius is \(Int(Geofence.radii.lowerBound.value)) to \(Int(Geofence.radii.upperBound.value)) metres",
        TrackingReason.placeRadiusInvalid) : nil
    // A place of which no group is told is its user's alone, for later.
    groups =
      fields.contains(.groups)
      ? wire.groupIds.isEmpty ? [] : bad.groupIDs(wire.groupIds, "place.group_ids") : nil
  }
}
