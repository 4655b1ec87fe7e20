import NIOCore

/// One timer for all the deadlines of a connection.
///
/// Calls come and go by the hundred thousand while their deadlines hardly ever pass, so nothing is scheduled per call: the timer is set to
/// the earliest deadline it was told of, and when it fires the owner looks who is due and says which deadline is the next. A look is at all
/// calls, and a client that chooses its deadlines well could ask for one after each: so there is a rest after each, longer than it took, and
/// what is due meanwhile is met together. Confined to `loop`.
struct DeadlineTimer {
  private let loop: any EventLoop
  private var scheduled: Scheduled<Void>?
  private var due = NIODeadline.distantFuture
  /// When the rest after the last look ends.
  private var restEnd = NIODeadline.uptimeNanoseconds(0)

  /// Of the rest, for each call looked at: ten times what the look takes. With 4,096 calls a deadline is met four milliseconds late at most.
  private static let restPerCall = TimeAmount.microseconds(1)

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Has `fire` run at `deadline` or before, but not within a rest.
  mutating func include(_ deadline: NIODeadline, _ fire: @escaping @Sendable () -> Void) {
    let deadline = max(deadline, restEnd)
    guard deadline < due else { return }
    scheduled?.cancel()
    due = deadline
    scheduled = loop.scheduleTask(deadline: deadline, fire)
  }

  /// Forgets the deadline that fired, for a look at `count` calls that begins `now`; the owner includes the next one.
  mutating func fired(lookingAt count: Int, _ now: NIODeadline) {
    forget()
    restEnd = now + Self.restPerCall * count
  }

  mutating func cancel() {
    scheduled?.cancel()
    forget()
  }

  private mutating func forget() {
    scheduled = nil
    due = .distantFuture
  }
}
