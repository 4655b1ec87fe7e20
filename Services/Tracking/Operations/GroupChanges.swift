import Environment
import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

/// Numbers and stores what changes in groups, in the transaction of the change, and announces it after the commit ([TR-4]).
package struct GroupChanges: Sendable {
  private let signals: ChangeSignals
  private let partitions: Partitions
  private let clock: any WallClock

  package init(signals: ChangeSignals, partitions: Partitions, clock: any WallClock) {
    self.signals = signals
    self.partitions = partitions
    self.clock = clock
  }

  /// The time at which changes are stored.
  var now: Instant { clock.now }

  /// Stores changes with the next numbers of their groups, which it locks until the transaction ends: it comes last in a transaction, and runs
  /// with its commit.
  ///
  /// After the commit they are published to all replicas. Changes of groups that are not known are dropped, and those of members who left meanwhile.
  package func store(_ changes: [GroupChange], _ tx: Transaction) async throws {
    guard !changes.isEmpty else { return }
    try await partitions.prepare(for: [clock.now])
    let groups = Set(changes.map(\.groupID)).sorted()
    tx.queue(LockGroups(groupIDs: groups))
    tx.queue(StoreChanges(changes, now: clock.now)) { [signals] stored in
      let numbered = stored.map { NumberedChange($0.sequence, changes[Int($0.place) - 1]) }
      if !numbered.isEmpty { signals.publish(numbered) }
    }
  }
}
