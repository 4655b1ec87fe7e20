import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Journeys {
  /// Triggers an alert in all groups of the caller, and in an alert adds those that do not see it yet ([TR-5]).
  package func startSOS(_ call: StartSOSRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    let now = environment.clock.now
    return try await change(call, context.requestKey(of: call), of: user) { tracker, tx in
      let id = try await startSOS(&tracker, at: now, tx)
      guard let position = call.position else { return Step(id) }
      let counts = tracker.report([ReportedPoint(position)], startsAlert: true, at: now)
      // An alert is not refused for a position.
      return Step(id, isPositionUnusable: counts.accepted + counts.duplicate == 0)
    } notice: { step, tracker, alert in
      alert.noticeOfAlert(of: tracker, step)
    }
  }

  private func startSOS(_ tracker: inout Tracker, at now: Instant, _ tx: Transaction) async throws -> JourneyID {
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

  /// Stops the caller's alert ([TR-5]).
  package func stopSOS(_ call: StopSOSRequest, _ context: CallContext) async throws -> Journey {
    try await change(call, context.requestKey(of: call), of: context.userID) { tracker, _ in
      guard let id = tracker.journey?.id else { throw MemberRefusal.notInSOS }
      try tracker.stopSOS(at: environment.clock.now)
      return Step(id)
    }
  }
}

extension Journey {
  /// What the user has to know who has triggered the alert.
  fileprivate func noticeOfAlert(of tracker: Tracker, _ step: Journeys.Step) -> String {
    var sentences: [String] = []
    if tracker.groups.isEmpty {
      sentences.append("No member was alerted: you are in no group.")
    } else if alertedMembers == 0 {
      sentences.append("No member was notified of the alert; your groups see it.")
    }
    if step.isPositionUnusable { sentences.append("The position could not be used.") }
    return sentences.joined(separator: " ")
  }
}
