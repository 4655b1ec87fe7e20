import struct GoogleRPC.BadRequest
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingOperations
import UserCalls

/// The statuses of refusals: one place for every reason and text.
extension MemberRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .inSOS: Status(TrackingReason.inSos, "You are in SOS; stop the alert first")
    case .onAJourney: Status(TrackingReason.onAJourney, "You are on a journey already")
    case .notOnAJourney: Status(TrackingReason.notOnAJourney, "You are on no journey")
    case .notInSOS: Status(TrackingReason.notInSos, "You are not in SOS")
    case .noSuchGroup: Status(TrackingReason.groupNotFound, "There is no such group")
    }
  }
}

extension JourneyRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchJourney: Status(TrackingReason.journeyNotFound, "There is no such journey")
    case .tooManyJourneys(let wait):
      Status(
        TrackingReason.tooManyJourneys,
        "You have started \(NewsLimits.maxJourneys) journeys within an hour; wait before you start another",
        retryAfter: wait)
    }
  }
}

extension ShareRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchShare: Status(TrackingReason.shareNotFound, "There is no such link, or it has ended")
    case .tooManyShares:
      Status(TrackingReason.tooManyShares, "The journey has \(Self.maxShares) links; revoke one first")
    }
  }
}

extension PlaceRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchPlace: Status(TrackingReason.placeNotFound, "You have no such place")
    case .changedMeanwhile:
      Status(TrackingReason.etagMismatch, "The place was changed meanwhile; read it again and repeat the change")
    case .tooManyPlaces: Status(TrackingReason.tooManyPlaces, "You have \(Geofence.maxOfUser) places; delete one first")
    }
  }
}

extension ReportedGroupsRefusal {
  /// - Parameter names: the groups as the request names them.
  func status(naming names: [String]) -> Status {
    let (reason, text, groupIDs) =
      switch self {
      case .noSuchGroups(let unknown): (TrackingReason.groupNotFound, "There is no such group", unknown)
      case .notShared(let unshared):
        (TrackingReason.groupNotShared, "You do not share your position with this group", unshared)
      }
    let violations = names.enumerated().compactMap { place, name -> BadRequest.FieldViolation? in
      guard let id = GroupID(name), groupIDs.contains(id) else { return nil }
      return BadRequest.FieldViolation(field: "group_ids[\(place)]", description: text, reason: reason.rawValue)
    }
    var status = Status(reason, text)
    status.details.append(StatusDetail(BadRequest(fieldViolations: violations)))
    return status
  }
}

extension ReportRefusal: StatusConvertible {
  package var status: Status {
    let text =
      switch self {
      case .tooManyOfUser: "Too many of your positions wait to be stored; wait for the answers before you send more"
      case .tooMany: "Too many positions wait to be stored; try again shortly"
      }
    return Status(TrackingReason.tooManyReports, text, retryAfter: .seconds(1))
  }
}

extension TrackingFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .noAccount: .notAUser
    case .stopping: .stopping
    }
  }
}

extension Status {
  static let stopping = Status.unavailable("The service is stopping")

  // MARK: Streams

  static let cancelled = Status(.cancelled, "The call was cancelled")

  static func tooManyStreams(_ limit: Int) -> Status {
    Status(
      TrackingReason.tooManyStreams, "You have \(limit) such streams open; end one of them first",
      retryAfter: .seconds(1))
  }

  static let tooManyRequests = Status(
    TrackingReason.tooManyRequests, "Too many messages wait to be handled", retryAfter: .zero)

  static let tooManyWatchedGroups = Status(
    TrackingReason.tooManyGroups, "At most \(WatchSession.maxGroups) groups can be watched by one stream")

  static let viewerTooSlow = Status(
    TrackingReason.viewerTooSlow, "Changes happen faster than they are read; continue with the last message's groups",
    retryAfter: .zero)
}
