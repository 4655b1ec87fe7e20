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
      tooFast: Int32(counts.tooFast), groups: Int32(counts.groups))
  }
}

extension TravelMode {
  init?(_ wire: TandemTracking.TravelMode) {
    switch wire {
    case .walking: self = .walking
    case .cycling: self = .cycling
    case .driving: self = .driving
    case .transit: self = .transit
    case .unspecified, .unrecognized: return nil
    }
  }

  var toProto: TandemTracking.TravelMode {
    switch self {
    case .walking: .walking
    case .cycling: .cycling
    case .driving: .driving
    case .transit: .transit
    }
  }
}

extension JourneyOutcome {
  var toProto: TandemTracking.JourneyOutcome {
    switch self {
    case .onTime: .onTime
    case .late: .late
    case .stopped: .stopped
    case .sos: .sos
    }
  }
}

extension Journey {
  init(_ stored: StoredJourney, seenIn groups: [GroupID], by viewer: UserID, estimatedAt: Instant?) {
    var place: Place?
    if let latitude = stored.latitude, let longitude = stored.longitude {
      place = Place(latitude: latitude, longitude: longitude)
    }
    self.init(
      journeyID: stored.id.description, userID: stored.userID.description,
      kind: stored.kind == .sos ? .sos : .journey, groupIds: groups.map(\.description),
      startTime: stored.startedAt.timestamp, endTime: stored.endedAt?.timestamp,
      outcome: stored.outcome?.toProto ?? .unspecified, destination: place,
      arrivalTime: stored.arrivalAt?.timestamp, mode: stored.mode?.toProto ?? .unspecified,
      estimatedArrivalTime: estimatedAt?.timestamp,
      // How many members other groups have is for the user alone.
      alertedMembers: stored.userID == viewer ? stored.alertedCount : 0)
  }
}
