import Environment
import Events
import Identifiers
import Jobs
import Metrics
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

/// Judges sessions 15 min after their start, by the scheduled time ([MA-10]).
///
/// Nobody is barred for a session whose check-in window overlaps an outage: then a participant may have been at the gym in vain.
package struct SessionJudgement: Sendable {
  private let transitions: SessionTransitions

  /// Sessions in one transaction: each is locked until its end, some tenths of a second later.
  private static let batch = 500
  /// The most recipients of one notification.
  private static let maxRecipients = 500

  package init(transitions: SessionTransitions) { self.transitions = transitions }

  package var handler: JobHandler {
    .inDatabase(.judgeSessions) { start, run, tx in
      guard let microseconds = Int64(start) else { throw JobRefusal("its payload is no time") }
      try await judge(Instant(microseconds: microseconds), run, tx)
    }
  }

  private func judge(_ start: Instant, _ run: JobRun, _ tx: Transaction) async throws {
    let (jobs, now) = (transitions.jobs, try await transitions.trustedNow(tx))
    let key = "\(start.microseconds)"
    let left = CheckIn.judgement(of: start) - now
    guard left <= .zero else {
      // This replica's clock is ahead, and its job came too early: the time is left by any clock.
      return try await tx.schedule(
        Job(.judgeSessions, key, at: transitions.clock.now + left, key: key), with: jobs)
    }
    // A downtime that lasts, or after which this is the first that the service does, is known from here on.
    try await tx.execute(NoteOutage(now: now, longestGapUs: Heartbeat.longestGap.wholeMicroseconds))
    let end = start + CheckIn.margin
    let judgement = JudgeSessions(
      windowEnd: end, windowStart: start - CheckIn.margin, startsAt: start, limit: Int64(Self.batch), now: now,
      timePrefix: Self.prefix(end), endsAt: end + CheckIn.bar)
    // What arrived within the window is stored before the verdict.
    try await tx.execute(AwaitCheckIns(startsAt: start))
    // Users before sessions, as everywhere.
    let (_, verdicts) = try await tx.rows(LockUsersToJudge(startsAt: start, limit: Int64(Self.batch)), judgement)
    try await publish(verdicts, tx)
    try await notify(verdicts, start, barredUntil: end + CheckIn.bar, tx)
    try await transitions.events.publish(each: verdicts.flatMap { Self.notices(of: $0, start) }, in: tx)
    count(verdicts)
    guard verdicts.count == Self.batch else { return }
    // By its own time, so that the rest comes before what is due later.
    try await tx.schedule(Job(.judgeSessions, key, at: run.due, key: key), with: jobs)
  }

  /// The first 13 characters of a UUIDv7 of a moment: eight digits, a hyphen and four digits.
  private static func prefix(_ moment: Instant) -> String {
    String(UUID7(high: UInt64(max(0, moment.wholeMilliseconds)) << 16, low: 0).description.prefix(13))
  }

  private func publish(_ verdicts: [JudgeSessions.Row], _ tx: Transaction) async throws {
    let failed = verdicts.filter { $0.state == .matched }.map {
      SessionFailed(
        sessionID: $0.id.description, absentUserIds: $0.absent.map(\.description), barred: !$0.isExcused)
    }
    let lapsed = verdicts.filter { $0.state == .open }.map {
      SessionLapsed(sessionID: $0.id.description, ownerID: $0.ownerID?.description ?? "")
    }
    try await transitions.events.publish(each: failed, in: tx)
    try await transitions.events.publish(each: lapsed, in: tx)
  }

  /// A user has one session at a time, so the start is a key for each.
  private func notify(
    _ verdicts: [JudgeSessions.Row], _ start: Instant, barredUntil end: Instant, _ tx: Transaction
  ) async throws {
    let barred = verdicts.filter { $0.state == .matched && !$0.isExcused }.flatMap(\.absent)
    for first in stride(from: 0, to: barred.count, by: Self.maxRecipients) {
      try await transitions.notify(
        Array(barred[first..<min(first + Self.maxRecipients, barred.count)]), "sessions/missed/\(start.microseconds)",
        of: nil, .checkInMissed(.init(barEndTime: end.timestamp)), tx)
    }
  }

  /// What those are told who are not barred: who came, whose session lapsed, and all while the service was down.
  private static func notices(of verdict: JudgeSessions.Row, _ start: Instant) -> [NotificationRequested] {
    let session = NotificationRequested.SessionNews(startTime: start.timestamp, gym: verdict.gymName)
    let users = [verdict.ownerID, verdict.partnerID].compactMap { $0 }
    func notice(_ user: UserID, _ what: String, _ news: NotificationRequested.News) -> NotificationRequested {
      NotificationRequested(
        notificationKey: "sessions/\(verdict.id)/\(what)", recipientIds: [user.description],
        subject: "sessions/\(verdict.id)", news: news)
    }
    guard verdict.state == .matched else { return users.map { notice($0, "lapsed", .sessionLapsed(session)) } }
    if verdict.isExcused { return users.map { notice($0, "excused", .sessionExcused(session)) } }
    guard let absent = verdict.absent.first, verdict.absent.count == 1 else { return [] }
    return users.filter { $0 != absent }.map { user in
      notice(
        user, "partner-missed",
        .partnerMissed(
          .init(partnerID: absent.description, startTime: session.startTime, gym: verdict.gymName)))
    }
  }

  private func count(_ verdicts: [JudgeSessions.Row]) {
    let excused = verdicts.count { $0.state == .matched && $0.isExcused }
    let lapsed = verdicts.count { $0.state == .open }
    Counter(label: "sessions_judged_total", dimensions: [("verdict", "excused")]).increment(by: excused)
    Counter(label: "sessions_judged_total", dimensions: [("verdict", "lapsed")]).increment(by: lapsed)
    Counter(label: "sessions_judged_total", dimensions: [("verdict", "failed")])
      .increment(by: verdicts.count - excused - lapsed)
  }
}
