import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

/// A group and its name.
package struct NamedGroup: Sendable {
  let id: GroupID
  let name: String

  package init(_ id: GroupID, _ name: String) { (self.id, self.name) = (id, name) }
}

extension TrackerOperations {
  /// Stores groups with their names; of several names of one group the last one.
  package func nameGroups(_ groups: [NamedGroup], _ tx: Transaction) async throws {
    let last = Array(Dictionary(groups.map { ($0.id, $0) }) { $1 }.values)
    try await tx.execute(PutGroups(groupIDs: last.map(\.id), names: last.map(\.name)))
  }
}
