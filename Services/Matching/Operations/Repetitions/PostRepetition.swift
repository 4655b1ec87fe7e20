import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

extension SessionOperations {
  /// Schedules the job that posts the next session of a repetition ([MA-19]).
  package func scheduleRepetition(_ id: RepetitionID, at moment: Instant, _ tx: Transaction) async throws {
    try await tx.schedule(Job(.repeatSession, "\(id)", at: moment, key: "\(id)"), with: jobs)
  }

  /// Posts the next session of a repetition, and goes on to the week after it ([MA-19]).
  ///
  /// What is posted is decided by the repetition's day and not by when the job runs: a service that was down posts what is still in the
  /// future, and leaves out what has passed.
  ///
  /// - Parameter due: when the job was.
  /// - Returns: when the one after it is to be posted; `nil` if the repetition, or its user's account, is gone.
  package func postRepetition(_ id: RepetitionID, due: Instant, _ tx: Transaction) async throws -> Instant? {
    guard let user = try await tx.first(OwnerOfRepetition(repetitionID: id)) else { return nil }
    let member = try await tx.lockedMember(user, at: environment.clock.now)
    guard let member, member.mayWrite, let repetition = try await tx.first(LockedRepetition(repetitionID: id)),
      let moment = try await tx.first(RepetitionMoment(repetitionID: id))
    else { return nil }
    try await post(repetition, moment, by: member, tx)
    try await tx.execute(AdvanceRepetition(repetitionID: id))
    // A day that the zone skips has no moment; the next week's session is posted a week after the last one.
    return max(moment.startsAt ?? due + .seconds(7 * 86_400), environment.clock.now)
  }

  private func post(
    _ repetition: StoredRepetition, _ moment: RepetitionMoment.Row, by member: LockedMember.Row, _ tx: Transaction
  ) async throws {
    let now = environment.clock.now
    // What has passed while the service was down, and a day that the zone skips, is left out without a notification.
    guard let start = moment.startsAt, start > now,
      let slot = Slot(from: start, to: start + .seconds(Int64(repetition.lengthS)))
    else { return }
    // [MA-16]. The transaction has locked the user, so that no other post is made meanwhile.
    let open = try await tx.first(OpenPostsOf(userID: repetition.userID, now: now)) ?? 0
    guard let poster = Applicant(repetition.userID, member),
      RepetitionRule.admits(poster, hasOverlap: moment.hasOverlap, openPosts: open)
    else {
      return try await tellLeftOut(repetition, start, tx)
    }
    let insert = InsertSession(
      environment.newID(), of: poster, in: try StoredGym(repetition), slot,
      joinableUntil: JoinEnd.ofSeries(slot, lead: .seconds(Int64(repetition.joinLeadS))), repetition.focus,
      repetition.level, admitting: GenderSet(rawValue: repetition.admitted), by: repetition.id, now: now)
    guard let id = try await tx.first(insert) else { return }
    // How many are posted within a day is limited by how many series a user may have.
    _ = try await transitions.recordPost(id, isTold: true, tx)
  }

  private func tellLeftOut(_ repetition: StoredRepetition, _ start: Instant, _ tx: Transaction) async throws {
    try await transitions.notify(
      [repetition.userID], "repetitions/\(repetition.id)/\(repetition.nextDay)", of: nil,
      .sessionNotRepeated(.init(startTime: start.timestamp, gym: repetition.gymName)), tx)
  }
}

extension Applicant {
  /// `nil` for a user whose gender or level is not known.
  fileprivate init?(_ id: UserID, _ row: LockedMember.Row) {
    guard let gender = row.gender, let level = row.level else { return nil }
    self.init(id: id, gender: gender, level: level, barredUntil: row.barEndsAt)
  }
}
