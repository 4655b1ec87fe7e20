import Identifiers

/// Why a user cannot wait for a place in a session.
package enum WaitingRefusal: Error, Sendable, Hashable {
  /// For the reason for which the user could not join either.
  case session(SessionRefusal)
  /// The user can join it.
  case sessionOpen
  case listFull
  case tooManyWaiting
}

/// The rules of waiting lists.
package enum WaitingRule {
  /// How long a place is offered to one user.
  package static let offerLength: Duration = .seconds(15 * 60)
  /// Users in a list: more have no chance.
  package static let maxListLength = 50
  /// Lists that a user may be in.
  package static let maxLists = 50

  /// Whether a user may wait for a place in a session; a user who waits already may.
  ///
  /// - Parameters:
  ///   - inList: how many users wait for it.
  ///   - lists: for how many sessions the user waits.
  package static func check(
    _ session: SessionFacts, _ user: Applicant, inList: Int, lists: Int, at now: Instant
  ) throws(WaitingRefusal) {
    if session.hasParticipant(user.id) { throw .session(.ownSession) }
    if session.state.isOver { throw .session(.noSuchSession) }
    if session.slot.start <= now { throw .session(.started) }
    if session.joinsEndAt <= now { throw .session(.joinsEnded) }
    if !session.admitted.contains(GenderSet(user.gender)) { throw .session(.genderNotAdmitted) }
    if !user.level.isExperienced, !session.level.isExperienced { throw .session(.levelTooLow) }
    if session.state == .open, session.offer?.excludes(user.id, at: now) != true { throw .sessionOpen }
    if inList >= maxListLength { throw .listFull }
    if lists >= maxLists { throw .tooManyWaiting }
  }

  /// Until when a place is offered that is free at `now`.
  ///
  /// - Parameter joinsEnd: from when on the session cannot be joined.
  package static func offerEnd(before joinsEnd: Instant, at now: Instant) -> Instant {
    min(now + offerLength, joinsEnd)
  }
}
