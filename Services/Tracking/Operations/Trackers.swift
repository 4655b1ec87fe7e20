import Environment
import Events
import Identifiers
import Postgres
import TrackingDomain
import TrackingStore

/// Loads and stores what is known of users, in the transaction that has locked their rows: positions, states, paths, what groups see change,
/// and notifications are stored atomically.
struct Trackers: Sendable {
  private let notices: TrackerNotices
  private let changes: GroupChanges
  private let partitions: Partitions

  init(events: Outbox, changes: GroupChanges, partitions: Partitions, clock: any WallClock) {
    notices = TrackerNotices(events: events, clock: clock)
    self.changes = changes
    self.partitions = partitions
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
    let kept = KeepShownPositions(trackers, now: changes.now)
    if !kept.userIDs.isEmpty { tx.queue(kept) }
    if trackers.contains(where: { !$0.changedGroups.isEmpty }) {
      tx.queue(PutStatuses(trackers))
    }
    for tracker in trackers where !tracker.addedToAlert.isEmpty {
      guard let alert = tracker.alert else { continue }
      tx.queue(AddJourneyGroups(journeyID: alert.id, groupIDs: tracker.addedToAlert))
    }
    if trackers.contains(where: { !$0.changedPlaces.isEmpty }) { tx.queue(PutPresences(trackers)) }
    if trackers.contains(where: { !$0.dividedPlaces.isEmpty }) { tx.queue(PutGroupPresences(trackers)) }
    try await storePaths(of: trackers, tx)
    try await notices.publish(trackers, tx)
    try await changes.store(trackers.flatMap(\.changes), tx)
  }

  private func storePaths(of trackers: [Tracker], _ tx: Transaction) async throws {
    let times = trackers.flatMap { $0.pathPoints.map(\.fix.time) + $0.lateFixes.map(\.fix.time) }
    guard !times.isEmpty else { return }
    try await partitions.prepare(for: times)
    let whole = trackers.filter { !$0.isDivided && !$0.pathPoints.isEmpty }
    let divided = trackers.filter { $0.isDivided && !$0.pathPoints.isEmpty }
    if !whole.isEmpty { tx.queue(InsertPathPoints(whole)) }
    if !divided.isEmpty { tx.queue(InsertPathPointsOfGroups(divided)) }
    if trackers.contains(where: { !$0.lateFixes.isEmpty }) { tx.queue(InsertLatePathPoints(trackers)) }
  }
}
