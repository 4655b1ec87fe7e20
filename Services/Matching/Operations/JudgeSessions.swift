import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TandemEvents
import Timestamps

extension SessionOperations {
  /// The most recipients of one notification.
  private static let maxRecipients = 500

  /// Judges some of the sessions that start at one moment: matched ones fail, open ones lapse ([MA-10]). One statement does it, as
  /// thousands may start at once.
  ///
  /// No user is barred for a session whose check-in window overlaps an outage: a participant may have been at the gym and unable to check in.
  ///
  /// - Parameter now: the trusted present, at the time of the judgement or later.
  /// - Returns: the verdicts; fewer than `limit` if none is left.
  package func judgeSessions(
    startingAt start: Instant, limit: Int, at now: Instant, _ tx: Transaction
  ) async throws -> [JudgeSessions.Row] {
    // A downtime that lasts, or after which this is the first that the service does, is known from here on.
    try await tx.execute(NoteOutage(now: now, longestGapUs: Heartbeat.maxGap.wholeMicroseconds))
    let end = start + CheckIn.margin
    let judgement = JudgeSessions(
      windowEnd: end, windowStart: start - CheckIn.margin, startsAt: start, limit: Int64(limit), now: now,
      timePrefix: Self.prefix(end), endsAt: end + CheckIn.bar)
    // What arrived within the window is stored before the verdict.
    try await tx.execute(AwaitCheckIns(startsAt: start))
    // Users before sessions, as everywhere.
    let (_, verdicts) = try await tx.rows(LockUsersToJudge(startsAt: start, limit: Int64(limit)), judgement)
    try await publish(verdicts, tx)
    try await tellBarred(verdicts, start, until: end + CheckIn.bar, tx)
    try await transitions.events.publish(each: verdicts.flatMap { Self.notices(of: $0, start) }, in: tx)
    return verdicts
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
  private func tellBarred(
    _ verdicts: [JudgeSessions.Row], _ start: Instant, until end: Instant, _ tx: Transaction
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
}
