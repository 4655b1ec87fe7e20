import Geography
import Identifiers

/// A position as a client reports it, which may be anything.
public struct ReportedPoint: Sendable {
  public let latitude: Double
  public let longitude: Double
  /// `nil` if missing or outside the years 1 to 9999.
  public let time: Instant?
  public let accuracy: Double?
  public let altitude: Double?
  public let speed: Double?
  public let course: Double?

  public init(
    latitude: Double, longitude: Double, time: Instant?, accuracy: Double? = nil, altitude: Double? = nil,
    speed: Double? = nil, course: Double? = nil
  ) {
    (self.latitude, self.longitude, self.time) = (latitude, longitude, time)
    (self.accuracy, self.altitude, self.speed, self.course) = (accuracy, altitude, speed, course)
  }

  /// The oldest position that is taken ([TR-2]).
  public static let oldest = Duration.seconds(86_400)
  /// How far a device's clock may be ahead ([TR-2]).
  public static let furthestAhead = Duration.seconds(60)
  /// Metres; a worse accuracy says nothing about where a user is.
  public static let worstAccuracy = 10_000.0
  /// Metres per second: faster than airliners.
  public static let fastest = 340.0

  /// The position; or which rule it breaks, as far as it can be told without others ([TR-2]).
  public func fix(at now: Instant) -> Result<Fix, PointFault> {
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else { return .failure(.wrongCoordinates) }
    guard let time, time <= now + Self.furthestAhead else { return .failure(.wrongTime) }
    guard time >= now - Self.oldest else { return .failure(.stale) }
    guard accuracy.map({ $0 > 0 && $0 <= Self.worstAccuracy }) ?? true,
      altitude.map({ (-1_000...20_000).contains($0) }) ?? true, course.map({ (0..<360).contains($0) }) ?? true,
      speed.map({ $0 >= 0 && $0.isFinite }) ?? true
    else { return .failure(.wrongMeasurement) }
    guard speed ?? 0 <= Self.fastest else { return .failure(.tooFast) }
    return .success(
      Fix(point, at: time, accuracy: accuracy, altitude: altitude, speed: speed, course: course))
  }
}

/// Why a reported position is not used.
public enum PointFault: Error, Sendable, Hashable {
  case wrongCoordinates
  case wrongMeasurement
  case wrongTime
  case stale
  case tooFast
}

/// What became of reported positions ([TR-2]); the counts add up to their number.
public struct ReportCounts: Sendable, Hashable {
  public var accepted = 0
  public var outOfOrder = 0
  public var duplicate = 0
  public var stale = 0
  public var wrongTime = 0
  public var wrongCoordinates = 0
  public var wrongMeasurement = 0
  public var tooFast = 0
  /// Groups that see the current position.
  public var groups = 0

  public init() {}

  mutating func count(_ fault: PointFault) {
    switch fault {
    case .wrongCoordinates: wrongCoordinates += 1
    case .wrongMeasurement: wrongMeasurement += 1
    case .wrongTime: wrongTime += 1
    case .stale: stale += 1
    case .tooFast: tooFast += 1
    }
  }
}
