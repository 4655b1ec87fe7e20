import TTRPC
import TTRPCFrames

/// Counts the open connections, in all and by network. A state machine without I/O.
struct ConnectionCount {
  private(set) var total = 0
  private var byNetwork: [ClientNetwork: Int] = [:]

  /// Counts a new connection, or returns the limit that it would exceed.
  mutating func admit(_ network: ClientNetwork, _ limits: RPCServer.Limits) -> ServerLimit? {
    guard total < limits.connections else { return .connections }
    let ofNetwork = byNetwork[network, default: 0]
    guard ofNetwork < maxOfNetwork(limits) else { return .connectionsPerAddress }
    total += 1
    byNetwork[network] = ofNetwork + 1
    return nil
  }

  /// A share of what is free, as of places for calls (see ``Principal``), so that there is one left for the next
  /// address; unless one address may have all, since its connections are then those of many clients.
  private func maxOfNetwork(_ limits: RPCServer.Limits) -> Int {
    guard limits.connectionsPerAddress < limits.connections else { return limits.connectionsPerAddress }
    let share = (limits.connections - total) * limits.sharePercent / 100
    return min(limits.connectionsPerAddress, max(1, share))
  }

  /// Removes an admitted connection from the count.
  mutating func remove(_ network: ClientNetwork) {
    total -= 1
    let rest = byNetwork[network, default: 1] - 1
    byNetwork[network] = rest > 0 ? rest : nil
  }
}
