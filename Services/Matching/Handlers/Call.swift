import FieldViolations
import Geography
import Identifiers
import MatchingDomain
import TTRPC
import TandemMatching
import Timestamps

extension Violations {
  /// Parses the id of a session from the field `session_id`.
  mutating func sessionID(_ text: String) -> SessionID? {
    require("session_id", SessionID(text), "This is not the id of a session", MatchingReason.sessionIDInvalid)
  }

  /// Parses the id of a gym from the field `gym_id`.
  mutating func gymID(_ text: String) -> GymID? {
    require("gym_id", GymID(text), "This is not the id of a gym", MatchingReason.gymIDInvalid)
  }

  /// Parses a point, which must be there, from the field `point`.
  mutating func point(_ point: TandemMatching.Point?) -> GeoPoint? {
    guard let point else {
      add("point", "Say where it is", MatchingReason.pointRequired)
      return nil
    }
    return require(
      "point", GeoPoint(latitude: point.latitude, longitude: point.longitude), "This is not a point on the Earth",
      MatchingReason.pointInvalid)
  }
}
