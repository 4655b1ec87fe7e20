import Geography
import GoogleProtobuf
import Identifiers
import TandemTracking
import Timestamps
import TrackingDomain
import TrackingStore

// Between the contract and the domain.

extension ReportedPoint {
  package init(_ wire: Position) {
    self.init(
      latitude: wire.latitude, longitude: wire.longitude, time: wire.time.flatMap { Instant(valid: $0) },
      accuracy: wire.accuracyM, altitude: wire.altitudeM, speed: wire.speedMps, course: wire.course)
  }
}

extension ReportSummary {
  init(_ counts: ReportCounts) {
    self.init(
      accepted: Int32(counts.accepted), outOfOrder: Int32(counts.outOfOrder), duplicate: Int32(counts.duplicate),
      stale: Int32(counts.stale), wrongTime: Int32(counts.wrongTime),
      wrongCoordinates: Int32(counts.wrongCoordinates), wrongMeasurement: Int32(counts.wrongMeasurement),
      tooFast: Int32(counts.tooFast), groups: Int32(counts.groups), notKept: Int32(counts.notKept))
  }
}

extension Journey {
  init(_ seen: JourneySeenBy.Row, by viewer: UserID) {
    let stored = seen.journey
    var place: Place?
    if let latitude = stored.latitude, let longitude = stored.longitude {
      place = Place(latitude: latitude, longitude: longitude)
    }
    self.init(
      journeyID: stored.id.description, userID: stored.userID.description,
      kind: stored.kind.wire, groupIds: seen.groupIDs.map(\.description),
      startTime: stored.startedAt.timestamp, endTime: stored.endedAt?.timestamp,
      outcome: stored.outcome?.wire ?? .unspecified, destination: place,
      arrivalTime: stored.arrivalAt?.timestamp, mode: stored.mode?.wire ?? .unspecified,
      estimatedArrivalTime: seen.estimatedAt?.timestamp,
      // How many members other groups have is for the user alone.
      alertedMembers: stored.userID == viewer ? stored.alertedCount : 0)
  }
}
