import struct GoogleProtobuf.Timestamp
import Identifiers

extension Instant {
  /// The moment as the contract carries it ([C-8]).
  var timestamp: Timestamp {
    let seconds = wholeSeconds
    return Timestamp(seconds: seconds, nanos: Int32(microseconds - seconds * 1_000_000) * 1_000)
  }
}
