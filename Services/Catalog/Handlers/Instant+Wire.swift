import struct GoogleProtobuf.Timestamp
import Identifiers
import Timestamps

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
    self.init(valid: timestamp)
  }
}
