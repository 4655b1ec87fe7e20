import Identifiers

/// Why a session is not repeated every week.
package enum RepetitionRefusal: Error, Sendable, Hashable, CaseIterable {
  case noSuchRepetition
  case alreadyRepeated
  case tooManyRepetitions
  /// The last day is before the first repetition, or too far ahead.
  case lastDayInvalid
}

/// The rules of sessions that are posted every week ([MA-19]).
package enum RepetitionRule {
  /// How many days after the session the last one may be posted.
  package static let maxDays = 366

  /// The day of the first repetition of a session.
  package static func firstDay(after day: CivilDate) -> CivilDate { CivilDate(daysSince1970: day.daysSince1970 + 7) }

  /// Whether a session of a day may be repeated until another.
  ///
  /// - Parameter lastDay: `nil` for a repetition without an end.
  package static func check(_ lastDay: CivilDate?, startingOn day: CivilDate) throws(RepetitionRefusal) {
    guard let lastDay else { return }
    guard lastDay >= firstDay(after: day), lastDay.daysSince1970 <= day.daysSince1970 + maxDays else {
      throw .lastDayInvalid
    }
  }

  /// Whether the next session of a repetition is posted; otherwise the user is told that it is left out.
  ///
  /// - Parameters:
  ///   - hasOverlap: whether the user has a session then ([MA-2]).
  ///   - openPosts: how many unmatched posts of the user are yet to start ([MA-16]).
  package static func admits(_ poster: Applicant, hasOverlap: Bool, openPosts: Int64) -> Bool {
    poster.barredUntil == nil && !hasOverlap && NewsLimits.admits(openPosts: openPosts)
  }
}

extension SessionFacts {
  /// Whether a user may have the session repeated.
  package func checkRepeatable(by user: UserID, at now: Instant) throws(SessionRefusal) {
    guard hasParticipant(user), !state.isOver else { throw .noSuchSession }
    guard ownerID == user else { throw .notTheOwner }
    guard slot.start > now else { throw .started }
  }
}
