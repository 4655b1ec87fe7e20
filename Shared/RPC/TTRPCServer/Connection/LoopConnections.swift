import LoopExecutor
import NIOCore
import ProtobufC

/// The connections of one event loop, with what they share. Confined to that loop.
///
/// `@unchecked Sendable`: everything but constants is touched only on `executor.loop`.
final class LoopConnections: @unchecked Sendable {
  let executor: LoopExecutor
  let arena = Arena()
  private let interval: TimeAmount
  private(set) var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var isSweepDue = false

  init(_ executor: LoopExecutor, _ load: ServerLoad) {
    self.executor = executor
    interval = load.limits.sweepInterval
  }

  func add(_ connection: ServerConnection) {
    connections[ObjectIdentifier(connection)] = connection
    scheduleSweep()
  }

  func remove(_ connection: ServerConnection) {
    connections[ObjectIdentifier(connection)] = nil
  }

  /// Calls `act` with every connection, on the loop. From any thread.
  func forEach(_ act: @escaping @Sendable (ServerConnection) -> Void) {
    executor.loop.execute {
      for connection in Array(self.connections.values) { act(connection) }
    }
  }

  /// One timer for all connections, and none while there are none.
  private func scheduleSweep() {
    guard !isSweepDue, !connections.isEmpty else { return }
    isSweepDue = true
    executor.loop.scheduleTask(in: interval) { self.sweep() }
  }

  private func sweep() {
    isSweepDue = false
    let now = NIODeadline.now()
    for connection in Array(connections.values) { connection.checkAge(now) }
    scheduleSweep()
  }
}
