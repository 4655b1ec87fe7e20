import NIOCore

/// One timer for all the deadlines of a connection.
///
/// Calls begin and end by the hundred thousand while their deadlines hardly ever pass, so nothing is scheduled per
/// call: the timer is set to the earliest deadline, and when it fires the owner scans its calls for expired ones and
/// includes the next deadline. A scan covers all calls, and a client could choose its deadlines so that one follows
/// each: so there is a rest after each scan, longer than the scan took, and deadlines within it are handled together.
/// Confined to `loop`.
package struct DeadlineTimer {
  private let loop: any EventLoop
  private var scheduled: Scheduled<Void>?
  private var due = NIODeadline.distantFuture
  /// When the rest after the last scan ends.
  private var restEnd = NIODeadline.uptimeNanoseconds(0)

  /// The rest for each call scanned: ten times what the scan takes. With 4,096 calls a deadline is handled at most four
  /// milliseconds late.
  private static let restPerCall = TimeAmount.microseconds(1)

  package init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Schedules `fire` at `deadline` or before, but not within a rest.
  package mutating func include(_ deadline: NIODeadline, _ fire: @escaping @Sendable () -> Void) {
    let deadline = max(deadline, restEnd)
    guard deadline < due else { return }
    scheduled?.cancel()
    due = deadline
    scheduled = loop.scheduleTask(deadline: deadline, fire)
  }

  /// Removes the deadline that fired, for a scan of `count` calls that begins `now`; the owner includes the next one.
  package mutating func fired(lookingAt count: Int, _ now: NIODeadline) {
    forget()
    restEnd = now + Self.restPerCall * count
  }

  package mutating func cancel() {
    scheduled?.cancel()
    forget()
  }

  private mutating func forget() {
    scheduled = nil
    due = .distantFuture
  }
}
