import LoopExecutor
import NIOCore
import Synchronization

/// How many writes each client has on the pipeline that all share, where one that waits for a lock holds up those
/// behind it. A client with several there, or one of whose has just waited, takes a connection of its own, of which it
/// has a share. From any thread.
final class OwnWrites: Sendable {
  private struct State {
    var running: [WorkOwner: Int] = [:]
    /// Until when a client whose write has waited writes by itself.
    var waited: [WorkOwner: NIODeadline] = [:]

    mutating func end(_ owner: WorkOwner) {
      let rest = running[owner, default: 1] - 1
      running[owner] = rest > 0 ? rest : nil
    }
  }

  /// Of one client: enough for an app, whose calls are few at a time.
  private static let maxRunning = 4
  private static let memory = TimeAmount.seconds(10)
  private static let maxRemembered = 1_024

  private let state = Mutex(State())

  /// Counts a write; false when it is to take a connection of its own.
  func begin(_ owner: WorkOwner?) -> Bool {
    guard let owner, owner.kind == .client else { return true }
    return state.withLock { state in
      if let until = state.waited[owner] {
        if NIODeadline.now() < until { return false }
        state.waited[owner] = nil
      }
      let running = state.running[owner, default: 0]
      guard running < Self.maxRunning else { return false }
      state.running[owner] = running + 1
      return true
    }
  }

  func end(_ owner: WorkOwner?) {
    guard let owner, owner.kind == .client else { return }
    state.withLock { $0.end(owner) }
  }

  /// The write has waited for a lock for too long.
  func endWaiting(_ owner: WorkOwner?) {
    guard let owner, owner.kind == .client else { return }
    state.withLock { state in
      state.end(owner)
      if state.waited.count >= Self.maxRemembered { state.waited = [:] }
      state.waited[owner] = .now() + Self.memory
    }
  }
}
