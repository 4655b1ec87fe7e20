import Environment
import Events
import Geography
import Identifiers
import Live
import Postgres
import TrackingDomain
import TrackingStore

/// What tracking does, one use case a file, named by its verb.
///
/// An operation locks, lets the domain decide, stores the decision, and tells groups and their members of it. It takes the transaction of its
/// caller, a call, an event or what runs in the background, and begins none: a call stores its answer in the same one ([C-4]), and tries again
/// from the beginning after a conflict.
package struct TrackerOperations: Sendable {
  let environment: Environment
  let trackers: Trackers
  let changes: GroupChanges
  let arrivalRadius: Metres

  /// - Parameter arrivalRadius: how near a destination is reached, beside a position's accuracy ([TR-7]).
  package init(
    events: Outbox, live: any LiveBus, partitions: Partitions, environment: Environment, arrivalRadius: Metres
  ) {
    self.environment = environment
    self.arrivalRadius = arrivalRadius
    changes = GroupChanges(signals: ChangeSignals(live: live), partitions: partitions, clock: environment.clock)
    trackers = Trackers(events: events, changes: changes, partitions: partitions, clock: environment.clock)
  }

  /// Lets a user, whose row is locked, do something, and stores what comes of it.
  ///
  /// - Returns: what `step` returns.
  func change<Done>(
    _ user: UserID, _ tx: Transaction, _ step: (inout Tracker) async throws -> Done
  ) async throws -> Done {
    guard var tracker = try await trackers.locked(user, tx) else { throw TrackingFailure.noAccount }
    let done = try await step(&tracker)
    try await trackers.store([tracker], tx)
    return done
  }

  /// As ``change(_:_:_:)``, in some of the user's groups.
  ///
  /// - Returns: the user as each of them sees them then, in their order.
  func change(
    _ user: UserID, in groups: [GroupID], _ tx: Transaction, _ step: (inout Tracker) async throws -> Void
  ) async throws -> [MembersSeen.Row] {
    try await change(user, tx) { tracker in
      try tracker.checkMember(of: groups)
      try await step(&tracker)
    }
    let seen = try await tx.rows(MembersSeen(viewerID: user, groupIDs: groups)).filter { $0.userID == user }
    let seenIn = Dictionary(seen.map { ($0.groupID, $0) }) { first, _ in first }
    return groups.compactMap { seenIn[$0] }
  }

  /// A journey or alert as its user sees it.
  func journey(_ id: JourneyID, of user: UserID, _ tx: Transaction) async throws -> JourneySeenBy.Row {
    guard let row = try await tx.first(JourneySeenBy(viewerID: user, journeyID: id)) else {
      throw JourneyRefusal.noSuchJourney
    }
    return row
  }
}
