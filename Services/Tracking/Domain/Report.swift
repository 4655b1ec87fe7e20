import Identifiers

/// Positions that a user reports, and whom they are for ([TR-2]).
public struct Report: Sendable {
  public let points: [ReportedPoint]
  /// The groups that see them; `nil` for all that the user shares with.
  public let groupIDs: Set<GroupID>?

  /// The most positions of one report.
  public static let maxPoints = 500

  public init(_ points: [ReportedPoint], to groupIDs: Set<GroupID>?) {
    (self.points, self.groupIDs) = (points, groupIDs)
  }
}

/// Why the groups of a report cannot be those of its user.
public enum ReportedGroupsRefusal: Error, Sendable, Hashable {
  case noSuchGroups(Set<GroupID>)
  case notShared(Set<GroupID>)
}

extension Tracker {
  /// Why a report is not the user's to make; `nil` if it is. In an alert all groups see what is reported: then nothing is wrong with them.
  public func refusal(of report: Report) -> ReportedGroupsRefusal? {
    guard let named = report.groupIDs, alert == nil else { return nil }
    let isShared = Dictionary(uniqueKeysWithValues: groups.map { ($0.groupID, $0.status.isShared) })
    let unknown = named.filter { isShared[$0] == nil }
    guard unknown.isEmpty else { return .noSuchGroups(unknown) }
    let unshared = named.filter { isShared[$0] == false }
    return unshared.isEmpty ? nil : .notShared(unshared)
  }
}
