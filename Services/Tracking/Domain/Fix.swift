import Geography
import Identifiers

/// A position of a user, as a device determined it.
public struct Fix: Sendable, Hashable {
  public let point: GeoPoint
  /// When the device was there: by its own clock, or as ``PhoneClock`` found out.
  public let time: Instant
  /// The radius in metres within which the device is with a probability of 68 %; `nil` if unknown.
  public let accuracy: Double?
  /// Metres above the WGS 84 ellipsoid; `nil` if unknown.
  public let altitude: Double?
  /// Metres per second; `nil` if unknown.
  public let speed: Double?
  /// Degrees clockwise from true north; `nil` if unknown.
  public let course: Double?

  public init(
    _ point: GeoPoint, at time: Instant, accuracy: Double? = nil, altitude: Double? = nil, speed: Double? = nil,
    course: Double? = nil
  ) {
    self.point = point
    self.time = time
    self.accuracy = accuracy
    self.altitude = altitude
    self.speed = speed
    self.course = course
  }
}
