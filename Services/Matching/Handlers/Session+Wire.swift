import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import TandemMatching
import Timestamps

extension Session {
  /// A session as a user sees it.
  init(
    _ stored: StoredSession, _ obstacles: [SessionRefusal] = [.ownSession], gaveFeedback: Bool = false, at now: Instant
  ) {
    self.init(
      sessionID: stored.id.description, startTime: stored.slot.start.timestamp, endTime: stored.slot.end.timestamp,
      gym: SessionGym(stored.gym), focus: stored.focus.wire, genders: stored.admitted.wire, level: stored.level.wire,
      state: stored.state.wire, matched: stored.partnerID != nil,
      owner: Participant(stored.ownerID, stored.ownerUsername, stored.ownerCheckedInAt))
    if stored.partnerID != nil || stored.partnerCheckedInAt != nil {
      partner = Participant(stored.partnerID, stored.partnerUsername, stored.partnerCheckedInAt)
    }
    finished = stored.facts.isFinished(at: now)
    feedbackGiven = gaveFeedback
    etag = stored.etag
    joinObstacles = obstacles.compactMap(\.obstacle)
    createTime = stored.postedAt.timestamp
    updateTime = stored.updatedAt.timestamp
    joinEndTime = stored.joinsEndAt.timestamp
  }
}

extension StoredSession {
  /// Changes with every change of the session ([C-11]).
  var etag: String { String(revision, radix: 36) }

  /// The revision that an etag names; `nil` for an empty one, and one that no session has for a text that is none.
  static func revision(etag: String) -> Int32? {
    guard !etag.isEmpty else { return nil }
    guard let revision = Int32(etag, radix: 36), String(revision, radix: 36) == etag else { return -1 }
    return revision
  }
}

extension SessionGym {
  init(_ gym: StoredGym) {
    self.init(
      gymID: gym.id.description, name: gym.name,
      point: Point(latitude: gym.point.latitude, longitude: gym.point.longitude), timeZone: gym.timeZone)
  }
}

extension Participant {
  fileprivate init(_ user: UserID?, _ username: String, _ checkedInAt: Instant?) {
    self.init(userID: user?.description ?? "", username: username, checkInTime: checkedInAt?.timestamp)
  }
}

extension GenderSet {
  /// Empty for any.
  var wire: [TandemMatching.Gender] { self == .any ? [] : genders.map(\.wire) }
}

extension TandemMatching.Fit {
  init(_ fit: Fit) {
    self.init(
      score: fit.score, slot: fit.slot, distance: fit.distance, focus: fit.focus, level: fit.level, rating: fit.rating,
      attendance: fit.attendance)
  }
}

extension Bar {
  init(_ stored: StoredBar) {
    self.init(
      barID: stored.id.description, sessionID: stored.sessionID.description, cause: stored.cause.wire,
      startTime: stored.beganAt.timestamp, endTime: stored.endsAt.timestamp, liftTime: stored.liftedAt?.timestamp)
  }
}
