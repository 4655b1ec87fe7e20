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
    var (rows, journeys, statuses) = try await rows(of: users, tx)
    if rows.count < users.count {
      tx.queue(EnterUsers(userIDs: users))
      try await tx.execute(EnterTrackers(userIDs: users))
      (rows, journeys, statuses) = try await self.rows(of: users, tx)
    }
    let places = try await places(of: rows, tx)
    // All are in the order of the users' ids.
    var (restOfJourneys, rest, restOfPlaces) = (journeys[...], statuses[...], places[...])
    return rows.map { row in
      restOfJourneys = restOfJourneys.drop { $0.userID < row.userID }
      let journey = restOfJourneys.first.flatMap { $0.userID == row.userID ? $0 : nil }
      let own = rest.drop { $0.userID < row.userID }.prefix { $0.userID == row.userID }
      rest = rest[own.endIndex...]
      let ownPlaces = restOfPlaces.prefix { $0.userID == row.userID }
      restOfPlaces = restOfPlaces[ownPlaces.endIndex...]
      return Tracker(row, journey, own, ownPlaces)
    }
  }

  private func rows(
    of users: [UserID], _ tx: Transaction
  ) async throws -> ([LockTrackers.Row], [OpenJourneysOf.Row], [StatusesOf.Row]) {
    try await tx.rows(LockTrackers(userIDs: users), OpenJourneysOf(userIDs: users), StatusesOf(userIDs: users))
  }

  /// The places of those users who have some; costs nothing where none has.
  private func places(of rows: [LockTrackers.Row], _ tx: Transaction) async throws -> [GeofencesOf.Row] {
    guard rows.contains(where: { $0.placeCount > 0 }) else { return [] }
    return try await tx.rows(GeofencesOf(userIDs: rows.filter { $0.placeCount > 0 }.map(\.userID)))
  }

  /// What is known of one user, locked until the transaction ends.
  func locked(_ user: UserID, _ tx: Transaction) async throws -> Tracker? { try await locked([user], tx).first }

  /// Stores what changed of users that the transaction has locked, in their order: with the next statement of the transaction or its commit,
  /// so that groups are locked for as short a time as possible.
  func store(_ trackers: [Tracker], _ tx: Transaction) async throws {
    let changed = trackers.filter(\.isChanged)
    let ends = trackers.compactMap(\.end)
    if !ends.isEmpty { tx.queue(EndJourneys(ends)) }
    if !changed.isEmpty { tx.queue(PutTrackers(changed)) }
    if trackers.contains(where: { !$0.changedGroups.isEmpty }) {
      tx.queue(PutStatuses(trackers, now: clock.now))
    }
    if trackers.contains(where: { !$0.changedPlaces.isEmpty }) { tx.queue(PutPresences(trackers)) }
    try await storePaths(of: trackers, tx)
    for tracker in trackers {
      try await publish(tracker.news, of: tracker.userID, tx)
      try await publish(tracker.placeNews, of: tracker.userID, tx)
    }
    try await changes.store(trackers.flatMap { $0.changes.map(\.change) }, tx)
  }

  private func storePaths(of trackers: [Tracker], _ tx: Transaction) async throws {
    let times = trackers.flatMap { $0.pathPoints.map(\.time) }
    let lateTimes = trackers.flatMap { $0.lateFixes.map(\.time) }
    guard !times.isEmpty || !lateTimes.isEmpty else { return }
    try await partitions.prepare(for: times + lateTimes)
    if !times.isEmpty { tx.queue(InsertPathPoints(trackers)) }
    if !lateTimes.isEmpty { tx.queue(InsertLatePathPoints(trackers)) }
  }

  /// Notifies the members of groups; each once of each news, however many of the groups they are in.
  private func publish(_ news: [TrackerNews], of user: UserID, _ tx: Transaction) async throws {
    for item in news {
      try await notify(item.groupIDs, of: user, item.news.content(of: user), tx) { part in
        (item.key(part: part), "journeys/\(item.journeyID)")
      }
    }
  }

  /// Notifies the members of groups of arrivals and departures; each once, however many of the groups they are in.
  private func publish(_ news: [PlaceNews], of user: UserID, _ tx: Transaction) async throws {
    for item in news {
      try await notify(item.groupIDs, of: user, item.content(of: user), tx) { part in
        (item.key(part: part), "users/\(user)")
      }
    }
  }

  /// - Parameter names: the key and the subject of a part of the recipients.
  private func notify(
    _ groups: [GroupID], of user: UserID, _ content: NotificationRequested.News, _ tx: Transaction,
    _ names: (Int) -> (key: String, subject: String)
  ) async throws {
    let members = try await tx.rows(OtherMembers(groupIDs: groups, userID: user))
    for start in stride(from: 0, to: members.count, by: Self.maxRecipients) {
      let some = members[start..<min(start + Self.maxRecipients, members.count)]
      let (key, subject) = names(start)
      let request = NotificationRequested(
        notificationKey: key, recipientIds: some.map(\.description), subject: subject, news: content)
      try await events.publish(request, in: tx)
    }
  }
}

extension PlaceNews {
  /// Tells notifications apart: those of a place by their times.
  fileprivate func key(part: Int) -> String {
    "places/\(placeID)/\(event.kind == .arrival ? "reached" : "left")/\(event.at.microseconds)/\(part)"
  }

  fileprivate func content(of user: UserID) -> NotificationRequested.News {
    let place = NotificationRequested.PlaceNews(memberID: user.description, place: name)
    return event.kind == .arrival ? .placeReached(place) : .placeLeft(place)
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
