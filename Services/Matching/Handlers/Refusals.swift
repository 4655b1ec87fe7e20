import FieldViolations
import Identifiers
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching
import UserCalls

/// The statuses of refusals: one place for every reason and text.
extension SessionRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .noSuchSession: Status(MatchingReason.sessionNotFound, "There is no such session")
    case .noSuchGym: Status(MatchingReason.gymNotFound, "There is no such gym")
    case .notTheOwner: Status(MatchingReason.notTheOwner, "The session is another user's")
    case .ownSession: Status(MatchingReason.ownSession, "The session is your own")
    case .started: Status(MatchingReason.sessionStarted, "The session has started")
    case .taken: Status(MatchingReason.sessionTaken, "Another user has joined the session")
    case .genderNotAdmitted:
      Status(MatchingReason.genderNotAdmitted, "The session is for partners of another gender")
    case .levelTooLow:
      Status(MatchingReason.levelTooLow, "One of the two partners must be experienced")
    case .barred(let end):
      // The only reason of one word: the generator takes such a one for an enum's value, so it is spelt here.
      Status(
        .failedPrecondition, reason: "BARRED", "You cannot post or join sessions before \(end)",
        metadata: ["bar_end_time": "\(end)"])
    case .slotTaken:
      Status(
        MatchingReason.slotTaken,
        "You already have a session in this time slot. Please choose another time slot.")
    case .gymProfileMissing: Status(MatchingReason.gymProfileMissing, "Add the gym part to your profile first")
    case .slotTakenByMatch:
      Status(
        MatchingReason.slotTaken,
        "You already have a session in this time slot. Please select a different session.")
    case .joinsEnded: Status(MatchingReason.joinsEnded, "It is too late to join the session")
    case .tooManyOpenPosts:
      Status(
        MatchingReason.tooManyOpenPosts, "\(NewsLimits.maxOpenPosts) of your sessions wait for a partner; cancel one")
    case .tooManyPosts(let wait):
      Status(
        MatchingReason.tooManyPosts, "You have posted \(NewsLimits.maxPosts) sessions within a day", retryAfter: wait)
    case .tooManyJoins(let wait):
      Status(
        MatchingReason.tooManyJoins, "You have joined \(NewsLimits.maxJoins) sessions within a day", retryAfter: wait)
    case .changed: Status(MatchingReason.sessionChanged, "The session has changed; look at it again")
    case .checkedIn: Status(MatchingReason.checkedIn, "A participant has checked in")
    case .over: Status(MatchingReason.sessionOver, "The session is over")
    case .notMatched: Status(MatchingReason.notMatched, "No partner has joined the session")
    case .outsideCheckInWindow:
      Status(
        MatchingReason.outsideCheckInWindow, "You can check in from 15 minutes before the start to 15 minutes after it")
    case .tooInaccurate:
      Status(MatchingReason.locationTooInaccurate, "Your location is not known to within 25 m")
    case .tooFar(let distance):
      Status(
        MatchingReason.tooFar,
        "You are \(Self.metres(distance.value)) m from the gym; 10 m are allowed beside the accuracy of your location",
        metadata: ["distance_m": Self.metres(distance.value)])
    case .notSuccessful: Status(MatchingReason.notSuccessful, "The participants have not both checked in")
    case .notStarted: Status(MatchingReason.sessionNotStarted, "The session has not started")
    case .finishedTooEarly:
      Status(
        MatchingReason.finishedTooEarly,
        "A session can be finished after half of its time, and after 15 minutes at least")
    case .notFinished: Status(MatchingReason.notFinished, "The session is not finished")
    case .partnerGone: Status(MatchingReason.partnerGone, "Your partner has deleted the account")
    case .feedbackGiven: Status(MatchingReason.feedbackGiven, "You have given feedback on this session")
    }
  }

  /// With one digit behind the point, rounded up: 10.04 m is not within 10 m.
  private static func metres(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded(.up))
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The obstacle in the view of a session; `nil` for what is no obstacle to joining.
  var obstacle: JoinObstacle? {
    switch self {
    case .ownSession: .ownSession
    case .started: .sessionStarted
    case .taken: .sessionTaken
    case .genderNotAdmitted: .genderNotAdmitted
    case .levelTooLow: .levelTooLow
    case .barred: .barred
    case .slotTaken, .slotTakenByMatch: .slotTaken
    case .joinsEnded: .joinsEnded
    case .noSuchSession, .noSuchGym, .notTheOwner, .gymProfileMissing, .tooManyOpenPosts, .tooManyPosts, .tooManyJoins,
      .changed, .checkedIn, .over, .notMatched, .outsideCheckInWindow, .tooInaccurate, .tooFar, .notSuccessful,
      .notStarted, .finishedTooEarly, .notFinished, .partnerGone, .feedbackGiven:
      nil
    }
  }
}

extension PostRefusal: StatusConvertible {
  static let slotText = "A session starts in the future, at most 60 days ahead, and lasts 15 minutes to 8 hours"
  static let joinEndText = "Joins end in the future, and at the start at the latest"

  package var status: Status {
    switch self {
    case .slotInvalid: BadFields("start_time", Self.slotText, MatchingReason.slotInvalid).status
    case .joinEndInvalid: BadFields("join_end_time", Self.joinEndText, MatchingReason.joinEndInvalid).status
    }
  }
}

extension WaitingRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .session(let refusal): refusal.status
    case .sessionOpen: Status(MatchingReason.sessionOpen, "The session is open: join it")
    case .listFull: Status(MatchingReason.waitingListFull, "Too many people wait for this session")
    case .tooManyWaiting: Status(MatchingReason.tooManyWaiting, "You wait for too many sessions")
    }
  }
}

extension SessionShareRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .noSuchShare: Status(MatchingReason.shareNotFound, "The link leads nowhere")
    case .tooManyShares:
      Status(MatchingReason.tooManyShares, "The session has as many links as any can have; revoke one")
    }
  }
}

extension CalendarLinkRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .noSuchLink: Status(MatchingReason.calendarLinkNotFound, "The link leads nowhere")
    case .tooManyLinks:
      Status(MatchingReason.tooManyCalendarLinks, "You have as many links as possible; revoke one")
    }
  }
}

extension RepetitionRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .noSuchRepetition: Status(MatchingReason.repetitionNotFound, "There is no such repetition")
    case .alreadyRepeated: Status(MatchingReason.alreadyRepeated, "The session is repeated already")
    case .tooManyRepetitions:
      Status(MatchingReason.tooManyRepetitions, "You repeat as many sessions as possible; end one")
    case .lastDayInvalid:
      BadFields(
        "until_date", "The last day is in the week after the session or later, within 366 days",
        MatchingReason.untilInvalid
      ).status
    }
  }
}

extension SavedSearchRefusal: StatusConvertible {
  package var status: Status {
    switch self {
    case .noSuchSearch: Status(MatchingReason.searchNotFound, "There is no such search")
    case .tooManySearches:
      Status(MatchingReason.tooManySavedSearches, "You have as many searches as possible; delete one")
    }
  }
}

extension MovedTooOften: StatusConvertible {
  package var status: Status {
    Status(MatchingReason.movedTooOften, "You have moved too often today", retryAfter: retryAfter)
  }
}

extension MatchingFailure: StatusConvertible {
  package var status: Status {
    switch self {
    case .noAccount: .notAUser
    case .changedMeanwhile: .concurrentChange
    case .catalogUnavailable:
      Status(
        MatchingReason.catalogUnavailable, "The catalog does not answer; try again shortly", retryAfter: .seconds(1))
    case .identityUnavailable:
      Status(
        MatchingReason.identityUnavailable, "The profiles cannot be read; try again shortly", retryAfter: .seconds(1))
    }
  }
}

extension Status {
  static let noSuchUser = Status(MatchingReason.userNotFound, "There is no such user")
  static let noSuchBar = Status(MatchingReason.barNotFound, "There is no such bar")
  /// The user has no listing, or an account that was deleted a moment ago.
  static let noSuchListing = Status(MatchingReason.listingNotFound, "You are not on the map")
  static let noSuchPartner = Status(MatchingReason.partnerNotFound, "There is no such person on the map")
}
