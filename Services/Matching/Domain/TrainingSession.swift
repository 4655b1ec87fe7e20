import Geography
import Identifiers

/// The state of a session.
public enum SessionState: String, Sendable, Hashable, CaseIterable {
  /// Others can join it; becomes matched, lapsed or cancelled.
  case open = "OPEN"
  /// It has two participants; becomes open, successful or failed.
  case matched = "MATCHED"
  /// Both participants checked in; final.
  case successful = "SUCCESSFUL"
  /// Not both checked in; final.
  case failed = "FAILED"
  /// Its time came before a partner; final.
  case lapsed = "LAPSED"
  /// Its owner cancelled it while it was open; final.
  case cancelled = "CANCELLED"

  /// Whether nothing changes any more.
  public var isOver: Bool { self != .open && self != .matched }
}

/// What decisions about a session depend on.
public struct SessionFacts: Sendable, Hashable {
  public let ownerID: UserID?
  public let partnerID: UserID?
  public let state: SessionState
  public let slot: Slot
  public let admitted: GenderSet
  public let level: Level
  public let gym: GeoPoint
  /// Those participants who checked in.
  public let checkedIn: Set<UserID>
  /// When a participant finished it.
  public let finishedAt: Instant?
  /// To whom the place is offered, if it is.
  public let offer: PlaceOffer?
  /// From when on it cannot be joined, not after its start.
  public let joinsEndAt: Instant

  /// - Parameter joinsEndAt: `nil` for the start.
  public init(
    ownerID: UserID?, partnerID: UserID?, state: SessionState, slot: Slot, admitted: GenderSet, level: Level,
    gym: GeoPoint, checkedIn: Set<UserID> = [], finishedAt: Instant? = nil, offer: PlaceOffer? = nil,
    joinsEndAt: Instant? = nil
  ) {
    self.ownerID = ownerID
    self.partnerID = partnerID
    self.state = state
    self.slot = slot
    self.admitted = admitted
    self.level = level
    self.gym = gym
    self.checkedIn = checkedIn
    self.finishedAt = finishedAt
    self.offer = offer
    self.joinsEndAt = joinsEndAt ?? slot.start
  }

  /// Whether the user takes part.
  public func hasParticipant(_ user: UserID) -> Bool { ownerID == user || partnerID == user }

  /// Whether the user sees it as a participant: a cancelled one has none any more.
  public func isOwn(of user: UserID) -> Bool { hasParticipant(user) && state != .cancelled }

  /// Whether users see it who take no part in it.
  public func isShownToOthers(at now: Instant) -> Bool { state == .open && slot.start > now }

  /// The participant beside `user`.
  public func other(than user: UserID) -> UserID? { ownerID == user ? partnerID : ownerID }

  /// Whether feedback can be given at `now`: a participant finished it, or its end has passed ([MA-11]).
  public func isFinished(at now: Instant) -> Bool {
    state == .successful && (finishedAt != nil || now >= slot.end)
  }
}

/// Why something cannot be done with a session.
public enum SessionRefusal: Error, Sendable, Hashable {
  case noSuchSession
  case noSuchGym
  case notTheOwner
  case ownSession
  case started
  case taken
  case genderNotAdmitted
  case levelTooLow
  case barred(until: Instant)
  /// By any active session; of a post.
  case slotTaken
  case gymProfileMissing
  /// By a matched session; of a join.
  case slotTakenByMatch
  case joinsEnded
  case tooManyOpenPosts
  case tooManyPosts(retryAfter: Duration)
  case tooManyJoins(retryAfter: Duration)
  case changed
  case checkedIn
  case over
  case notMatched
  case outsideCheckInWindow
  case tooInaccurate
  case tooFar(Metres)
  case notSuccessful
  case notStarted
  case finishedTooEarly
  case notFinished
  case partnerGone
  case feedbackGiven
}

/// A user who wants to post or join.
public struct Applicant: Sendable, Hashable {
  public let id: UserID
  public let gender: Gender
  public let level: Level
  /// The latest end of the bars in force.
  public let barredUntil: Instant?

  public init(id: UserID, gender: Gender, level: Level, barredUntil: Instant? = nil) {
    (self.id, self.gender, self.level, self.barredUntil) = (id, gender, level, barredUntil)
  }

  /// Refuses a user who is barred ([MA-7]).
  public func checkBar(at now: Instant) throws(SessionRefusal) {
    if let end = barredUntil, end > now { throw .barred(until: end) }
  }
}

extension SessionFacts {
  /// Why a user cannot join, the most telling reason first; empty if the user can ([MA-3], [MA-5], [MA-7]).
  ///
  /// - Parameter hasOverlap: whether the slot overlaps a matched session of the user ([MA-2]).
  public func obstacles(for user: Applicant, hasOverlap: Bool, at now: Instant) -> [SessionRefusal] {
    if hasParticipant(user.id) { return [.ownSession] }
    var found: [SessionRefusal] = []
    if slot.start <= now { found.append(.started) } else if joinsEndAt <= now { found.append(.joinsEnded) }
    if state != .open || offer?.excludes(user.id, at: now) == true { found.append(.taken) }
    if !admitted.contains(GenderSet(user.gender)) { found.append(.genderNotAdmitted) }
    if !user.level.isExperienced, !level.isExperienced { found.append(.levelTooLow) }
    if let end = user.barredUntil, end > now { found.append(.barred(until: end)) }
    if hasOverlap { found.append(.slotTakenByMatch) }
    return found
  }

  /// Decides whether a user can join: one obstacle is enough. To those who took no part in it, a cancelled session does not exist.
  ///
  /// - Parameter hasOverlap: whether the slot overlaps a matched session of the user ([MA-2]).
  public func checkJoin(by user: Applicant, hasOverlap: Bool, at now: Instant) throws(SessionRefusal) {
    if state == .cancelled, !hasParticipant(user.id) { throw .noSuchSession }
    if let obstacle = obstacles(for: user, hasOverlap: hasOverlap, at: now).first { throw obstacle }
  }
}
