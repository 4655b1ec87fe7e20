import Environment
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

extension JobKind where Payload == String {
  /// Posts the next session of a repetition; payload and key are the repetition's id.
  package static let repeatSession = JobKind("repeat_session")
}

/// Posts the sessions of repetitions, each when the one of the week before begins.
///
/// What a run posts is decided by the repetition's day and not by when the job runs: a service that was down posts what is still in the
/// future, and leaves out what has passed.
package struct WeeklyPosts: Sendable {
  private let transitions: SessionTransitions

  package init(transitions: SessionTransitions) { self.transitions = transitions }

  private var environment: Environment { transitions.jobs.environment }

  /// The job that posts.
  package var handlers: [JobHandler] {
    [
      .inDatabase(.repeatSession) { id, run, tx in
        guard let id = RepetitionID(id), let user = try await tx.first(OwnerOfRepetition(repetitionID: id)) else {
          return
        }
        let member = try await tx.lockedMember(user, at: environment.clock.now)
        guard let member, member.mayWrite, let repetition = try await tx.first(LockedRepetition(repetitionID: id)),
          let moment = try await tx.first(RepetitionMoment(repetitionID: id))
        else { return }
        try await post(repetition, moment, by: member, tx)
        try await tx.execute(AdvanceRepetition(repetitionID: id))
        // A day that the zone skips has no moment; the next week's session is posted a week after the last one.
        let next = max(moment.startsAt ?? run.due + .seconds(7 * 86_400), environment.clock.now)
        try await tx.schedule(Job(.repeatSession, "\(id)", at: next, key: "\(id)"), with: transitions.jobs)
      }
    ]
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
    guard member.barEndsAt == nil, !moment.hasOverlap, open < NewsLimits.maxOpenPosts, let gender = member.gender,
      let level = member.level
    else {
      return try await tellLeftOut(repetition, start, tx)
    }
    let poster = Applicant(id: repetition.userID, gender: gender, level: level)
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
