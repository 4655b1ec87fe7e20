import FieldViolations
import Geography
import Idempotency
import Identifiers
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingOperations

/// A journey that a user wants to start ([TR-6]).
package struct JourneyDraft {
  package let groups: [GroupID]
  package let destination: GeoPoint
  package let arrivalAt: Instant
  /// `nil` if the user does not say.
  let mode: TravelMode?

  /// The latest promised arrival.
  private static let maxDuration = Duration.seconds(7 * 86_400)

  package init(_ call: StartJourneyRequest, at now: Instant, _ bad: inout Violations) throws {
    let groupIDs = bad.groupIDs(call.groupIds)
    let place = bad.require(
      "destination", call.destination.flatMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) },
      "A destination on Earth is required", TrackingReason.destinationInvalid)
    let arrival = bad.require(
      "arrival_time",
      call.arrivalTime.flatMap { Instant(valid: $0) }.flatMap { $0 > now && $0 <= now + Self.maxDuration ? $0 : nil },
      "The arrival is promised for the next 7 days", TrackingReason.arrivalTimeInvalid)
    mode = TravelMode(call.mode)
    if mode == nil, call.mode != .unspecified {
      bad.add("mode", "This is no known way of travelling", TrackingReason.modeInvalid)
    }
    (groups, destination, arrivalAt) = try bad.all(groupIDs, place, arrival)
  }
}

extension Journeys {
  /// Starts a journey of the caller ([TR-6]).
  package func startJourney(_ call: StartJourneyRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    let now = environment.clock.now
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    // By now the promised time may have passed.
    if let first: Journey = try await idempotency.firstAnswer(to: call, key) { return first }
    let draft = try JourneyDraft(call, at: now, &bad)
    return try await idempotency.execute(call, key) { tx in
      let plan = JourneyPlan(to: draft.destination, arrivingAt: draft.arrivalAt)
      let started = try await operations.startJourney(
        plan, by: draft.mode, seenBy: draft.groups, of: user, at: now, tx)
      return Journey(started, by: user)
    }
  }
}
