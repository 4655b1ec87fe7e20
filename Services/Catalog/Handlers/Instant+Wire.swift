import struct GoogleProtobuf.Timestamp
import Identifiers

extension Instant {
  /// The moment as the contract carries it ([C-8]).
  var timestamp: Timestamp {
    let seconds = wholeSeconds
    return Timestamp(seconds: seconds, nanos: Int32(microseconds - seconds * 1_000_000) * 1_000)
  }
}

extension Instant {
  /// The moment that the contract carries, to the microsecond; `nil` for what is no moment by the format's own rules: years 1 to 9999, and
  /// less than a second in nanoseconds.
  package init?(_ timestamp: Timestamp) {
    guard (-62_135_596_800...253_402_300_799).contains(timestamp.seconds), (0..<1_000_000_000).contains(timestamp.nanos)
    else { return nil }
    self.init(microseconds: timestamp.seconds * 1_000_000 + Int64(timestamp.nanos) / 1_000)
  }
}
