import LoopExecutor
import NIOCore
import Synchronization

/// Writes lines as ``SampledLines`` lets it, and tells of those that were left out though no other of their kind follows. From any thread.
final class SampledLog<Kind: Hashable & Sendable>: Sendable {
  private struct State {
    var lines = SampledLines<Kind>()
    /// Whether some loop looks again in a while.
    var isLookDue = false
  }

  private let state = Mutex(State())
  private let tell: @Sendable (SampledLines<Kind>.LeftOut) -> Void

  /// Between two looks at what was left out.
  private static var interval: TimeAmount { .seconds(1) }

  /// - Parameter tell: writes a line about lines that were left out.
  init(telling tell: @escaping @Sendable (SampledLines<Kind>.LeftOut) -> Void) {
    self.tell = tell
  }

  /// Has `line` written, or counts it as left out.
  ///
  /// - Parameter line: writes it, given how many of its kind were left out before it.
  func write(_ kind: Kind, _ line: (_ leftOut: Int) -> Void) {
    let now = NIODeadline.now()
    let leftOut = state.withLock { $0.lines.admit(kind, at: now) }
    lookLater()
    if let leftOut { line(leftOut) }
  }

  /// Tells of everything that was left out, because nothing follows.
  func tellRest() {
    for leftOut in state.withLock({ $0.lines.takeAll() }) { tell(leftOut) }
  }

  /// Off a loop nobody looks: what is left out there is told by the next line, or at the end.
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
