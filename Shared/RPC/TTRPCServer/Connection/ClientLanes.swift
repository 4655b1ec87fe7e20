import LoopExecutor

/// The lanes of one event loop for its clients' calls, one lane for each client however many connections it has.
/// Confined to that loop.
final class ClientLanes {
  private let executor: LoopExecutor
  private var lanes: [PrincipalName: (lane: LoopLane, users: Int)] = [:]

  init(_ executor: LoopExecutor) { self.executor = executor }

  /// The lane of a client, held until ``leave(_:)`` has been called once for each call of this.
  func enter(_ name: PrincipalName) -> LoopLane {
    let lane = lanes[name]?.lane ?? LoopLane(executor)
    lanes[name, default: (lane, 0)].users += 1
    return lane
  }

  func leave(_ name: PrincipalName) {
    guard let users = lanes[name]?.users else { return }
    if users > 1 { lanes[name]?.users = users - 1 } else { lanes[name] = nil }
  }
}
