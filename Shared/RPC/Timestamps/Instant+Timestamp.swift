public import GoogleProtobuf
public import Identifiers

/// A timestamp that is invalid by the format's own rules.
public struct TimeOutOfRange: Error, CustomStringConvertible {
  /// The value as received.
  public let timestamp: Timestamp

  /// One line for a log.
  public var description: String {
    "a time is out of range: \(timestamp.seconds) s and \(timestamp.nanos) ns since 1970 are not within the years 1 to 9999"
  }
}

extension Instant {
  /// Years 1 to 9999 in seconds since 1970 (`google/protobuf/timestamp.proto`).
  private static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The moment of a message, to the microsecond. All moments from messages are read by this.
  ///
  /// - Throws: for one outside the years 1 to 9999, or with more nanoseconds than a second.
  public init(wire timestamp: Timestamp) throws(TimeOutOfRange) {
    guard Self.seconds.contains(timestamp.seconds), (0..<1_000_000_000).contains(timestamp.nanos) else {
      throw TimeOutOfRange(timestamp: timestamp)
    }
    self.init(microseconds: timestamp.seconds * 1_000_000 + Int64(timestamp.nanos) / 1_000)
  }

  /// The moment of a message, or `nil` where it is invalid: for a handler that collects what is wrong with a call.
  public init?(valid timestamp: Timestamp) {
    do { try self.init(wire: timestamp) } catch { return nil }
  }

  /// The moment as messages carry it, to the microsecond ([C-8]).
  public var timestamp: Timestamp {
    let seconds = wholeSeconds
    return Timestamp(seconds: seconds, nanos: Int32(microseconds - seconds * 1_000_000) * 1_000)
  }
}
