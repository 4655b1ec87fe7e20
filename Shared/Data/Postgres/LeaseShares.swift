import LoopExecutor

/// How many of a pool's connections each owner may hold. A state machine without I/O.
///
/// A connection that is held may wait for a lock for as long as a statement may take. So one client, whose calls may all
/// wait for the same lock, holds half of them at most; all clients together leave some to the process's own work, and
/// that leaves one to them. What is asked for on no one's behalf may have all.
struct LeaseShares {
  /// The connections of the pool.
  var size: Int
  private var heldBy: [WorkOwner: Int] = [:]
  private var ofOthers = 0
  private var ofBackground = 0

  init(size: Int) { self.size = size }

  /// Connections that are left to the process's own work: none where there are too few to divide.
  private var reserve: Int { size < 3 ? 0 : max(1, size / 4) }

  /// Whether the owner may hold one more.
  func mayTake(_ owner: WorkOwner?) -> Bool {
    guard let owner else { return true }
    switch owner.kind {
    case .client: return ofOthers < max(1, size - reserve) && heldBy[owner, default: 0] < max(1, size / 2)
    case .service: return ofOthers < max(1, size - reserve)
    case .background: return ofBackground < max(1, size - 1)
    }
  }

  mutating func take(_ owner: WorkOwner?) { count(owner, 1) }

  mutating func leave(_ owner: WorkOwner?) { count(owner, -1) }

  private mutating func count(_ owner: WorkOwner?, _ change: Int) {
    guard let owner else { return }
    if owner.kind == .background { ofBackground += change } else { ofOthers += change }
    let held = heldBy[owner, default: 0] + change
    heldBy[owner] = held > 0 ? held : nil
  }
}
