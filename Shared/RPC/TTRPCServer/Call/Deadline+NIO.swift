import NIOCore
import TTRPC

extension Deadline {
  init(_ instant: NIODeadline) {
    self.init(uptimeNanoseconds: instant.uptimeNanoseconds)
  }

  /// The deadline of a request's `timeout_nano`: zero sets none, a negative one has passed already.
  init?(timeoutNanoseconds: Int64, from now: NIODeadline) {
    guard timeoutNanoseconds != 0 else { return nil }
    self.init(now + .nanoseconds(timeoutNanoseconds))
  }

  var instant: NIODeadline { .uptimeNanoseconds(uptimeNanoseconds) }
}
