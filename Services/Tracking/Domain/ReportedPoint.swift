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

  /// The position with the time that is used of it; or which rule it breaks, as far as it can be told without others ([TR-2]).
  ///
  /// - Parameter isAlert: whether the user is in SOS: then a position is not refused for what was measured besides.
  public func fix(by times: PhoneTimes, isAlert: Bool = false) -> Result<Fix, PointFault> {
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else { return .failure(.wrongCoordinates) }
    guard let time = (time ?? (isAlert ? times.arrivedAt - times.shift : nil)).flatMap({ times.time(of: $0) }) else {
      return .failure(.wrongTime)
    }
    guard time >= times.arrivedAt - Self.oldest else { return .failure(.stale) }
    let accuracy = Measured(accuracy) { $0 > 0 && $0 <= Self.worstAccuracy }
    let altitude = Measured(altitude) { (-1_000...20_000).contains($0) }
    let course = Measured(course) { (0..<360).contains($0) }
    let speed = Measured(speed) { $0 >= 0 && $0.isFinite }
    if !isAlert {
      guard ![accuracy, altitude, course, speed].contains(where: \.isWrong) else { return .failure(.wrongMeasurement) }
      guard speed.value ?? 0 <= Self.fastest else { return .failure(.tooFast) }
    }
    return .success(
      Fix(
        point, at: time, accuracy: accuracy.value, altitude: altitude.value, speed: speed.value, course: course.value))
  }
}

/// What was measured beside a position.
private struct Measured {
  /// `nil` where it is missing or wrong.
  let value: Double?
  let isWrong: Bool

  init(_ reported: Double?, _ isRight: (Double) -> Bool) {
    value = reported.flatMap { isRight($0) ? $0 : nil }
    isWrong = reported != nil && value == nil
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
  /// Positions that were used, and are not kept on the path, of which enough are kept.
  public var notKept = 0

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
