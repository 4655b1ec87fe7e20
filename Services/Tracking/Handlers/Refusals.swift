import TTRPC
import TandemTracking
import TrackingDomain

/// The statuses of refusals: one place for every reason and text.
extension MemberRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .inSOS: Status(TrackingReason.inSos, "You are in SOS; stop the alert first")
    case .onAJourney: Status(TrackingReason.onAJourney, "You are on a journey already")
    case .notOnAJourney: Status(TrackingReason.notOnAJourney, "You are on no journey")
    case .notInSOS: Status(TrackingReason.notInSos, "You are not in SOS")
    }
  }
}

extension Status {
  static func tooManyJourneys(retryAfter: Duration) -> Status {
    Status(
      TrackingReason.tooManyJourneys,
      "You have started \(NewsLimits.mostJourneys) journeys within an hour; wait before you start another",
      retryAfter: retryAfter)
  }
}
