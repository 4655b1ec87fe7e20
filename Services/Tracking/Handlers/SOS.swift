import Identifiers
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Journeys {
  /// Triggers an alert in all groups of the caller ([TR-5]).
  package func startSOS(_ call: StartSOSRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    let now = environment.clock.now
    return try await change(call, context.requestKey(of: call), of: user) { tracker, tx in
      if let open = tracker.journey, open.plan == nil { return open.id }
      let id: JourneyID = environment.newID()
      try tracker.startSOS(id, at: now)
      // A user has one at a time, so the journey ends first.
      if let end = tracker.end { try await tx.execute(EndJourneys([end])) }
      try await tx.execute(
        InsertJourney(
          journeyID: id, userID: user, journeyKind: .sos, startedAt: now, latitude: nil, longitude: nil,
          arrivalAt: nil, mode: nil, groupIDs: tracker.groups.map(\.groupID)))
      return id
    }
  }

  /// Stops the caller's alert ([TR-5]).
  package func stopSOS(_ call: StopSOSRequest, _ context: CallContext) async throws -> Journey {
    try await change(call, context.requestKey(of: call), of: context.userID) { tracker, _ in
      guard let id = tracker.journey?.id else { throw MemberRefusal.notInSOS }
      try tracker.stopSOS(at: environment.clock.now)
      return id
    }
  }
}
