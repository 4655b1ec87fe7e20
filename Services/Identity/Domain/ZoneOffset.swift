/// How far a time zone is ahead of UTC at some moment, for times that a user reads.
public struct ZoneOffset: Sendable, Hashable, CustomStringConvertible {
  public let zone: TimeZoneName
  /// Negative west of Greenwich.
  public let secondsFromUTC: Int

  public init(zone: TimeZoneName, secondsFromUTC: Int) { (self.zone, self.secondsFromUTC) = (zone, secondsFromUTC) }

  /// `Asia/Singapore, UTC+08:00`; `UTC` for that zone itself.
  public var description: String {
    guard secondsFromUTC != 0 else { return zone.description == "UTC" ? "UTC" : "\(zone), UTC" }
    let minutes = abs(secondsFromUTC) / 60
    let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(zone), UTC\(secondsFromUTC < 0 ? "-" : "+")\(parts[0]):\(parts[1])"
  }
}
