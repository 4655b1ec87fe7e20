import LoopExecutor

/// How many of a pool's connections each owner may hold. A state machine without I/O.
///
/// A connection that is held may wait for a lock for as long as a statement may take. So a client, whose calls may all
/// wait for the same lock, begins with one, behind which its other calls wait: each connection that comes back soon lets
/// it hold one more, up to half of them, and one that does not has it begin again. All clients together leave some to
/// the process's own work, and that leaves one to them. What is asked for on no one's behalf may have all.
struct LeaseShares {
  private struct Share {
    var held = 0
    /// How many a client may hold.
    var allowed = 1
  }

  /// The connections of the pool.
  var size: Int
  private var shares: [WorkOwner: Share] = [:]
  private var ofOthers = 0
  private var ofBackground = 0

  init(size: Int) { self.size = size }

  /// Connections that are left to the process's own work: none where there are too few to divide.
  private var reserve: Int { size < 3 ? 0 : max(1, size / 4) }

  /// Whether the owner may hold one more.
  func mayTake(_ owner: WorkOwner?) -> Bool {
    guard let owner else { return true }
    switch owner.kind {
    case .client: return ofOthers < max(1, size - reserve) && mayHoldMore(owner)
    case .service: return ofOthers < max(1, size - reserve)
    case .background: return ofBackground < max(1, size - 1)
    }
  }

  private func mayHoldMore(_ owner: WorkOwner) -> Bool {
    let share = shares[owner] ?? Share()
    return share.held < min(share.allowed, max(1, size / 2))
  }

  mutating func take(_ owner: WorkOwner?) {
    guard let owner else { return }
    count(owner, 1)
    shares[owner, default: Share()].held += 1
  }

  /// - Parameter isSoon: whether it was held for no longer than a transaction that waits for nothing takes.
  mutating func leave(_ owner: WorkOwner?, isSoon: Bool) {
    guard let owner, var share = shares[owner] else { return }
    count(owner, -1)
    share.held -= 1
    share.allowed = isSoon ? min(share.allowed + 1, max(1, size / 2)) : 1
    shares[owner] = share.held > 0 ? share : nil
  }

  private mutating func count(_ owner: WorkOwner, _ change: Int) {
    if owner.kind == .background { ofBackground += change } else { ofOthers += change }
  }
}
