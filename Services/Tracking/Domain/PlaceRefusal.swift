/// Why a place cannot be created or changed.
public enum PlaceRefusal: Error, Sendable, Hashable {
  case noSuchPlace
  /// The place was changed since the user read it.
  case changedMeanwhile
  /// The user has ``Geofence/maxOfUser`` places.
  case tooManyPlaces
}
