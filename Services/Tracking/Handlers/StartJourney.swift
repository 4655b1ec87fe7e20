import FieldViolations
import Geography
import Identifiers
import TTRPC
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingStore

extension Journeys {
  /// The latest promised arrival.
  private static let longest = Duration.seconds(7 * 86_400)

  /// Starts a journey of the caller ([TR-6]).
  package func startJourney(_ call: StartJourneyRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    let now = environment.clock.now
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let groupIDs = bad.groupIDs(call.groupIds)
    let destination = bad.require(
      "destination", call.destination.flatMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) },
      "A destination on Earth is required", TrackingReason.destinationInvalid)
    let arrivalAt = bad.require(
      "arrival_time",
      call.arrivalTime.flatMap { Instant(valid: $0) }.flatMap { $0 > now && $0 <= now + Self.longest ? $0 : nil },
      "The arrival is promised for the next 7 days", TrackingReason.arrivalTimeInvalid)
    let mode = bad.require(
      "mode", TravelMode(call.mode), "Say how you travel", TrackingReason.modeRequired)
    let (groups, place, arrival, travel) = try bad.all(groupIDs, destination, arrivalAt, mode)
    return try await change(call, context.requestKey(requestID), of: user) { tracker, tx in
      guard Set(groups).isSubset(of: tracker.groups.map(\.groupID)) else { throw Status.noSuchGroup }
      let id: JourneyID = environment.newID()
      try tracker.start(
        OpenJourney(id, startedAt: now, plan: JourneyPlan(to: place, arrivingAt: arrival)), seenBy: Set(groups))
      try await tx.execute(
        InsertJourney(
          journeyID: id, userID: user, journeyKind: .journey, startedAt: now, latitude: place.latitude,
          longitude: place.longitude, arrivalAt: arrival, mode: travel, groupIDs: groups))
      return id
    }
  }
}
