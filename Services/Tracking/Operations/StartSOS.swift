import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

/// An alert that a user has triggered, and what they have to know of it.
package struct StartedAlert: Sendable {
  package let alert: JourneySeenBy.Row
  /// Whether there is no group to see it.
  package let hasNoGroup: Bool
  /// Whether a position came with it that cannot be used: an alert is not refused for one.
  package let isPositionUnusable: Bool
}

extension TrackerOperations {
  /// Triggers an alert in all groups of a user, and in an alert adds those that do not see it yet ([TR-5]).
  ///
  /// - Parameter position: `nil` if the phone has none.
  package func startSOS(
    at position: ReportedPoint?, of user: UserID, at now: Instant, _ tx: Transaction
  ) async throws -> StartedAlert {
    let (id, hasNoGroup, isPositionUnusable) = try await change(user, tx) { tracker in
      let id = try await begin(&tracker, at: now, tx)
      let counts = position.map { tracker.report([$0], startsAlert: true, at: now) }
      return (id, tracker.groups.isEmpty, counts.map { $0.accepted + $0.duplicate == 0 } ?? false)
    }
    return StartedAlert(
      alert: try await journey(id, of: user, tx), hasNoGroup: hasNoGroup, isPositionUnusable: isPositionUnusable)
  }

  private func begin(_ tracker: inout Tracker, at now: Instant, _ tx: Transaction) async throws -> JourneyID {
    if let open = tracker.alert {
      try tracker.startSOS(open.id, at: now)
      return open.id
    }
    let id: JourneyID = environment.newID()
    try tracker.startSOS(id, at: now)
    // A user has one at a time, so the journey ends first.
    if let end = tracker.end { try await tx.execute(EndJourneys([end])) }
    try await tx.execute(
      InsertJourney(
        journeyID: id, userID: tracker.userID, journeyKind: .sos, startedAt: now, latitude: nil, longitude: nil,
        arrivalAt: nil, mode: nil, groupIDs: tracker.groups.map(\.groupID)))
    return id
  }
}
