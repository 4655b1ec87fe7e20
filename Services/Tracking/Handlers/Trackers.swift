import Environment
import Events
import Identifiers
import Postgres
import TandemEvents
import TrackingDomain
import TrackingStore

/// Loads and stores what is known of users, in the transaction that has locked their rows: positions, states, paths, what groups see change,
/// and notifications are stored atomically.
package struct Trackers: Sendable {
  private let events: Outbox
  private let changes: GroupChanges
  private let partitions: Partitions
  private let clock: any WallClock

  /// The most recipients of one event.
  private static let maxRecipients = 500

  package init(events: Outbox, changes: GroupChanges, partitions: Partitions, clock: any WallClock) {
    self.events = events
    self.changes = changes
    self.partitions = partitions
    self.clock = clock
  }

  /// What is known of some users, in the order of their ids, locked until the transaction ends; users who deleted their accounts are missing.
  func locked(_ users: [UserID], _ tx: Transaction) async throws -> [Tracker] {
    var (rows, statuses) = try await tx.rows(LockTrackers(userIDs: users), StatusesOf(userIDs: users))
    if rows.count < users.count {
      try await tx.execute(EnterTrackers(userIDs: users))
      (rows, statuses) = try await tx.rows(LockTrackers(userIDs: users), StatusesOf(userIDs: users))
    }
    // Both are in the order of the users' ids.
    var rest = statuses[...]
    return rows.map { row in
      let own = rest.drop { $0.userID < row.userID }.prefix { $0.userID == row.userID }
      rest = rest[own.endIndex...]
      return Tracker(row, own)
    }
  }

  /// What is known of one user, locked until the transaction ends.
  func locked(_ user: UserID, _ tx: Transaction) async throws -> Tracker? { try await locked([user], tx).first }

  /// Stores what changed of users that the transaction has locked, in their order.
  func store(_ trackers: [Tracker], _ tx: Transaction) async throws {
    let changed = trackers.filter(\.isChanged)
    let ends = trackers.compactMap(\.end)
    if !ends.isEmpty { try await tx.execute(EndJourneys(ends)) }
    if !changed.isEmpty { try await tx.execute(PutTrackers(changed)) }
    if trackers.contains(where: { !$0.changedGroups.isEmpty }) {
      try await tx.execute(PutStatuses(trackers, now: clock.now))
    }
    try await storePaths(of: trackers, tx)
    for tracker in trackers { try await publish(tracker.news, of: tracker.userID, tx) }
    try await changes.store(trackers.flatMap { $0.changes.map(\.change) }, tx)
  }

  private func storePaths(of trackers: [Tracker], _ tx: Transaction) async throws {
    let times = trackers.flatMap { $0.pathPoints.map(\.time) }
    let lateTimes = trackers.flatMap { $0.lateFixes.map(\.time) }
    guard !times.isEmpty || !lateTimes.isEmpty else { return }
    try await partitions.prepare(for: times + lateTimes)
    if !times.isEmpty { try await tx.execute(InsertPathPoints(trackers)) }
    if !lateTimes.isEmpty { try await tx.execute(InsertLatePathPoints(trackers)) }
  }

  /// Notifies the members of groups; each once of each news, however many of the groups they are in.
  private func publish(_ news: [TrackerNews], of user: UserID, _ tx: Transaction) async throws {
    for item in news {
      let members = try await tx.rows(OtherMembers(groupIDs: item.groupIDs, userID: user))
      for start in stride(from: 0, to: members.count, by: Self.maxRecipients) {
        let some = members[start..<min(start + Self.maxRecipients, members.count)]
        let request = NotificationRequested(
          notificationKey: item.key(part: start), recipientIds: some.map(\.description),
          subject: "journeys/\(item.journeyID)", news: item.news.content(of: user))
        try await events.publish(request, in: tx)
      }
    }
  }
}

extension TrackerNews {
  /// Tells notifications apart: those of a kind of one journey, where there may be several, by their times.
  fileprivate func key(part: Int) -> String { "journeys/\(journeyID)/\(news.word)/\(at.microseconds)/\(part)" }
}

extension MemberNews {
  fileprivate var word: String {
    switch self {
    case .sosStarted: "sos_started"
    case .sosStopped: "sos_stopped"
    case .journeyStarted: "started"
    case .journeyEnded: "ended"
    case .arrivedOnTime: "on_time"
    case .arrivedLate: "late"
    case .standingStill: "standing"
    case .notArrived: "not_arrived"
    case .wentOffline: "offline"
    }
  }

  fileprivate func content(of user: UserID) -> NotificationRequested.News {
    let member = NotificationRequested.MemberNews(memberID: user.description)
    return switch self {
    case .sosStarted: .sosStarted(member)
    case .sosStopped: .sosStopped(member)
    case .journeyStarted: .journeyStarted(member)
    case .journeyEnded: .journeyEnded(member)
    case .arrivedOnTime: .arrivedOnTime(member)
    case .arrivedLate: .arrivedLate(member)
    case .standingStill: .standingStill(member)
    case .notArrived: .notArrived(member)
    case .wentOffline: .wentOffline(member)
    }
  }
}
