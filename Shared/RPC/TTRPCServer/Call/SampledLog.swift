import LoopExecutor
import NIOCore
import Synchronization

/// Writes the lines that ``SampledLines`` admits, and reports those left out even when no other line of their kind
/// follows. From any thread.
final class SampledLog<Kind: Hashable & Sendable>: Sendable {
  private struct State {
    var lines = SampledLines<Kind>()
    /// Whether a loop is scheduled to report what was left out.
    var isLookDue = false
  }

  private let state = Mutex(State())
  private let tell: @Sendable (SampledLines<Kind>.LeftOut) -> Void

  /// Between two reports of what was left out.
  private static var interval: TimeAmount { .seconds(1) }

  /// - Parameter tell: writes a line that reports lines left out.
  init(telling tell: @escaping @Sendable (SampledLines<Kind>.LeftOut) -> Void) {
    self.tell = tell
  }

  /// Writes `line`, or counts it as left out.
  ///
  /// - Parameter line: writes it, with the number of lines of its kind left out before it.
  func write(_ kind: Kind, _ line: (_ leftOut: Int) -> Void) {
    let now = NIODeadline.now()
    let leftOut = state.withLock { $0.lines.admit(kind, at: now) }
    lookLater()
    if let leftOut { line(leftOut) }
  }

  /// Reports everything that was left out, because nothing follows.
  func tellRest() {
    for leftOut in state.withLock({ $0.lines.takeAll() }) { tell(leftOut) }
  }

  /// Off a loop nothing is scheduled: lines left out there are reported by the next line, or at the end.
  private func lookLater() {
    guard let loop = LoopExecutor.current?.loop else { return }
    let isNeeded = state.withLock { state in
      guard !state.isLookDue, !state.lines.isEmpty else { return false }
      state.isLookDue = true
      return true
    }
    if isNeeded { loop.scheduleTask(in: Self.interval) { self.look() } }
  }

  private func look() {
    let now = NIODeadline.now()
    let due = state.withLock { state in
      state.isLookDue = false
      return state.lines.takeDue(at: now)
    }
    for leftOut in due { tell(leftOut) }
    lookLater()
  }
}
