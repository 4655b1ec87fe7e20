import NIOCore

/// One timer for all the deadlines of a connection.
///
/// Calls come and go by the hundred thousand while their deadlines hardly ever pass, so nothing is scheduled per call: the timer is set to
/// the earliest deadline it was told of, and when it fires the owner looks who is due and says which deadline is the next. Confined to
/// `loop`.
struct DeadlineTimer {
  private let loop: any EventLoop
  private var scheduled: Scheduled<Void>?
  private var due = NIODeadline.distantFuture

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Has `fire` run no later than at `deadline`.
  mutating func include(_ deadline: NIODeadline, _ fire: @escaping @Sendable () -> Void) {
    guard deadline < due else { return }
    scheduled?.cancel()
    due = deadline
    scheduled = loop.scheduleTask(deadline: deadline, fire)
  }

  /// Forgets the deadline that fired; the owner includes the next one.
  mutating func fired() {
    scheduled = nil
    due = .distantFuture
  }

  mutating func cancel() {
    scheduled?.cancel()
    fired()
  }
}
