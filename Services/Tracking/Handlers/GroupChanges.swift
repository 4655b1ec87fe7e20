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

  /// Stores changes with the next numbers of their groups, which it locks until the transaction ends: it comes last in a transaction.
  ///
  /// After the commit they are published to all replicas. Changes of groups that are not known are dropped.
  package func store(_ changes: [GroupChange], _ tx: Transaction) async throws {
    guard !changes.isEmpty else { return }
    try await partitions.prepare(for: [clock.now])
    let counts = Dictionary(grouping: changes, by: \.groupID).mapValues { Int64($0.count) }.sorted { $0.key < $1.key }
    let groups = counts.map(\.key)
    let (_, last) = try await tx.rows(
      LockGroups(groupIDs: groups), NumberChanges(groupIDs: groups, counts: counts.map(\.value)))
    let counted = Dictionary(uniqueKeysWithValues: counts.map { ($0.key, $0.value) })
    var next = Dictionary(
      uniqueKeysWithValues: last.map { ($0.groupID, $0.sequence - (counted[$0.groupID] ?? 0) + 1) })
    let numbered = changes.compactMap { change -> NumberedChange? in
      guard let number = next[change.groupID] else { return nil }
      next[change.groupID] = number + 1
      return NumberedChange(number, change)
    }
    guard !numbered.isEmpty else { return }
    try await tx.execute(InsertChanges(numbered, now: clock.now))
    tx.afterCommit { [signals] in signals.publish(numbered) }
  }
}
